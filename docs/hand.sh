#!/usr/bin/env bash
# Takes the pictures of the hand at work in docs/response.md: docs/hand.sh [PROGRAM]
# Needs lovelock (cargo build --release), Xvfb, xdotool and ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/lovelock}
scratch=$(mktemp -d)
display=:$((200 + RANDOM % 700))
Xvfb "$display" -screen 0 1280x720x24 >/dev/null 2>&1 &
server=$!
window=
finish() {
    [ -z "$window" ] || kill "$window" 2>/dev/null || true
    kill "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
export DISPLAY=$display LIBGL_ALWAYS_SOFTWARE=1
number=0
shot() {
    sleep 1
    ffmpeg -loglevel error -y -f x11grab -video_size 1280x720 -i "$display" -frames:v 1 \
        -vf crop=640:540:150:60,scale=240:-2 "$scratch/$(printf %02d $number).png" </dev/null
    number=$((number + 1))
}
# Drags from one place to another and stays there, the button held.
drag() {
    xdotool mousemove "$1" "$2" mousedown 1
    for step in 1 2 3 4 5 6 7 8 9 10; do
        xdotool mousemove $(($1 + ($3 - $1) * step / 10)) $(($2 + ($4 - $2) * step / 10))
        sleep 0.25
    done
}
sleep 1
for solver in pbd rod; do
    LOVELOCK_STATE=$scratch/$solver "$program" --solver "$solver" --strands 700 \
        --set followers.each=3 --set motion.preset=none --set hand.radius=0.05 >/dev/null 2>&1 &
    window=$!
    sleep 15
    # The first start's hint goes with a click.
    xdotool mousemove 787 453 click 1 mousemove 100 600
    shot
    # The palette: look, pull, comb.
    xdotool mousemove 29 61 click 1 mousemove 600 250
    shot
    drag 600 250 720 170
    shot
    xdotool mouseup 1 mousemove 100 600
    sleep 2
    shot
    xdotool mousemove 29 93 click 1
    sleep 1
    drag 640 250 820 154
    shot
    xdotool mouseup 1 mousemove 29 29 click 1 mousemove 100 600
    sleep 2
    shot
    kill "$window"
    wait "$window" 2>/dev/null || true
    window=
done
ffmpeg -loglevel error -y -i "$scratch/%02d.png" -frames:v 1 -vf tile=6x2 -q:v 3 docs/hand.jpg
