#!/usr/bin/env python3
"""Reads files that `lovelock simulate --export` wrote with programs of others.

Usage: tests/readers.py target/release/lovelock

numpy writes strands as codes that reconstruct hair do. Pixar's usd-core reads .usda,
.usdc and .usdz, trimesh .ply and .obj, alembic3d (the Alembic library) and Blender's bpy
.abc: hair, and the head beside it with its texture coordinates, velocities, guides and the
camera. What usd-core and bpy write as hair, still or moving, and these and trimesh as a head, is
read by lovelock. Where a package is absent (pip install usd-core trimesh numpy scipy networkx
alembic3d bpy), it says so and goes on.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile


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


def usd(program, folder):
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        return print("skipped: usd-core is not installed, .usda, .usdc and .usdz are not read by it")
    read = {}
    for ending in ("usda", "usdc", "usdz"):
        path, told = export(program, folder, f"film.{ending}", "--export-every", "4")
        if ending == "usdz":
            packed(path)
        stage = Usd.Stage.Open(str(path))
        assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
        assert UsdGeom.GetStageUpAxis(stage) == "Y"
        assert stage.GetTimeCodesPerSecond() == 15
        assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 3)
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
        read[ending] = values(stage)
        print(f"usd-core: .{ending}, {len(counts)} curves, {len(points)} points, 4 frames")
    # Text and crate file are the same to the last bit, attribute by attribute.
    for ending in ("usdc", "usdz"):
        assert read["usda"] == read[ending], (ending, differing(read["usda"], read[ending]))
    # A package of one pose, too.
    path, told = export(program, folder, "pose.usdz")
    packed(path)
    stage = Usd.Stage.Open(str(path))
    curves = UsdGeom.BasisCurves(stage.GetDefaultPrim().GetChild("Strands"))
    points = curves.GetPointsAttr().Get()
    assert len(points) == told["points"]
    low = [min(p[k] for p in points) for k in range(3)]
    assert near(low, told["bbox_min"]), (low, told["bbox_min"])
    columns(program, folder)
    kinds(program, folder)


def packed(path):
    """A package as USD wants it: stored, a layer first, each file at a multiple of 64."""
    with zipfile.ZipFile(path) as package:
        assert package.testzip() is None
        entries = package.infolist()
    assert entries[0].filename.endswith(".usdc"), entries
    content = path.read_bytes()
    for entry in entries:
        assert entry.compress_type == zipfile.ZIP_STORED, entry
        at = entry.header_offset
        start = at + 30 + sum(struct.unpack_from("<2H", content, at + 26))
        assert start % 64 == 0 and content[start:].startswith(b"PXR-USDC"), (entry, start)
    errors = usdz_errors(path)
    assert not errors, errors


def usdz_errors(path):
    """What usd-core's own checker says of a package's form, where it has one."""
    from pxr import Sdf

    package = Sdf.ZipFile.Open(str(path))
    infos = [(name, package.GetFileInfo(name)) for name in package.GetFileNames()]
    return [(name, info.dataOffset) for name, info in infos
            if info.dataOffset % 64 or info.compressionMethod or info.encrypted]


def values(stage):
    """What a stage says: by attribute its type, spread and values, in time too."""
    out = {}
    for prim in stage.Traverse():
        for attribute in prim.GetAttributes():
            times = attribute.GetTimeSamples()
            got = {t: attribute.Get(t) for t in times} or attribute.Get()
            spread = attribute.GetMetadata("interpolation"), attribute.GetMetadata("elementSize")
            if attribute.IsAuthored():
                out[str(attribute.GetPath())] = str(attribute.GetTypeName()), spread, got
    return out


def differing(a, b):
    return [name for name in a.keys() | b.keys() if a.get(name) != b.get(name)]


def columns(program, folder):
    """Columns of a groom come through bind, simulation and export as they were."""
    from pxr import Usd, UsdGeom

    worn = pathlib.Path(folder) / "worn.usdc"
    subprocess.run(
        [program, "simulate", "--groom", str(groom(folder)), "--seconds", "0.1", "--export", str(worn)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stage = Usd.Stage.Open(str(worn))
    curves = stage.GetDefaultPrim().GetChild("Strands")
    primvar = lambda name: UsdGeom.PrimvarsAPI(curves).GetPrimvar(name)
    for name, spread, wanted in (
        ("groom_id", "uniform", [70, 12]),
        ("groom_group_name", "uniform", ["crown", "fringe"]),
        ("age", "vertex", [0.5, 1, 2, 3, 4]),
    ):
        assert list(primvar(name).Get()) == wanted, name
        assert primvar(name).GetInterpolation() == spread, name
    print("usd-core: columns of a .usdc exact")


def kinds(program, folder):
    """What usd-core writes as .usdc, .usdz and .usd is read as its text is."""
    from pxr import Gf, Sdf, Usd, UsdGeom

    folder = pathlib.Path(folder)
    stage = Usd.Stage.CreateNew(str(folder / "own.usda"))
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdGeom.SetStageMetersPerUnit(stage, 0.1)
    top = UsdGeom.Xform.Define(stage, "/Top")
    top.AddTranslateOp().Set(Gf.Vec3d(1, 2, 3.25))
    top.AddRotateXYZOp().Set(Gf.Vec3f(10, 20, 30))
    top.AddScaleOp().Set(Gf.Vec3f(2, 2, 2))
    turn = top.AddOrientOp()
    turn.Set(Gf.Quatf(0.6, 0.8, 0, 0))
    for name, count in (("Zulu", 30), ("Alpha", 3)):
        curves = UsdGeom.BasisCurves.Define(stage, f"/Top/{name}")
        curves.CreateTypeAttr("linear")
        curves.CreateCurveVertexCountsAttr([4] * count)
        for time in (1, 2):
            points = [Gf.Vec3f(i // 4, i % 4 / 3, time) for i in range(4 * count)]
            curves.CreatePointsAttr().Set(points, time)
        curves.CreateWidthsAttr([0.01 * (1 + i % 4) for i in range(4 * count)])
        curves.SetWidthsInterpolation("vertex")
        curves.CreateDisplayColorAttr([Gf.Vec3f(0.5, 0.25, 0)])
        more = UsdGeom.PrimvarsAPI(curves)
        types = Sdf.ValueTypeNames
        for name, kind, spread, rows in (
            ("groom_id", types.IntArray, "uniform", [3 * i for i in range(count)]),
            ("far", types.Int64Array, "uniform", [i << 40 for i in range(count)]),
            ("group", types.StringArray, "uniform", ["crown", "nape", "crown"] * (count // 3)),
            ("same", types.FloatArray, "vertex", [0.1] * (4 * count)),
            ("whole", types.DoubleArray, "vertex", [float(i) for i in range(4 * count)]),
            ("short", types.HalfArray, "uniform", [0.5] * count),
            ("flow", types.Float3Array, "uniform", [Gf.Vec3f(i, 0, 1) for i in range(count)]),
        ):
            more.CreatePrimvar(name, kind, spread).Set(rows)
    stage.GetRootLayer().Save()
    layer = stage.GetRootLayer()
    layer.Export(str(folder / "own.usdc"))
    layer.Export(str(folder / "own.usd"))
    with Sdf.ZipFileWriter.CreateNew(str(folder / "own.usdz")) as package:
        package.AddFile(str(folder / "own.usdc"), "own.usdc")
    told, text = {}, {}
    for ending in ("usda", "usdc", "usd", "usdz"):
        path = folder / f"own.{ending}"
        found = subprocess.run([program, "info", str(path), "--json"], check=True, capture_output=True)
        told[ending] = json.loads(found.stdout) | {"format": None}
        # What the program made of it, all columns, in its own text.
        out = folder / f"own-{ending}.usda"
        command = [program, "simulate", "--groom", str(path), "--seconds", "0", "--export", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        text[ending] = values(Usd.Stage.Open(str(out)))
    assert told["usda"]["strands"] == 33 and told["usda"]["units"] == "dm", told["usda"]
    for ending in ("usdc", "usd", "usdz"):
        assert told[ending] == told["usda"], (told[ending], told["usda"])
        assert text[ending] == text["usda"], (ending, differing(text[ending], text["usda"]))
    for name in ("groom_id", "far", "group", "same", "whole", "short", "flow"):
        assert f"/Hair/Strands.primvars:{name}" in text["usda"], name
    # Where usd-core has the points.
    place = top.ComputeLocalToWorldTransform(1)
    points = [place.Transform(Gf.Vec3d(p)) for n in ("Zulu", "Alpha")
              for p in UsdGeom.BasisCurves(stage.GetPrimAtPath(f"/Top/{n}")).GetPointsAttr().Get(1)]
    low = [min(p[k] for p in points) for k in range(3)]
    assert near(low, told["usdc"]["bbox_min"]), (low, told["usdc"]["bbox_min"])
    print("usd-core: its .usdc, .usd and .usdz are read as its .usda")


def groom_film(program, folder):
    """Hair that other programs move is converted value by value, in every pose."""
    try:
        from pxr import Gf, Usd, UsdGeom
    except ImportError:
        return print("skipped: usd-core is not installed, it moves no hair")
    import math

    folder = pathlib.Path(folder)
    # On twos, in centimetres, z up, of lengths of their own, in an order of their own.
    stage = Usd.Stage.CreateNew(str(folder / "moving.usda"))
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(48)
    stage.SetFramesPerSecond(24)
    top = UsdGeom.Xform.Define(stage, "/Top")
    curves = UsdGeom.BasisCurves.Define(stage, "/Top/Hair")
    curves.CreateTypeAttr("linear")
    counts = [3, 5, 2, 7]
    curves.CreateCurveVertexCountsAttr(counts)
    ids = [7, 3, 11, 2]
    UsdGeom.PrimvarsAPI(curves).CreatePrimvar(
        "groom_id", Sdf_types().IntArray, "uniform").Set(ids)
    times = [4 * k + 8 for k in range(9)]
    wanted = []
    for time in times:
        pose = [Gf.Vec3f(i % 5 + 0.1 * math.sin(time + i), i / 3, 8 + math.cos(time * i))
                for i in range(sum(counts))]
        curves.CreatePointsAttr().Set(pose, time)
        wanted.append(list(curves.GetPointsAttr().Get(time)))
    layer = stage.GetRootLayer()
    layer.Save()
    layer.Export(str(folder / "moving.usdc"))
    convert = lambda a, b: subprocess.run(
        [program, "convert", str(folder / a), str(folder / b)], check=True, stdout=subprocess.DEVNULL)
    for a, b in (("moving.usda", "1.usdc"), ("moving.usdc", "2.abc"), ("2.abc", "3.usda"),
                 ("3.usda", "4.usdz"), ("4.usdz", "5.abc")):
        convert(a, b)
        told = subprocess.run([program, "info", str(folder / b), "--json"], check=True, capture_output=True)
        told = json.loads(told.stdout)
        assert (told["frames"], round(told["fps"], 6)) == (9, 12), (b, told["fps"])
        if b.endswith("abc"):
            found, lengths, numbers = abc_poses(folder / b)
        else:
            read = Usd.Stage.Open(str(folder / b))
            hair = UsdGeom.BasisCurves(read.GetDefaultPrim().GetChild("Strands"))
            found = [list(hair.GetPointsAttr().Get(t)) for t in hair.GetPointsAttr().GetTimeSamples()]
            found = [[tuple(p) for p in pose] for pose in found]
            lengths = list(hair.GetCurveVertexCountsAttr().Get())
            numbers = list(UsdGeom.PrimvarsAPI(hair).GetPrimvar("groom_id").Get())
            # From layers time codes come as they are; an archive has seconds.
            codes = hair.GetPointsAttr().GetTimeSamples()
            seconds = [code / read.GetTimeCodesPerSecond() for code in codes]
            assert near(seconds, [time / 48 for time in times]), seconds
        if found is None:
            continue
        assert found == [[tuple(p) for p in pose] for pose in wanted], b
        assert lengths == counts and numbers == ids, (b, lengths, numbers)
    # Moved as a whole, it is where usd-core has it.
    turn, way = top.AddRotateZOp(), top.AddTranslateOp()
    for time, angle in ((8, 0), (40, 90)):
        turn.Set(angle, time)
        way.Set(Gf.Vec3d(angle / 5, 0, 0), time)
    layer.Save()
    convert("moving.usda", "turned.usdc")
    read = Usd.Stage.Open(str(folder / "turned.usdc"))
    hair = UsdGeom.BasisCurves(read.GetDefaultPrim().GetChild("Strands"))
    for frame, time in zip(hair.GetPointsAttr().GetTimeSamples(), times, strict=True):
        placed = UsdGeom.Xformable(curves).ComputeLocalToWorldTransform(time)
        for p, q in zip(hair.GetPointsAttr().Get(frame), curves.GetPointsAttr().Get(time), strict=True):
            assert near(p, placed.Transform(Gf.Vec3d(q))), (time, p, q)
    print("usd-core: hair that it moves is converted to .usdc, .abc, .usda and .usdz exactly, 9 poses")
    abc_film(program, folder)
    blender_film(program, folder)


def Sdf_types():
    from pxr import Sdf

    return Sdf.ValueTypeNames


def abc_poses(path):
    """Points of all poses, points of each curve and their numbers, as the Alembic library
    reads them."""
    try:
        import alembic3d.Abc as abc
        import alembic3d.AbcGeom as geom
    except ImportError:
        return None, None, None
    held, schema = abc_curves(abc, geom, path)
    samples = [schema.getValue(i) for i in range(schema.getNumSamples())]
    poses = [[tuple(p) for p in sample.getPositions()] for sample in samples]
    numbers = geom.IInt32GeomParam(schema.getArbGeomParams(), "groom_id").getExpandedValue().getVals()
    return poses, list(samples[0].getCurvesNumVertices()), list(numbers)


def abc_film(program, folder):
    """The same of curves that the Alembic library writes, 25 poses a second."""
    try:
        import alembic3d.Abc as abc
        import alembic3d.AbcCoreAbstract as core
        import alembic3d.AbcGeom as geom
        import imath
    except ImportError:
        return print("skipped: alembic3d is not installed, it moves no hair")
    path, counts = folder / "library.abc", [4, 2, 3]
    archive = abc.OArchive(str(path))
    times = archive.addTimeSampling(core.TimeSampling(1 / 25, 4 / 25))
    curves = geom.OCurves(archive.getTop(), "fur", times).getSchema()
    numbers = imath.IntArray(len(counts))
    for i, count in enumerate(counts):
        numbers[i] = count
    wanted = []
    for k in range(6):
        points = imath.V3fArray(sum(counts))
        for i in range(sum(counts)):
            points[i] = imath.V3f(i / 7, k / 3, i * k / 9)
        wanted.append([tuple(p) for p in points])
        curves.set(geom.OCurvesSchemaSample(points, numbers, geom.CurveType.kLinear))
    del curves, archive
    told = subprocess.run([program, "info", str(path), "--json"], check=True, capture_output=True)
    told = json.loads(told.stdout)
    assert (told["frames"], round(told["fps"], 6)) == (6, 25), told
    out = folder / "library-back.abc"
    subprocess.run([program, "convert", str(path), str(out)], check=True, stdout=subprocess.DEVNULL)
    found, lengths, ids = abc_poses(out)
    assert found == wanted and lengths == counts and ids == [0, 1, 2], (lengths, ids)
    print("alembic3d: hair that it moves is converted to .abc exactly, 6 poses")


# Two curves that Blender has in hand as `thing`.
BLENDER_HAIR = """
bpy.ops.wm.read_factory_settings(use_empty=True)
hair = bpy.data.hair_curves.new("hair")
hair.add_curves([4, 5])
places = numpy.random.default_rng(1).normal(size=(9, 3)).astype("f4")
hair.points.foreach_set("position", places.ravel())
thing = bpy.data.objects.new("fur", hair)
bpy.context.collection.objects.link(thing)
"""

BLENDER_FILM = """
import sys, json, bpy, numpy, mathutils
written, answer = sys.argv[1:]
""" + BLENDER_HAIR + """for frame, turn in ((1, 0), (6, 0.5)):
    thing.rotation_euler = (turn, 2 * turn, 0)
    thing.location = (turn, 0, 1)
    thing.keyframe_insert("rotation_euler", frame=frame)
    thing.keyframe_insert("location", frame=frame)
