#!/usr/bin/env bash
# Joins the captured frames into a video, then deletes them.
#
# The frames go only after the video is whole and has every one of them.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: ./make_video.sh [--fps N] [--folder DIR] [--output FILE] [--keep]

Joins renders/render0000.png (or .bmp), render0001.png, ... into output.mp4
(H.264, yuv420p), then deletes the frames.

  --fps N         frames per second of the video (24)
  --folder DIR    where the frames are (renders)
  --output FILE   the video (output.mp4); an older one is replaced
  --keep          do not delete the frames
TEXT
}

fail() {
    echo "make_video.sh: $*" >&2
    exit 1
}

wrong() {
    echo "make_video.sh: $*" >&2
    usage >&2
    exit 2
}

fps=24
folder=renders
output=output.mp4
keep=no
while [ $# -gt 0 ]; do
    case $1 in
        --fps | --folder | --output)
            [ $# -ge 2 ] && [ -n "$2" ] || wrong "$1 wants a value"
            case $1 in
                --fps) fps=$2 ;;
                --folder) folder=$2 ;;
                --output) output=$2 ;;
            esac
            shift 2
            ;;
        --keep)
            keep=yes
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) wrong "there is no option $1" ;;
    esac
done
[[ $fps =~ ^[0-9]+(\.[0-9]+)?$ ]] && [[ $fps =~ [1-9] ]] || wrong "--fps wants a number above 0, not $fps"
[ -d "$folder" ] || fail "there is no folder $folder; press C in the window to record frames, or name another with --folder"
[ ! -d "$output" ] || fail "$output is a folder; name a file with --output"
# A relative name that begins with a dash would be taken for an option.
case $folder in /*) ;; *) folder=./$folder ;; esac
case $output in /*) ;; *) output=./$output ;; esac

# The frames: four digits, more only above 9999.
numbers=()
png=0
bmp=0
while IFS= read -r number; do
    numbers+=("$number")
done < <(
    for path in "$folder"/render*; do
        name=${path##*/}
        [[ $name =~ ^render([0-9]{4}|[1-9][0-9]{4,})\.(png|bmp)$ ]] && echo "${BASH_REMATCH[1]}"
    done | sort -n
)
count=${#numbers[@]}
[ "$count" -gt 0 ] || fail "there are no frames in ${folder#./}; press C in the window to record some"
for path in "$folder"/render*; do
    name=${path##*/}
    [[ $name =~ ^render([0-9]{4}|[1-9][0-9]{4,})\.png$ ]] && png=$((png + 1))
    [[ $name =~ ^render([0-9]{4}|[1-9][0-9]{4,})\.bmp$ ]] && bmp=$((bmp + 1))
done
if [ "$png" -gt 0 ] && [ "$bmp" -gt 0 ]; then
    fail "${folder#./} has $png png and $bmp bmp frames; a video is made of one kind, so move the others away. Nothing was deleted"
fi
format=png
[ "$bmp" -eq 0 ] || format=bmp

# No number may be missing. 10# because 0008 is not octal.
first=$((10#${numbers[0]}))
last=$((10#${numbers[$((count - 1))]}))
if [ $((last - first + 1)) -ne "$count" ]; then
    wanted=$first
    for number in "${numbers[@]}"; do
        if [ $((10#$number)) -ne "$wanted" ]; then
            fail "$(printf 'render%04d.%s' "$wanted" "$format") is missing, of $(printf 'render%04d to render%04d, %d frames are there' "$first" "$last" "$count"); a video would jump there. Nothing was deleted"
        fi
        wanted=$((wanted + 1))
    done
fi

if ! command -v ffmpeg >/dev/null 2>&1; then
    fail "ffmpeg is not installed. Get it with
    sudo apt install ffmpeg      (Debian, Ubuntu)
    sudo dnf install ffmpeg      (Fedora)
    sudo pacman -S ffmpeg        (Arch)
    brew install ffmpeg          (macOS)
The $count frames stay in ${folder#./}."
fi
encoder=
known=$(ffmpeg -hide_banner -encoders 2>/dev/null || true)
for name in libx264 libopenh264 h264_videotoolbox; do
    case $known in *" $name "*) encoder=$name && break ;; esac
done
[ -n "$encoder" ] || fail "this ffmpeg cannot write H.264; install one with libx264. The frames stay in ${folder#./}"
quality=(-b:v 12M)
[ "$encoder" != libx264 ] || quality=(-crf 17 -preset medium)

# H.264 in yuv420p wants even sides. The first frame gives the size; frames of
# another recording in a larger or smaller window are fitted into it.
start=$(printf 'render%04d.%s' "$first" "$format")
stream=$(ffmpeg -hide_banner -nostdin -i "$folder/$start" 2>&1 | sed -n 's/.*Video: \(.* [1-9][0-9]*x[1-9][0-9]*.*\)/\1/p' | head -n 1 || true)
size=$(sed -n 's/.* \([1-9][0-9]*\)x\([1-9][0-9]*\).*/\1 \2/p' <<<"$stream")
[ -n "$size" ] || fail "$start is no picture that ffmpeg can read. Nothing was deleted"
width=$((${size% *} + ${size% *} % 2))
height=$((${size#* } + ${size#* } % 2))
# What is transparent lies over black: a video has no transparency.
over_black=
case $stream in *rgba*) over_black=premultiply=inplace=1, ;; esac
filter="${over_black}scale='min(iw,$width)':'min(ih,$height)':force_original_aspect_ratio=decrease"
filter="$filter,pad=$width:$height:(ow-iw)/2:(oh-ih)/2,setsar=1"
filter="$filter,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"

part=${output%/*}/.${output##*/}.part
trap 'rm -f -- "$part"' EXIT
log=$(
    # In the pattern of file names a percent sign stands for the number.
    ffmpeg -hide_banner -loglevel error -xerror -nostdin -y \
        -framerate "$fps" -start_number "$first" -i "${folder//%/%%}/render%04d.$format" \
        -frames:v "$count" -vf "$filter" -c:v "$encoder" "${quality[@]}" \
        -colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 \
        -movflags +faststart -f mp4 "$part" 2>&1
) || fail "ffmpeg failed: ${log:-no reason given}. The $count frames stay in ${folder#./}"
# In place of a frame that it cannot read, ffmpeg may repeat the one before it
# and call that success.
[ -z "$log" ] || fail "ffmpeg complained: $log. The $count frames stay in ${folder#./}"

# Only what can be counted is believed.
if command -v ffprobe >/dev/null 2>&1; then
    found=$(ffprobe -v error -select_streams v:0 -count_packets \
        -show_entries stream=nb_read_packets -of csv=p=0 "$part" | tr -dc '0-9' || true)
else
    found=$(ffmpeg -hide_banner -nostdin -i "$part" -map 0:v:0 -c copy -f null - 2>&1 |
        tr '\r' '\n' | sed -n 's/^frame= *\([0-9]*\).*/\1/p' | tail -n 1 || true)
fi
if [ "${found:-0}" -ne "$count" ]; then
    fail "the video has ${found:-0} of $count frames. Nothing was deleted"
fi

replaced=
[ ! -e "$output" ] || replaced=", replacing an older one"
mv -f -- "$part" "$output"
seconds=$(awk -v n="$count" -v f="$fps" 'BEGIN { printf "%.1f", n / f }')
echo "${output#./}: $count frames, $seconds s at $fps frames per second, ${width}x$height$replaced."

if [ "$keep" = yes ]; then
    echo "The frames stay in ${folder#./}."
else
    for number in "${numbers[@]}"; do
        rm -f -- "$folder/render$number.$format"
    done
    echo "The frames in ${folder#./} are deleted (--keep keeps them)."
fi
