#!/usr/bin/env bash
# Takes the README's pictures of all hairstyles: assets/gallery.sh [FOLDER]
# Needs lovelock (cargo build --release) and ffmpeg; takes a minute on a graphics card,
# and half an hour without one.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-assets/readme/gallery}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"
for scene in bob fringe pixie wavy windy ringlets coily afro layered ponytail braid bun; do
    target/release/lovelock render "assets/scenes/$scene.toml" --still --samples 25 --full-head \
        --warmup 2.2 --size 900x900 --out "$scratch/$scene"
    ffmpeg -loglevel error -y -i "$scratch/$scene/render0000.png" -q:v 4 "$out/$scene.jpg"
done
