#!/bin/sh
# Reviews a folder of games by several programs at a time, one for each processor, and makes the page of all:
#   review.sh games reviews
set -eu
games=${1:?which folder?}
out=${2:-reviews}
parts=16
# A record that is broken fails the part that tells of it, and the page of all names it: what was not reviewed is asked for below.
seq $parts | parallel --bar tesuji review "$games" --out "$out" --positions 1 --shard {}/$parts || true
tesuji review "$games" --out "$out" --merge
