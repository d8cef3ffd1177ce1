#!/usr/bin/env python3
"""Reads files that `lovelock simulate --export` wrote with programs of others.

Usage: tests/readers.py target/release/lovelock

numpy writes strands as codes that reconstruct hair do, Pixar's usd-core reads .usda, trimesh reads .ply and .obj, alembic3d (the Alembic
library) and Blender's bpy read .abc, and what these write is read by lovelock; where a
package is absent (pip install usd-core trimesh scipy networkx alembic3d bpy), it says
so and goes on.
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


def groom(folder):
    """A text groom with identities, a group and an age at each point."""
    path = pathlib.Path(folder) / "told.usda"
    path.write_text("""#usda 1.0
(
    upAxis = "Y"
    metersPerUnit = 0.01
)
def BasisCurves "A"
{
    uniform token type = "linear"
    int[] curveVertexCounts = [3, 2]
    point3f[] points = [(0, 9, 0), (0, 12, 1), (0, 14, 4), (3, 9, 0), (4, 12, 0)]
    int[] primvars:groom_id = [70, 12] (
        interpolation = "uniform"
    )
    string[] primvars:groom_group_name = ["crown", "fringe"] (
        interpolation = "uniform"
    )
    float[] primvars:age = [0.5, 1, 2, 3, 4] (
        interpolation = "vertex"
    )
}
""")
    return path


def alembic(program, folder):
    try:
        import alembic3d.Abc as abc
        import alembic3d.AbcGeom as geom
    except ImportError:
        return print("skipped: alembic3d is not installed, .abc is not read by it")
    path, told = export(program, folder, "film.abc", "--export-every", "4")
    curves, schema = abc_curves(abc, geom, path)
    first, last = schema.getValue(0), schema.getValue(schema.getNumSamples() - 1)
    points = first.getPositions()
    counts = list(first.getCurvesNumVertices())
    assert schema.getNumSamples() == 4
    assert len(counts) == told["strands"] and sum(counts) == told["points"] == len(points)
    low = [min(p[k] for p in points) for k in range(3)]
    assert near(low, told["bbox_min"]), (low, told["bbox_min"])
    assert list(points) != list(last.getPositions())
    # 60 steps a second, every fourth of them.
    assert abs(schema.getTimeSampling().getSampleTime(2) - 3 * 4 / 60) < 1e-6
    widths = schema.getWidthsParam().getExpandedValue()
    assert len(widths.getVals()) == len(points) and str(widths.getScope()) == "kVertexScope"
    more = schema.getArbGeomParams()
    names = {more.getPropertyHeader(i).getName() for i in range(more.getNumProperties())}
    assert {"groom_version_major", "groom_tool", "groom_id", "groom_width", "groom_color",
            "groom_root_uv"} <= names, names
    # Columns of a groom come through bind, simulation and export as they were.
    worn = pathlib.Path(folder) / "worn.abc"
    subprocess.run(
        [program, "simulate", "--groom", str(groom(folder)), "--seconds", "0.1", "--export", str(worn)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, schema = abc_curves(abc, geom, worn)
    assert list(schema.getValue(0).getCurvesNumVertices()) == [3, 2]
    more = schema.getArbGeomParams()
    values = lambda kind, name: list(kind(more, name).getExpandedValue().getVals())
    assert values(geom.IInt32GeomParam, "groom_id") == [70, 12]
    assert values(geom.IStringGeomParam, "groom_group_name") == ["crown", "fringe"]
    assert values(geom.IFloatGeomParam, "age") == [0.5, 1, 2, 3, 4]
    print(f"alembic3d: {len(counts)} curves, {len(points)} points, 4 frames; columns exact")


def abc_curves(abc, geom, path):
    archive = abc.IArchive(str(path))
    parent = archive.getTop().children[0]
    curves = geom.ICurves(parent, parent.children[0].getName())
    # The archive must outlive what is read of it.
    return (archive, curves), curves.getSchema()


BLENDER = """
import sys, json, bpy, numpy, mathutils
wanted, written, answer = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.alembic_import(filepath=wanted)
read = next(o for o in bpy.data.objects if o.type == "CURVES")
read = {"curves": len(read.data.curves), "points": len(read.data.points),
        "first": list(read.data.points[0].position)}
