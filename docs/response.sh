#!/usr/bin/env bash
# Takes the row of pictures in docs/response.md: docs/response.sh [PROGRAM]
# Needs lovelock (cargo build --release) and ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/lovelock}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
number=0
shot() {
    local warmup=$1
    shift
    "$program" render --still --samples 8 --size 240x240 --warmup "$warmup" \
        --set motion.preset=none --strands 900 --set followers.each=8 "$@" \
        --out "$scratch/shot" >/dev/null
    mv "$scratch/shot/render0000.png" "$scratch/$(printf %02d $number).png"
    number=$((number + 1))
}
for solver in pbd rod; do
    shot 0.1 --solver "$solver"
    shot 2 --solver "$solver" --set wind.on=true
    shot 2 --solver "$solver" --set fan.on=true
    shot 2 --solver "$solver" --set forces.gravity_on=false
    shot 1.6 --solver "$solver" --set motion.preset=head-bang --set motion.amplitude=60 \
        --set motion.travel=0.06 --set motion.frequency=1.6
    for softness in 0 0.25 0.75 1; do
        shot 2.5 --solver "$solver" --set sim.softness="$softness"
    done
done
ffmpeg -loglevel error -y -i "$scratch/%02d.png" -frames:v 1 -vf tile=9x2 -q:v 3 docs/response.jpg
