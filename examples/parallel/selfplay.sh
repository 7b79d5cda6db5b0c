#!/bin/sh
# Games of the Amazons against itself on several machines, which see the same folder:
#   selfplay.sh one,two,three /shared/job
set -eu
machines=${1:?which machines?}
folder=${2:?which folder?}
parts=24
job="tesuji-amazons selfplay --output games.txt --games 25000 --threads 1"
seq $parts | parallel --sshlogin "$machines" --workdir "$folder" --retries 3 "$job --shard {}/$parts"
cd "$folder" && $job --merge
