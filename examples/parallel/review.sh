#!/bin/sh
# Reviews a folder of games by several programs at a time, one for each processor, and makes the page of all:
#   review.sh games reviews
set -eu
games=${1:?which folder?}
out=${2:-reviews}
parts=16
seq $parts | parallel --bar tesuji review "$games" --out "$out" --positions 1 --shard {}/$parts
tesuji review "$games" --out "$out" --merge
