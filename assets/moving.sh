#!/usr/bin/env bash
# Takes the README's moving picture: assets/moving.sh [PROGRAM [ARGUMENT...]]
# PROGRAM is a built lovelock (default: target/release/lovelock); further arguments
# go to `lovelock render`. Needs ffmpeg with libwebp, and python3; takes three minutes on a
# graphics card, and hours without one.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/lovelock}
shift || true
out=assets/readme/moving.webp
most=4000000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Head and wind repeat after three seconds, 72 frames; after two rounds the hair
# does so too.
"$program" render --scene ringlets --warmup 6 --frames 78 --size 640x480 \
    --samples 8 --full-head \
    --set motion.preset=shake --set motion.amplitude=28 --set motion.frequency=0.33333 \
    --set wind.on=true --set wind.strength=12 --set wind.direction=1,0.2,-0.4 \
    --set wind.oscillation=1 --set wind.frequency=0.33333 --set wind.turbulence=0 \
    --set camera.yaw=20 --set camera.distance=1.12 \
    --set camera.shift_x=0.02 --set camera.shift_y=0.005 "$@" --out "$scratch"
# Single hairs do not repeat: the six frames after the round fade into its first six.
frames=(-framerate 24)
ffmpeg -loglevel error -y "${frames[@]}" -start_number 6 -i "$scratch/render%04d.png" \
    "${frames[@]}" -i "$scratch/render%04d.png" \
    -filter_complex "[0][1]xfade=transition=fade:duration=0.25:offset=2.75" -frames:v 72 \
    -pix_fmt yuv420p -c:v libwebp -quality 80 -compression_level 6 -f image2 "$scratch/%04d.webp"
# ffmpeg's own animations keep blocks of earlier frames where little changes; here
# each frame is whole (the container: developers.google.com/speed/webp).
python3 - "$scratch" "$out" <<'PYTHON'
import pathlib
import sys

def u24(number):
    return number.to_bytes(3, "little")

def chunk(name, data):
    return name + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2)

folder, out = map(pathlib.Path, sys.argv[1:])
place_and_size = u24(0) + u24(0) + u24(640 - 1) + u24(480 - 1)
body = chunk(b"VP8X", b"\x02\0\0\0" + place_and_size[6:])
body += chunk(b"ANIM", b"\0\0\0\0" + b"\0\0")
for number, file in enumerate(sorted(folder.glob("*.webp"))):
    picture = file.read_bytes()[12:]
    assert picture[:4] == b"VP8 ", f"{file} is no plain picture"
    milliseconds = round((number + 1) * 1000 / 24) - round(number * 1000 / 24)
    body += chunk(b"ANMF", place_and_size + u24(milliseconds) + b"\x02" + picture)
out.write_bytes(chunk(b"RIFF", b"WEBP" + body))
PYTHON
size=$(wc -c <"$out")
if [ "$size" -gt "$most" ]; then
    echo "assets/moving.sh: $out has $size bytes, more than $most" >&2
    exit 1
fi
echo "$out: $size bytes"
