#!/usr/bin/env bash
# Takes the pictures of README and docs that are neither hairstyles nor of the window:
# assets/pictures.sh [FOLDER]
# Needs lovelock (cargo build --release) and ffmpeg; takes a minute on a graphics card, and
# half an hour without one.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-assets/readme}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"
render() {
    local name=$1
    shift
    target/release/lovelock render --still "$@" --out "$scratch/$name"
}
save() { ffmpeg -loglevel error -y "${@:2}" -q:v 4 "$out/$1.jpg"; }
picture() {
    render "$@"
    save "$1" -i "$scratch/$1/render0000.png"
}
picture methods --compare pbd,ftl,shape,spring,der,rod --strands 700 --samples 25 \
    --set wind.on=true --warmup 2 --size 1320x880
picture ringlets --scene ringlets --warmup 10 --samples 25 --size 800x712
picture curls --full-head --samples 25 --warmup 1 --size 1280x800 --set motion.preset=none
picture close --full-head --view curl --colour copper --set motion.preset=none \
    --set camera.aperture=0.003
picture lengths --compare pbd,spring,shape,rod --strands 800 --samples 9 --size 1000x700 \
    --set colours.show=length --motion head-bang --warmup 1.3
for place in softboxes sunset overcast; do
    render "$place" --scene ringlets --full-head --samples 25 --warmup 2.2 --size 440x440 \
        --set light.environment=$place
done
save light -i "$scratch/softboxes/render0000.png" -i "$scratch/sunset/render0000.png" \
    -i "$scratch/overcast/render0000.png" -filter_complex hstack=3
second() { render "$1" --full-head --samples 25 --warmup 2.2 --size 440x440 "${@:2}"; }
second balayage --style wavy --set look.tone_tips=0.6
second dipped --style curly --set look.eumelanin=1.8 --set look.tone_tips=0.5 \
    --set look.tone_blend=0.2 --set look.tone_colour=0.05,0.15,0.45
second streaks --style straight --set look.eumelanin=1.5 --set look.tone_streaks=0.3
save tones -i "$scratch/balayage/render0000.png" -i "$scratch/dipped/render0000.png" \
    -i "$scratch/streaks/render0000.png" -filter_complex hstack=3