bpy.context.scene.render.fps = 30
bpy.ops.wm.alembic_export(filepath=written, start=1, end=6)
poses = []
for frame in range(1, 7):
    bpy.context.scene.frame_set(frame)
    there = [thing.matrix_world @ mathutils.Vector(p.tolist()) for p in places]
    # Alembic's up is y.
    poses.append([[p.x, p.z, -p.y] for p in there])
json.dump(poses, open(answer, "w"))
"""


def blender_film(program, folder):
    """The same of hair that Blender turns, 30 frames a second."""
    probe = subprocess.run([sys.executable, "-c", "import bpy"], capture_output=True)
    if probe.returncode:
        return print("skipped: bpy is not installed, Blender moves no hair")
    script, written, answer = (folder / name for name in ("film.py", "blender.abc", "film.json"))
    script.write_text(BLENDER_FILM)
    subprocess.run([sys.executable, str(script), str(written), str(answer)],
                   check=True, stdout=subprocess.DEVNULL)
    wanted = json.loads(answer.read_text())
    told = subprocess.run([program, "info", str(written), "--json"], check=True, capture_output=True)
    told = json.loads(told.stdout)
    assert (told["frames"], round(told["fps"], 4)) == (6, 30), told
    out = folder / "blender-back.abc"
    subprocess.run([program, "convert", str(written), str(out)], check=True, stdout=subprocess.DEVNULL)
    found = abc_poses(out)[0]
    for pose, there in zip(found or [], wanted, strict=found is not None):
        assert all(near(p, q) for p, q in zip(pose, there, strict=True)), (pose, there)
    print("Blender: hair that it turns is where it has it, 6 poses")


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
    assert abs(schema.getTimeSampling().getSampleTime(2) - 2 * 4 / 60) < 1e-6
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
""" + BLENDER_HAIR + """thing.location, thing.rotation_euler, thing.scale = (1, 2, 3), (0.3, 0.2, 0.1), (2, 2, 2)
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


def obj_head(path):
    """Points, and the places and texture coordinates of the corners of each face, of an OBJ."""
    rows = [line.split() for line in pathlib.Path(path).read_text().splitlines()]
    points = [tuple(map(float, row[1:4])) for row in rows if row[:1] == ["v"]]
    uvs = [tuple(map(float, row[1:3])) for row in rows if row[:1] == ["vt"]]
    faces = [[tuple(int(i) - 1 for i in c.split("/")) for c in row[1:]] for row in rows if row[:1] == ["f"]]
    return points, [[v for v, _ in face] for face in faces], [[uvs[t] for _, t in face] for face in faces]


def volume(points, faces):
    """Six times what faces that are counter-clockwise from outside enclose."""
    def triple(a, b, c):
        return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))
    return sum(triple(*(points[v] for v in face)) for face in faces)


def close(found, wanted, by):
    """Whether rows of numbers are each other's within `by`."""
    return len(found) == len(wanted) and all(
        abs(a - b) <= by for p, q in zip(found, wanted) for a, b in zip(p, q))