bpy.ops.wm.read_factory_settings(use_empty=True)
hair = bpy.data.hair_curves.new("hair")
hair.add_curves([4, 5])
places = numpy.random.default_rng(1).normal(size=(9, 3)).astype("f4")
hair.points.foreach_set("position", places.ravel())
thing = bpy.data.objects.new("fur", hair)
bpy.context.collection.objects.link(thing)
thing.location, thing.rotation_euler, thing.scale = (1, 2, 3), (0.3, 0.2, 0.1), (2, 2, 2)
bpy.context.view_layer.update()
bpy.ops.wm.alembic_export(filepath=written)
there = [thing.matrix_world @ mathutils.Vector(p.tolist()) for p in places]
# Alembic's up is y.
read["placed"] = [[p.x, p.z, -p.y] for p in there]
json.dump(read, open(answer, "w"))
"""


def blender(program, folder):
    probe = subprocess.run([sys.executable, "-c", "import bpy"], capture_output=True)
    if probe.returncode:
        return print("skipped: bpy is not installed, .abc is not read by Blender")
    path, told = export(program, folder, "pose.abc")
    script, written, answer = (pathlib.Path(folder) / name for name in ("b.py", "b.abc", "b.json"))
    script.write_text(BLENDER)
    subprocess.run([sys.executable, str(script), str(path), str(written), str(answer)],
                   check=True, stdout=subprocess.DEVNULL)
    read = json.loads(answer.read_text())
    assert (read["curves"], read["points"]) == (told["strands"], told["points"]), read
    back = subprocess.run([program, "info", str(written), "--json"], check=True, capture_output=True)
    back = json.loads(back.stdout)
    assert (back["strands"], back["points"]) == (2, 9), back
    for k in range(3):
        low = min(place[k] for place in read["placed"])
        high = max(place[k] for place in read["placed"])
        assert near([low, high], [back["bbox_min"][k], back["bbox_max"][k]]), (k, low, high, back)
    print(f"Blender: {read['curves']} curves, {read['points']} points; its own, moved and turned, come back")


def reconstruction(folder):
    """Hair as DiffLocks writes it: 300 strands of 100 points on half a ball as large as a
    head, in metres, 1.5 m above the ground; one strand astray, one that ends early."""
    import numpy
    draw = numpy.random.default_rng(7)
    out = draw.normal(size=(300, 3))
    out[:, 1] = abs(out[:, 1])
    out /= numpy.linalg.norm(out, axis=1, keepdims=True)
    along = numpy.linspace(0, 0.2, 100)[None, :, None]
    down = numpy.array([0, -1, 0])
    places = 0.09 * out[:, None] + along * (out[:, None] + 4 * along * down) + [0, 1.5, 0]
    places[5, 40] = 1e6
    places[9, 60:] = numpy.nan
    path = pathlib.Path(folder) / "strands.npz"
    numpy.savez_compressed(
        path, positions=places.astype("f4"), root_uv=draw.random((300, 2), dtype="f4"),
        root_normal=out.astype("f4"), tbn=draw.normal(size=(300, 3, 3)).astype("f4"))
    return path


OPENED = """
import sys, json, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.alembic_import(filepath=sys.argv[1])
read = next(o for o in bpy.data.objects if o.type == "CURVES")
json.dump([c.points_length for c in read.data.curves], open(sys.argv[2], "w"))
"""


def reconstructed(program, folder):
    try:
        import numpy
    except ImportError:
        return print("skipped: numpy is not installed, no .npz is made")
    path = reconstruction(folder)
    out = pathlib.Path(folder) / "reconstructed.abc"
    done = subprocess.run(
        [program, "simulate", "--groom", str(path), "--fit", "--seconds", "0.2",
         "--set", "import.vertices=24", "--export", str(out)],
        check=True, capture_output=True, text=True)
    assert "1 strands (5) have points far from all other hair" in done.stderr, done.stderr
    counts = [100] * 300
    counts[9] = 60
    # The same numbers as one array, in the other order and half as fine.
    half = pathlib.Path(folder) / "half.npy"
    numpy.save(half, numpy.asfortranarray(numpy.load(path)["positions"][20:40].astype("f2")))
    told = subprocess.run([program, "info", str(half), "--json"], check=True, capture_output=True)
    told = json.loads(told.stdout)
    assert (told["strands"], told["points"]) == (20, 2000), told
    print("numpy: 300 strands of an .npz fitted, simulated and written as .abc")
    if subprocess.run([sys.executable, "-c", "import bpy"], capture_output=True).returncode:
        return print("skipped: bpy is not installed, that is not opened in Blender")
    script, answer = pathlib.Path(folder) / "o.py", pathlib.Path(folder) / "o.json"
    script.write_text(OPENED)
    subprocess.run([sys.executable, str(script), str(out), str(answer)],
                   check=True, stdout=subprocess.DEVNULL)
    assert json.loads(answer.read_text()) == counts
    print("Blender: the same strands with all their points")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        usda(program, folder)
        meshes(program, folder)
        alembic(program, folder)
        blender(program, folder)
        reconstructed(program, folder)


if __name__ == "__main__":
    main()
