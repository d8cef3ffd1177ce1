#!/usr/bin/env python3
"""Reads files that `lovelock simulate --export` wrote with programs of others.

Usage: tests/readers.py target/release/lovelock

Pixar's usd-core reads .usda, trimesh reads .ply and .obj; where a package is
absent (pip install usd-core trimesh scipy networkx), it says so and goes on.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def export(program, folder, name, *more):
    path = pathlib.Path(folder) / name
    command = [
        program, "simulate", "--strands", "200", "--vertices", "12", "--seconds", "0.2",
        "--export", str(path), "--export-units", "cm", "--export-drawn", *more,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    told = subprocess.run([program, "info", str(path), "--json"], check=True, capture_output=True)
    return path, json.loads(told.stdout)


def near(found, wanted):
    return all(abs(a - b) < 1e-4 * max(1.0, abs(b)) for a, b in zip(found, wanted))


def usda(program, folder):
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        return print("skipped: usd-core is not installed, .usda is not read by it")
    path, told = export(program, folder, "film.usda", "--export-every", "4")
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    curves = UsdGeom.BasisCurves(stage.GetDefaultPrim().GetChild("Strands"))
    times = curves.GetPointsAttr().GetTimeSamples()
    counts = curves.GetCurveVertexCountsAttr().Get()
    points = curves.GetPointsAttr().Get(times[0])
    assert len(times) == 4, times
    assert len(counts) == told["strands"] and sum(counts) == told["points"] == len(points)
    assert curves.GetTypeAttr().Get() == "linear"
    assert len(curves.GetWidthsAttr().Get()) == len(points)
    assert curves.GetWidthsInterpolation() == "vertex"
    colours = UsdGeom.PrimvarsAPI(curves).GetPrimvar("displayColor")
    assert len(colours.Get()) == len(points) and colours.GetInterpolation() == "vertex"
    low = [min(p[k] for p in points) for k in range(3)]
    assert near(low, told["bbox_min"]), (low, told["bbox_min"])
    assert points != curves.GetPointsAttr().Get(times[-1])
    assert all(len(curves.GetExtentAttr().Get(t)) == 2 for t in times)
    print(f"usd-core: {len(counts)} curves, {len(points)} points, {len(times)} frames")


def meshes(program, folder):
    try:
        import trimesh
    except ImportError:
        return print("skipped: trimesh is not installed, .ply and .obj are not read by it")
    for name in ("hair.obj", "hair.ply"):
        path, told = export(program, folder, name)
        read = trimesh.load(str(path), process=False)
        bounds = read.bounds
        assert near(bounds[0], told["bbox_min"]) and near(bounds[1], told["bbox_max"]), bounds
        assert len(read.vertices) == told["points"], (name, len(read.vertices), told)
        print(f"trimesh: {name}, {len(read.vertices)} points")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        usda(program, folder)
        meshes(program, folder)


if __name__ == "__main__":
    main()