def differences(poses, rate):
    """How fast points go, from where they are before and after."""
    last = len(poses) - 1
    out = []
    for k in range(last + 1):
        a, b = max(k - 1, 0), min(k + 1, last)
        out.append([[(q[i] - p[i]) * rate / (b - a) for i in range(3)]
                    for p, q in zip(poses[a], poses[b])])
    return out


def worn_film(program, folder):
    """A head that moves under its hair: the same in every file, with velocities, and the
    unit is known."""
    folder = pathlib.Path(folder)
    start, fps, frames = 1001, 24, 7
    def written(name, *more):
        command = [
            program, "simulate", "--strands", "200", "--vertices", "12", "--motion", "head-bang",
            "--seconds", "0.25", "--export-fps", str(fps), "--export-start", str(start),
            "--export", str(folder / name), "--export-units", "cm", "--export-head", *more]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return folder / name
    written("frame.####.ply")
    heads = [obj_head(folder / f"head_frame.{start + k}.obj") for k in range(frames)]
    _, faces, uvs = heads[0]
    poses = [points for points, *_ in heads]
    assert poses[0] != poses[-1] and volume(poses[0], faces) > 0
    # A vertex on a seam has several places on the texture.
    places = {}
    for face, own in zip(faces, uvs):
        for vertex, uv in zip(face, own):
            places.setdefault(vertex, set()).add(uv)
    assert any(len(found) > 1 for found in places.values()), "no seam"
    corners = [uv for own in uvs for uv in own]
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        print("skipped: usd-core is not installed, no head in .usda, .usdc and .usdz is read by it")
    else:
        for ending in ("usda", "usdc", "usdz"):
            stage = Usd.Stage.Open(str(written(f"worn.{ending}", "--export-velocities")))
            assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
            assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (start, start + frames - 1)
            mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Hair/Head"))
            hair = UsdGeom.BasisCurves(stage.GetPrimAtPath("/Hair/Strands"))
            assert mesh and hair and stage.GetDefaultPrim().GetPath() == "/Hair"
            assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
            assert set(mesh.GetFaceVertexCountsAttr().Get()) == {3}
            assert not mesh.GetFaceVertexIndicesAttr().GetTimeSamples(), "the faces stay"
            assert list(mesh.GetFaceVertexIndicesAttr().Get()) == [v for face in faces for v in face]
            ok, why = UsdGeom.Mesh.ValidateTopology(
                mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(), len(poses[0]))
            assert ok, why
            st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
            assert st.GetInterpolation() == "faceVarying" and st.IsIndexed()
            assert close([tuple(uv) for uv in st.ComputeFlattened()], corners, 1e-6)
            for thing, wanted in ((mesh, poses), (hair, None)):
                codes = thing.GetPointsAttr().GetTimeSamples()
                assert codes == [start + k for k in range(frames)], codes
                found = [[tuple(p) for p in thing.GetPointsAttr().Get(code)] for code in codes]
                for pose, own in zip(found, wanted or found):
                    assert close(pose, own, 1e-5)
                assert thing.GetVelocitiesAttr().GetTimeSamples() == codes
                for code, speeds in zip(codes, differences(found, fps)):
                    own = [tuple(v) for v in thing.GetVelocitiesAttr().Get(code)]
                    assert close(own, speeds, 1e-2), (ending, code)
                # They carry points on from their frame, half a frame far.
                carried = thing.ComputePointsAtTime(start + 2.5, start + 2.0)
                wanted = [[p[i] + v[i] / (2 * fps) for i in range(3)]
                          for p, v in zip(found[2], differences(found, fps)[2])]
                assert close([tuple(p) for p in carried], wanted, 1e-3), ending
            print(f"usd-core: .{ending}, the head in {frames} frames with {len(corners)} places on its "
                  "texture, velocities of head and hair")
    path = written("worn.abc", "--export-velocities")
    abc_worn(path, poses, faces, corners, start, fps)
    blender_worn(folder, path, poses, faces, corners)
    told = subprocess.run([program, "info", str(path), "--json"], check=True, capture_output=True)
    told = json.loads(told.stdout)
    assert (told["units"], told["up"]) == ("cm", "y"), told
    guides(program, folder)


