#!/usr/bin/env bash
# Takes the pictures of all scenes that come with the program, by which they are
# chosen in its window: assets/thumbnails.sh [PROGRAM [ARGUMENT...]]
# PROGRAM is a built lovelock (default: target/release/lovelock); further arguments
# go to each `lovelock render`. Needs ImageMagick.
# Build again afterwards: the pictures are in the binary.
set -euo pipefail
cd "$(dirname "$0")/.."
lovelock=${1:-target/release/lovelock}
shift || true
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Width and height of a picture, and how many there are in a row, as
# src/ui/gallery.rs has them.
width=160 height=100 columns=5
pictures=()
while read -r name _; do
    # Twice as large and made smaller: thin hair stays soft.
    "$lovelock" render --scene "$name" --still --samples 9 --warmup 1.5 \
        --size $((2 * width))x$((2 * height)) --out "$scratch/$name" "$@"
    pictures+=("$scratch/$name/render0000.png")
done < <("$lovelock" --list-scenes)
montage "${pictures[@]}" -resize "${width}x${height}!" -geometry "${width}x${height}+0+0" \
    -tile "${columns}x" -background black "$scratch/all.png"
convert "$scratch/all.png" -strip -quality 86 assets/scenes/thumbnails.jpg
