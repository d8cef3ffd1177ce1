#!/usr/bin/env python3
"""Checks and runs the jobs of `lovelock farm` and `lovelock sweep --job` with openjd.

Usage: tests/farm.py target/release/lovelock

openjd is the reference tool of the Open Job Description (pip install openjd-cli); where
it is absent, or OpenGL or ffmpeg is, this says so and leaves out what needs it.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

# That of the same virtual environment, else any.
BESIDE = pathlib.Path(sys.executable).parent / "openjd"
OPENJD = BESIDE if BESIDE.exists() else shutil.which("openjd")

SMALL = ["--strands", "120", "--vertices", "12"]


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)


def sure(*command, **more):
    done = run(*command, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def openjd(*words):
    return sure(OPENJD, *words)


def steps(program, job, *names):
    for name in names:
        openjd("run", job, "--step", name, "--no-run-dependencies", "-p", f"Lovelock={program}")


def film(program, folder):
    out = folder / "a film"
    sure(program, "farm", "--scene", "bob", *SMALL, "--frames", 5, "--chunk", 2,
         "--size", "64x48", "--view", "side", "--out", out)
    job = out / "job.json"
    openjd("check", job)
    template = json.loads(job.read_text())
    [frames] = template["steps"][1]["parameterSpace"]["taskParameterDefinitions"]
    assert frames["range"] == ["0..1", "2..3", "4..4"], frames
    # A folder that is moved is a job all the same.
    moved = folder / "moved"
    out.rename(moved)
    job = moved / "job.json"
    steps(program, job, "Simulate")
    told = json.loads(sure(program, "info", "--json", moved / "hair.cache"))
    assert told.get("frames", 5) == 5, told
    if not draws(program, folder):
        return print("skipped: no OpenGL, the chunks are not drawn")
    steps(program, job, "Render")
    names = sorted(path.name for path in (moved / "pictures").iterdir())
    assert names == [f"render{n:04}.png" for n in range(5)], names
    # The chunks are what one machine would have drawn in one go.
    sure(program, "render", "--cache", moved / "hair.cache", "--size", "64x48",
         "--view", "side", "--out", folder / "whole")
    for name in names:
        parts = [place / name for place in (moved / "pictures", folder / "whole")]
        assert parts[0].read_bytes() == parts[1].read_bytes(), name
    if not shutil.which("ffmpeg"):
        return print("skipped: no ffmpeg, the pictures are not joined")
    steps(program, job, "Join")
    assert (moved / "video.mp4").stat().st_size > 500
    print("openjd: a film of 5 frames, simulated, drawn in 3 chunks, joined")


def sweep(program, folder):
    out = folder / "sweep"
    sure(program, "sweep", "--scene", "bob", *SMALL, "--vary", "wind.strength=2,9",
         "--vary", "wind.direction=[1, 0, 0],[0, 0, 1],[-1, 0, 0]", "--set", "wind.on=true",
         "--seconds", "0.2", "--size", "64x64", "--out", out, "--job")
    job = out / "job.json"
    openjd("check", job)
    if not draws(program, folder):
        return print("skipped: no OpenGL, the sweep is not drawn")
    steps(program, job, "Draw", "Sheet")
    pictures = out / "pictures"
    table = (pictures / "sweep.csv").read_text().splitlines()
    heading = "picture,wind.strength [m/s],wind.direction,time_s,"
    assert table[0].startswith(heading) and len(table) == 7, table
    assert table[2].startswith('sweep0001.png,2,"[0, 0, 1]",0.2'), table
    assert (pictures / "sheet.png").exists()
    # One machine makes the same of it.
    sure(program, "sweep", out / "scene.toml", "--vary", "wind.strength=2,9",
         "--vary", "wind.direction=[1, 0, 0],[0, 0, 1],[-1, 0, 0]",
         "--seconds", "0.2", "--size", "64x64", "--out", folder / "alone")
    rows = {path.with_suffix(".csv").name for path in pictures.glob("sweep0*.png")}
    for path in sorted(path for path in pictures.iterdir() if path.name not in rows):
        assert path.read_bytes() == (folder / "alone" / path.name).read_bytes(), path.name
    print("openjd: a sweep of 6 pictures and its sheet")


def draws(program, folder):
    done = run(program, "render", "--still", "--samples", 1, "--size", "16x16", *SMALL,
               "--out", folder / "probe")
    assert done.returncode == 0 or "OpenGL" in done.stderr, done.stderr
    return done.returncode == 0


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    if OPENJD is None:
        return print("skipped: openjd-cli is not installed, nobody else checks the jobs")
    with tempfile.TemporaryDirectory() as folder:
        film(program, pathlib.Path(folder))
        sweep(program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