def abc_worn(path, poses, faces, corners, start, fps):
    try:
        import alembic3d.Abc as abc
        import alembic3d.AbcGeom as geom
    except ImportError:
        return print("skipped: alembic3d is not installed, no head in .abc is read by it")
    archive = abc.IArchive(str(path))
    about = archive.getTop().getMetaData()
    assert about.get("lovelock_metersPerUnit") == "0.01" and about.get("lovelock_upAxis") == "Y"
    groom = archive.getTop().children[0]
    assert [child.getName() for child in groom.children] == ["hair", "head"]
    mesh = geom.IPolyMesh(groom, "head")
    schema = mesh.getSchema()
    assert schema.getNumSamples() == len(poses)
    assert str(schema.getTopologyVariance()).endswith("kHomogenousTopology"), schema.getTopologyVariance()
    times = schema.getTimeSampling()
    assert abs(times.getSampleTime(0) - start / fps) < 1e-9
    # Clockwise from outside, as in RenderMan.
    samples = [schema.getValue(k) for k in range(len(poses))]
    indices = list(samples[0].getFaceIndices())
    assert set(samples[0].getFaceCounts()) == {3}
    turned = [indices[i:i + 3][::-1] for i in range(0, len(indices), 3)]
    assert turned == faces
    uvs = schema.getUVsParam()
    assert uvs.isIndexed() and str(uvs.getScope()).endswith("kFacevaryingScope"), uvs.getScope()
    flat = [tuple(uv) for uv in uvs.getExpandedValue().getVals()]
    flat = [uv for i in range(0, len(flat), 3) for uv in flat[i:i + 3][::-1]]
    assert close(flat, corners, 1e-6)
    curves = geom.ICurves(groom, "hair").getSchema()
    hair = [curves.getValue(k) for k in range(curves.getNumSamples())]
    for all, wanted in ((samples, poses), (hair, None)):
        found = [[tuple(p) for p in sample.getPositions()] for sample in all]
        for pose, own in zip(found, wanted or found, strict=True):
            assert close(pose, own, 1e-5)
        for sample, speeds in zip(all, differences(found, fps), strict=True):
            assert close([tuple(v) for v in sample.getVelocities()], speeds, 1e-2)
    print(f"alembic3d: the head in {len(poses)} frames with {len(flat)} places on its texture, "
          "velocities of head and hair, the unit")


