#!/usr/bin/env bash
# Compares what the three benches print with `.ci/signatures`, with the vector instructions of this processor and with
# every lower level of them. `--write` writes what this processor says instead. PROFILE is the profile to run (release).
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${PROFILE:-release}
cargo build --profile "$profile" --quiet --bins
folder=${CARGO_TARGET_DIR:-target}/$profile

signature() { "$folder/$1" "${@:2}" | sed -n 's/^signature[: ]*//p'; }

if [ "${1:-}" = --write ]; then
    fresh=$(mktemp)
    while read -r old program; do
        case $old in
        '#') echo "$old $program" ;;
        # shellcheck disable=SC2086 # the words of a command
        *)
            found=$(signature $program)
            [ -n "$found" ] || { echo "$program says no signature" >&2; exit 1; }
            echo "$found $program"
            ;;
        esac
    done <.ci/signatures >"$fresh"
    # Not moved: a temporary file can be read by nobody else.
    cat "$fresh" >.ci/signatures
    rm "$fresh"
    exit
fi

failed=0
for level in avx512 avx2 scalar; do
    while read -r expected program; do
        [ "$expected" = '#' ] && continue
        # shellcheck disable=SC2086 # the words of a command
        found=$(TESUJI_SIMD=$level signature $program)
        if [ "$found" = "$expected" ]; then
            echo "$found $program, at most $level"
        else
            echo "$found $program, at most $level: not $expected" >&2
            failed=1
        fi
    done <.ci/signatures
done
if [ "$failed" = 1 ]; then
    echo "if play was meant to change, write the new signatures with .ci/signatures.sh --write" >&2
    exit 1
fi