BLENDER_WORN = """
import sys, json, bpy
wanted, answer = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 24
bpy.ops.wm.alembic_import(filepath=wanted)
head = next(o for o in bpy.data.objects if o.type == "MESH")
out = {"poses": []}
for frame in (1001, 1007):
    bpy.context.scene.frame_set(frame)
    there = head.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = there.to_mesh()
    # Alembic's up is y.
    places = [head.matrix_world @ v.co for v in mesh.vertices]
    out["poses"].append([[p.x, p.z, -p.y] for p in places])
    out["faces"] = [list(face.vertices) for face in mesh.polygons]
    out["uvs"] = [list(uv.uv) for uv in mesh.uv_layers.active.data]
    there.to_mesh_clear()
json.dump(out, open(answer, "w"))
"""


def blender_worn(folder, path, poses, faces, corners):
    if subprocess.run([sys.executable, "-c", "import bpy"], capture_output=True).returncode:
        return print("skipped: bpy is not installed, no head in .abc is read by Blender")
    script, answer = folder / "worn.py", folder / "worn.json"
    script.write_text(BLENDER_WORN)
    subprocess.run([sys.executable, str(script), str(path), str(answer)],
                   check=True, stdout=subprocess.DEVNULL)
    read = json.loads(answer.read_text())
    for found, wanted in zip(read["poses"], (poses[0], poses[-1])):
        assert close(found, wanted, 1e-4)
        assert volume(found, read["faces"]) > 0, "inside out"
    # Where a face begins is its own affair.
    def turn(corners):
        return [sorted(map(tuple, corners[i:i + 3])) for i in range(0, len(corners), 3)]
    assert [sorted(face) for face in read["faces"]] == [sorted(face) for face in faces]
    assert all(close(a, b, 1e-5) for a, b in zip(turn(read["uvs"]), turn(corners), strict=True))
    print(f"Blender: the head as a mesh that moves, {len(faces)} faces, outwards, with its texture")


def camera_film(program, folder):
    """The camera that keys move: where it stands, what it looks at and how wide it sees."""
    import math

    folder = pathlib.Path(folder)
    fps, frames = 24, 7
    def written(name):
        command = [
            program, "simulate", "--strands", "50", "--vertices", "8", "--seconds", "0.25",
            "--set", "tracks.keys=camera.yaw 0 -20 linear 0.25 70; camera.fov 0 20 linear 0.25 40",
            "--set", "camera.distance=0.9", "--set", "camera.pitch=15",
            "--set", "capture.size=1280x720", "--export-camera", "--export-fps", str(fps),
            "--export-start", "1001", "--export-units", "cm", "--export-up", "z",
            "--export", str(folder / name)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return folder / name
    # From what is looked at to the camera, z up, and the vertical field of view.
    def wanted(frame):
        yaw, pitch = math.radians(-20 + 90 * frame / 6), math.radians(15)
        back = (math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch), math.sin(pitch))
        return back, 20 + 20 * frame / 6
    def check(found, who):
        assert len(found) == frames, (who, len(found))
        targets = []
        for frame, (stands, looks, up, fov, aspect) in enumerate(found):
            back, angle = wanted(frame)
            assert close([looks], [[-c for c in back]], 1e-5), (who, frame, looks, back)
            assert up[2] > 0.9 and abs(sum(a * b for a, b in zip(up, looks))) < 1e-5, (who, up)
            assert abs(fov - angle) < 1e-3 and abs(aspect - 16 / 9) < 1e-5, (who, frame, fov, aspect)
            targets.append([stands[i] - 90 * back[i] for i in range(3)])
        assert close(targets, [targets[0]] * frames, 1e-3), (who, targets)
    try:
        from pxr import Gf, Usd, UsdGeom
    except ImportError:
        print("skipped: usd-core is not installed, no camera is read by it")
    else:
        for ending in ("usda", "usdc", "usdz"):
            stage = Usd.Stage.Open(str(written(f"shot.{ending}")))
            camera = UsdGeom.Camera(stage.GetPrimAtPath("/Hair/Camera"))
            codes = [1001 + k for k in range(frames)]
            assert camera and camera.GetPrim().GetAttribute("xformOp:transform").GetTimeSamples() == codes
            found = []
            for code in codes:
                read = camera.GetCamera(code)
                seen = read.frustum
                # Film and lens are in tenths of a centimetre.
                assert abs(read.verticalAperture - 24) < 1e-4, read.verticalAperture
                assert read.fStop == 0 and abs(read.focusDistance - 90) < 1e-3
                found.append((seen.position, seen.ComputeViewDirection(), seen.ComputeUpVector(),
                              read.GetFieldOfView(Gf.Camera.FOVVertical), read.aspectRatio))
            check(found, ending)
            print(f"usd-core: .{ending}, the camera in {frames} frames, its place and its lens")
    try:
        import alembic3d.Abc as abc
        import alembic3d.AbcGeom as geom
    except ImportError:
        return print("skipped: alembic3d is not installed, no camera is read by it")
    archive = abc.IArchive(str(written("shot.abc")))
    node = geom.IXform(archive.getTop().children[0], "camera")
    shape = geom.ICamera(node, "cameraShape")
    place, lens = node.getSchema(), shape.getSchema()
    assert not place.isConstant() and place.getNumSamples() == lens.getNumSamples() == frames
    assert abs(place.getTimeSampling().getSampleTime(1) - 1002 / fps) < 1e-9
    found = []
    for k in range(frames):
        matrix, read = place.getValue(k).getMatrix(), lens.getValue(k)
        row = lambda i: [matrix[i][j] for j in range(3)]
        assert abs(read.getVerticalAperture() - 2.4) < 1e-6
        height, focal = 10 * read.getVerticalAperture(), read.getFocalLength()
        found.append((row(3), [-c for c in row(2)], row(1),
                      math.degrees(2 * math.atan(height / 2 / focal)),
                      read.getHorizontalAperture() / read.getVerticalAperture()))
    check(found, "abc")
    print(f"alembic3d: the camera in {frames} frames, its place and its lens")


def guides(program, folder):
    """Which strands were simulated, and which of them the others follow."""
    groom = folder / "guided.ply"
    subprocess.run([program, "simulate", "--strands", "150", "--vertices", "8", "--seconds", "0.02",
                    "--export", str(groom)], check=True, stdout=subprocess.DEVNULL)
    def out(name, *more):
        command = [program, "simulate", "--groom", str(groom), "--set", "import.guides=30",
                   "--set", "followers.each=2", "--seconds", "0.1", "--export", str(folder / name), *more]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return folder / name
    def check(count, added, ids, guide, closest, weights, who):
        assert len(guide) == count and sum(guide) == 30, (who, len(guide), sum(guide))
        numbers = {ids[row] for row in range(count) if guide[row]}
        assert len(closest) == len(weights) == count
        for own, shares in zip(closest, weights):
            assert set(own) <= numbers and abs(sum(shares) - 1) < 1e-5, (who, own, shares)
        assert (sum(added) if added else 0) == count - 150, who
    rows = lambda flat: [tuple(flat[i:i + 3]) for i in range(0, len(flat), 3)]
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        print("skipped: usd-core is not installed, no guides are read by it")
    else:
        for name, count, more in (("g.usda", 150, ()), ("g.usdc", 210, ("--export-strands", "all"))):
            stage = Usd.Stage.Open(str(out(name, *more)))
            api = UsdGeom.PrimvarsAPI(stage.GetPrimAtPath("/Hair/Strands"))
            primvar = lambda name: api.GetPrimvar(name)
            for name in ("groom_guide", "groom_closest_guides", "groom_guide_weights"):
                assert primvar(name).GetInterpolation() == "uniform", name
            added = primvar("lovelock_added").Get() if more else None
            check(count, added, primvar("groom_id").Get(), primvar("groom_guide").Get(),
                  [tuple(own) for own in primvar("groom_closest_guides").Get()],
                  [tuple(own) for own in primvar("groom_guide_weights").Get()], "usd-core")
        print("usd-core: 30 guides of 150 strands, and whom the others follow")
    try:
        import alembic3d.Abc as abc
        import alembic3d.AbcGeom as geom
    except ImportError:
        return print("skipped: alembic3d is not installed, no guides are read by it")
    for name, count, more in (("g.abc", 150, ()), ("h.abc", 210, ("--export-strands", "all"))):
        held, schema = abc_curves(abc, geom, out(name, *more))
        params = schema.getArbGeomParams()
        # As Unreal's schema has them: int16, and vectors of three.
        values = lambda kind, name: list(kind(params, name).getExpandedValue().getVals())
        closest = [tuple(own) for own in values(geom.IV3iGeomParam, "groom_closest_guides")]
        weights = [tuple(own) for own in values(geom.IV3fGeomParam, "groom_guide_weights")]
        added = values(geom.IInt32GeomParam, "lovelock_added") if more else None
        check(count, added, values(geom.IInt32GeomParam, "groom_id"),
              values(geom.IInt16GeomParam, "groom_guide"), closest, weights, "alembic3d")
        scope = geom.IV3iGeomParam(params, "groom_closest_guides").getScope()
        assert str(scope).endswith("kUniformScope"), scope
    held, schema = abc_curves(abc, geom, out("only.abc", "--export-strands", "guides"))
    assert len(schema.getValue(0).getCurvesNumVertices()) == 30
    print("alembic3d: the same, typed as Unreal's schema has it")


def head():
    """The head that comes with the program: places and faces of any size."""
    text = (pathlib.Path(__file__).parent / "../assets/head.obj").read_text()
    rows = [line.split() for line in text.splitlines()]
    points = [tuple(map(float, row[1:4])) for row in rows if row[:1] == ["v"]]
    faces = [[int(c.split("/")[0]) - 1 for c in row[1:]] for row in rows if row[:1] == ["f"]]
    return points, faces


def heads(program, folder):
    """The same head, written by other programs, is the same head."""
    folder = pathlib.Path(folder)
    points, faces = head()
    plain = folder / "plain.obj"
    plain.write_text("".join("v %r %r %r\n" % p for p in points)
                     + "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces))
    wanted = same_head(program, plain, None)
    for write in (usd_heads, gltf_head, abc_heads):
        for path, flag in write(folder, points, faces):
            same_head(program, path, wanted, flag)
            print(f"head: {path.name} is the same head, and grows hair")


def head_film(program, folder):
    """A head that usd-core moves is where usd-core has it, frame by frame."""
    try:
        from pxr import Gf, Sdf, Usd, UsdGeom
    except ImportError:
        return print("skipped: usd-core is not installed, it moves no head")
    folder = pathlib.Path(folder)
    points, faces = head()
    # In centimetres, z up, 30 frames a second: it turns under a transform with two keys,
    # and breathes from time code 1 to 4 to 7.
    stage = Usd.Stage.CreateNew(str(folder / "film.usda"))
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(60)
    stage.SetFramesPerSecond(30)
    top = UsdGeom.Xform.Define(stage, "/Top")
    turn, way = top.AddRotateZOp(), top.AddTranslateOp()
    for time, angle in ((2, 0), (14, 25)):
        turn.Set(angle, time)
        way.Set(Gf.Vec3d(angle / 5, 0, 0), time)
    mesh = UsdGeom.Mesh.Define(stage, "/Top/Head")
    for time, size in ((2, 1), (8, 1.05), (14, 1)):
        there = [Gf.Vec3f(100 * size * x, -100 * z, 100 * y) for x, y, z in points]
        mesh.CreatePointsAttr().Set(there, time)
    mesh.CreateFaceVertexCountsAttr([len(f) for f in faces])
    mesh.CreateFaceVertexIndicesAttr([i for f in faces for i in f])
    layer = stage.GetRootLayer()
    layer.Save()
    layer.Export(str(folder / "film.usdc"))
    with Sdf.ZipFileWriter.CreateNew(str(folder / "film.usdz")) as package:
        package.AddFile(str(folder / "film.usdc"), "film.usdc")
    for ending in ("usda", "usdc", "usdz"):
        for seconds, time in ((0.1, 8), (0.15, 11), (0.5, 14)):
            out = folder / f"moved-{ending}.data"
            command = [program, "simulate", "--head-sequence", str(folder / f"film.{ending}"),
                       "--set", "motion.sequence_play=hold",
                       "--set", "torso.mode=off", "--strands", "50", "--seconds", str(seconds),
                       "--export", str(out), "--export-head"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            text = (folder / f"head_moved-{ending}.obj").read_text()
            found = [tuple(map(float, line.split()[1:])) for line in text.splitlines() if line[:2] == "v "]
            placed = UsdGeom.Xformable(mesh).ComputeLocalToWorldTransform(time)
            world = [placed.Transform(Gf.Vec3d(p)) for p in mesh.GetPointsAttr().Get(time)]
            # With the axis of the head's file up.
            wanted = [tuple(0.01 * c for c in p) for p in world]
            for k in range(3):
                for of in (min, max):
                    a, b = of(p[k] for p in found), of(p[k] for p in wanted)
                    assert abs(a - b) < 2e-5, (ending, time, k, a, b)
            middle = [sum(p[k] for p in found) / len(found) for k in range(3)]
            there = [sum(p[k] for p in wanted) / len(wanted) for k in range(3)]
            assert len(found) != len(wanted) or max(abs(a - b) for a, b in zip(middle, there)) < 2e-5
    print("usd-core: a head that it moves in .usda, .usdc and .usdz is where usd-core has it")


def same_head(program, path, wanted, flag="--head"):
    found = subprocess.run([program, "info", str(path), "--json"], check=True, capture_output=True)
    found = json.loads(found.stdout)
    assert found["kind"] == "mesh", found
    command = [program, "simulate", flag, str(path), "--strands", "50", "--seconds", "0.1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if wanted:
        assert found["triangles"] == wanted["triangles"], (path, found)
        assert abs(found["height_m"] / wanted["height_m"] - 1) < 1e-4, (path, found)
    return found


def usd_heads(folder, points, faces):
    try:
        from pxr import Gf, Sdf, Usd, UsdGeom
    except ImportError:
        return print("skipped: usd-core is not installed, it writes no head") or []
    # In millimetres, z up, under a transform.
    stage = Usd.Stage.CreateNew(str(folder / "head.usda"))
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdGeom.SetStageMetersPerUnit(stage, 0.001)
    top = UsdGeom.Xform.Define(stage, "/Top")
    top.AddScaleOp().Set(Gf.Vec3f(10, 10, 10))
    mesh = UsdGeom.Mesh.Define(stage, "/Top/Head")
    mesh.CreatePointsAttr([Gf.Vec3f(100 * x, -100 * z, 100 * y) for x, y, z in points])
    mesh.CreateFaceVertexCountsAttr([len(f) for f in faces])
    mesh.CreateFaceVertexIndicesAttr([i for f in faces for i in f])
    mesh.CreateDisplayColorAttr([Gf.Vec3f(0.8, 0.6, 0.5)])
    layer = stage.GetRootLayer()
    layer.Save()
    layer.Export(str(folder / "head.usdc"))
    with Sdf.ZipFileWriter.CreateNew(str(folder / "head.usdz")) as package:
        package.AddFile(str(folder / "head.usdc"), "head.usdc")
    return [(folder / f"head.{ending}", "--head") for ending in ("usda", "usdc", "usdz")]


def gltf_head(folder, points, faces):
    try:
        import numpy
        import trimesh
    except ImportError:
        return print("skipped: trimesh is not installed, it writes no head") or []
    # Its triangles are cut otherwise, but are as many.
    cut = [[f[0], f[i], f[i + 1]] for f in faces for i in range(1, len(f) - 1)]
    out = []
    for ending in ("glb", "gltf"):
        mesh = trimesh.Trimesh(numpy.array(points), numpy.array(cut), process=False)
        scene = trimesh.Scene(mesh)
        if ending == "glb":
            (folder / "head.glb").write_bytes(scene.export(file_type="glb"))
        else:
            # A text, and its buffers in files beside it.
            for name, content in trimesh.exchange.gltf.export_gltf(scene).items():
                (folder / name.replace("model.", "head.")).write_bytes(content)
        out.append((folder / f"head.{ending}", "--head"))
    return out


ABC_HEADS = """
import sys, json, bpy
wanted, still, moving = sys.argv[1:]
points, faces = json.load(open(wanted))
bpy.ops.wm.read_factory_settings(use_empty=True)
mesh = bpy.data.meshes.new("head")
mesh.from_pydata([(x, -z, y) for x, y, z in points], [], faces)
mesh.update()
thing = bpy.data.objects.new("head", mesh)
bpy.context.collection.objects.link(thing)
bpy.ops.wm.alembic_export(filepath=still, start=1, end=1)
# It nods, and breathes.
for frame, turn in ((1, 0), (5, 0.3)):
    thing.rotation_euler = (turn, 0, 0)
    thing.keyframe_insert("rotation_euler", frame=frame)
thing.shape_key_add(name="rest")
key = thing.shape_key_add(name="breath")
for data in key.data:
    data.co = data.co * 1.02
for frame, value in ((1, 0), (5, 1)):
    key.value = value
    key.keyframe_insert("value", frame=frame)
bpy.ops.wm.alembic_export(filepath=moving, start=1, end=5)
"""


def abc_heads(folder, points, faces):
    probe = subprocess.run([sys.executable, "-c", "import bpy"], capture_output=True)
    if probe.returncode:
        return print("skipped: bpy is not installed, it writes no head") or []
    script, mesh = folder / "heads.py", folder / "head.json"
    still, moving = folder / "head.abc", folder / "moving.abc"
    script.write_text(ABC_HEADS)
    mesh.write_text(json.dumps([points, faces]))
    subprocess.run([sys.executable, str(script), str(mesh), str(still), str(moving)],
                   check=True, stdout=subprocess.DEVNULL)
    return [(still, "--head"), (moving, "--head-sequence")]


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
    assert "1 strand (5) has points far from all other hair" in done.stderr, done.stderr
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
        usd(program, folder)
        meshes(program, folder)
        alembic(program, folder)
        blender(program, folder)
        heads(program, folder)
        head_film(program, folder)
        groom_film(program, folder)
        worn_film(program, folder)
        camera_film(program, folder)
        reconstructed(program, folder)


if __name__ == "__main__":
    main()
