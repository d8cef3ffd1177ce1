#!/usr/bin/env python3
"""Hair as lovelock draws it beside a path tracer (Mitsuba 3) on the same strands.

Usage: tests/pathtraced.py target/release/lovelock [--quick] [--out FOLDER] [--only PART]

Straight and curly hair of four colours, lit from the front and from behind: both
programs get the same strands, widths, absorption, camera and lights, and are compared
in linear light over the pixels that are hair. Needs mitsuba, numpy and pillow (pip).
Prints a row a case and at the end "N of N within"; exit code 1 where one is not.
With --out the pictures stay there, and the path tracer's are not made again.
"""

import argparse
import hashlib
import json
import math
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

try:
    import mitsuba
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed (pip install mitsuba numpy pillow)")
    sys.exit(0)

ASSETS = pathlib.Path(__file__).resolve().parent.parent / "assets"

# What must hold: mean luminance as a ratio, hue in degrees, CIEDE2000 median and 95th
# percentile. Hue counts where there is a colour.
LUMINANCE, HUE, MEDIAN, WORST = 0.15, 5.0, 6.0, 15.0
COLOURED = 4.0

SHAPES = {"straight": "bob", "curly": "windy"}
COLOURS = {  # eumelanin, pheomelanin, dye: src/render/pigment.rs
    "black": (6.0, 0.0, [0.0, 0.0, 0.0]),
    "brown": (1.2, 0.1, [0.0, 0.0, 0.0]),
    "blond": (0.22, 0.08, [0.0, 0.0, 0.0]),
    "copper": (0.1, 1.2, [0.0, 0.08, 0.0]),
}
LIT = {
    "front": dict(key_yaw=-47.8, key_pitch=44.2, key=1.0, fill=1.0, rim=1.0, room=1.0),
    "back": dict(key_yaw=165.0, key_pitch=25.0, key=1.0, fill=0.0, rim=0.0, room=0.25),
}
# Smaller pictures would be too coarse: at 160 x 160 the path tracer's mean is 4 % off by
# chance, and ours two.
SIZE, SAMPLES = 256, 32
QUICK = ["straight-copper-front", "curly-copper-front"]
ROUGHNESS = 0.3
# Of the cuticle's scales, in degrees. Along strands that are written from root to tip, as ours
# are, Mitsuba's own 2 turns what the surface mirrors towards the tip; Marschner et al. 2003
# measured it turned towards the root, see SCALES in shaders/fibre.glsl.
TILT = -2.0
EXPOSURES = [0.3, 2.0, 8.0]

# What src/render/frame.rs, camera.rs, look.rs and shaders/width.glsl say. Bare skin is
# compared too: where the two programs' lights were not the same, it would tell.
KEY = [13.5, 12.555, 11.34]
OTHERS = [
    ([0.62, 0.12, 0.84], [2.6, 2.75, 2.9]),
    ([0.83, 0.55, -0.52], [9.3, 9.7, 10.0]),
    ([-0.42, 0.46, -0.94], [7.0, 6.3, 5.46]),
]
SKY, GROUND = np.array([0.84, 0.92, 1.05]), np.array([0.44, 0.38, 0.33])
EUMELANIN, PHEOMELANIN = np.array([0.419, 0.697, 1.37]), np.array([0.187, 0.4, 1.05])
SKIN = np.array([0.245, 0.132, 0.090])
FULL_HEAD = 1e5
LUMA = np.array([0.2126, 0.7152, 0.0722])


def numbered(values):
    return [float(v) for v in values]


class View:
    """Camera and lights of a scene of ours."""

    def __init__(self, scene, head, light):
        camera = dict(yaw=0.0, pitch=6.0, distance=0.0, fov=24.0) | tomllib.loads(scene.read_text()).get("camera", {})
        low, high = head.min(0), head.max(0)
        size = high - low
        half = 1.46 * 0.5 * max(size[1], 0.75 * max(size[0], size[2]))
        self.fov = camera["fov"]
        distance = camera["distance"] or half / math.tan(math.radians(self.fov) / 2) + 0.25 * size[2]
        yaw, pitch = math.radians(camera["yaw"]), math.radians(camera["pitch"])
        shift = [camera.get(f"shift_{axis}", 0.0) for axis in "xyz"]
        self.target = (low + high) / 2 + [0, 0.05 * size[1], 0] + np.array(shift)
        towards = lambda yaw, pitch: np.array(
            [math.sin(yaw) * math.cos(pitch), math.sin(pitch), math.cos(yaw) * math.cos(pitch)])
        self.eye = self.target + towards(yaw, pitch) * distance
        turn = np.array([[math.cos(yaw), 0, math.sin(yaw)], [0, 1, 0], [-math.sin(yaw), 0, math.cos(yaw)]])
        key = towards(math.radians(light["key_yaw"]), math.radians(light["key_pitch"]))
        share = [light[name] for name in ("key", "fill", "rim", "rim")]
        self.lights = [(turn @ (np.array(way) / np.linalg.norm(way)), np.array(radiance) * part)
                       for (way, radiance), part in zip([(key, KEY)] + OTHERS, share)]
        self.room = light["room"]


# --- tone curve and its inverse (shaders/display.glsl) --------------------------------
TO = np.array([[0.59719, 0.35458, 0.04823], [0.07600, 0.90834, 0.01566], [0.02840, 0.13383, 0.83777]])
FROM = np.array([[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605], [-0.00327, -0.07276, 1.07602]])


def vignette(n):
    x = (np.arange(n) + 0.5) / n - 0.5
    return 1 - 0.35 * (x[None] ** 2 + x[:, None] ** 2)[..., None]


def linear(c):
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def display(light):
    v = (light * vignette(light.shape[0])) @ TO.T
    v = np.clip((v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081) @ FROM.T, 0, 1)
    return np.where(v <= 0.0031308, 12.92 * v, 1.055 * np.maximum(v, 1e-9) ** (1 / 2.4) - 0.055)


def undisplay(c, exposure):
    y = np.clip(linear(c) @ np.linalg.inv(FROM).T, 0, 1.01)
    a, b, d = 1 - 0.983729 * y, 0.0245786 - 0.4329510 * y, -0.000090537 - 0.238081 * y
    v = (-b + np.sqrt(np.maximum(b * b - 4 * a * d, 0))) / (2 * np.maximum(a, 1e-3))
    return v @ np.linalg.inv(TO).T / exposure / vignette(c.shape[0])


# --- the strands and the head ---------------------------------------------------------
def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_head(path):
    points, faces = [], {"scalp": [], "skin": []}
    group = "skin"
    for line in path.read_text().splitlines():
        word = line.split()
        if word[:1] == ["v"]:
            points.append(numbered(word[1:4]))
        elif word[:1] == ["g"]:
            group = "scalp" if word[1:] == ["scalp"] else "skin"
        elif word[:1] == ["f"]:
            i = [int(corner.split("/")[0]) - 1 for corner in word[1:]]
            faces[group].extend([i[0], i[k], i[k + 1]] for k in range(1, len(i) - 1))
    return np.array(points), {name: np.array(f) for name, f in faces.items()}


def write_mesh(path, points, faces):
    used, again = np.unique(faces, return_inverse=True)
    p, f = points[used], again.reshape(-1, 3)
    normal = np.zeros_like(p)
    for k in range(3):
        np.add.at(normal, f[:, k], np.cross(p[f[:, 1]] - p[f[:, 0]], p[f[:, 2]] - p[f[:, 0]]))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-12
    rows = np.zeros(len(f), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    rows["count"], rows["corners"] = 3, f
    properties = "".join(f"property float {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz"))
    path.write_bytes(
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(p)}\n{properties}element face {len(f)}\n"
        "property list uchar int vertex_indices\nend_header\n".encode()
        + np.hstack([p, normal]).astype("<f4").tobytes() + rows.tobytes())


def read_strands(path):
    """Places and drawn diameters of the strands in our PLY, all with as many vertices."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + 11
    words = data[:end].decode().split("\n")
    count = lambda name: int(next(line for line in words if line.startswith("element " + name)).split()[2])
    vertices = np.frombuffer(data, [("p", "<f4", 3), ("c", "u1", 3), ("w", "<f4")], count("vertex"), end)
    places = vertices["p"].reshape(count("strand"), -1, 3).astype(float)
    # Few strands are drawn thicker, and thinner where they leave the skin.
    s = np.clip(np.linspace(0, 1, places.shape[1]) / 0.03, 0, 1)
    thick = min(max((FULL_HEAD / len(places)) ** 0.75, 1), 6) * (0.7 + 0.3 * s * s * (3 - 2 * s))
    return places, vertices["w"].reshape(places.shape[:2]).astype(float) * thick


def write_curves(path, places, widths):
    """Ends are mirrored, so that the B-spline begins and ends where the strand does."""
    first, last = 2 * places[:, :1] - places[:, 1:2], 2 * places[:, -1:] - places[:, -2:-1]
    p = np.concatenate([first, places, last], 1)
    radius = np.concatenate([widths[:, :1], widths, widths[:, -1:]], 1) / 2
    line = "%.6f %.6f %.6f %.7f\n" * p.shape[1] + "\n"
    with open(path, "w") as out:
        for strand in np.concatenate([p, radius[..., None]], 2).reshape(len(p), -1):
            out.write(line % tuple(strand))


# --- the two programs -----------------------------------------------------------------
def ours(program, scene, sets, size, folder):
    """Linear light, merged of three exposures: what is near black or white in one is not in another."""
    total = weight = 0
    for exposure in EXPOSURES:
        out = folder / f"ours-{exposure}"
        out.mkdir(exist_ok=True)
        for old in out.glob("*.png"):
            old.unlink()
        run(program, "render", scene, "--still", "--samples", 16, "--size", f"{size}x{size}", "--warmup", "0.1",
            "--out", out, *sets, "--set", f"look.exposure={exposure}")
        c = np.asarray(Image.open(next(out.glob("*.png"))).convert("RGB")) / 255.0
        # Black may be anything up to 0.003 over the exposure: the longest knows best.
        w = np.clip((0.93 - c.max(2)) / 0.1, 0, 1) * np.clip(c.max(2) / 0.25, 1e-4 * exposure**2, 1) + 1e-6
        total, weight = total + undisplay(c, exposure) * w[..., None], weight + w[..., None]
    return np.maximum(total / weight, 0)


def base(view, size, samples, curves, hair):
    look = mitsuba.ScalarTransform4f().look_at(numbered(view.eye), numbered(view.target), [0, 1, 0])
    return {
        "type": "scene",
        "sensor": {"type": "perspective", "fov": view.fov, "to_world": look,
                   "film": {"type": "hdrfilm", "width": size, "height": size, "pixel_format": "rgba",
                            "rfilter": {"type": "box"}},
                   "sampler": {"type": "independent", "sample_count": samples}},
        "hair": {"type": "bsplinecurve", "filename": str(curves), "bsdf": hair},
    }


def rendered(scene, seed=0):
    return np.array(mitsuba.render(mitsuba.load_dict(scene), seed=seed), dtype=np.float64)


def begin():
    mitsuba.set_variant("scalar_rgb")


def apart(task, *arguments, seed=0):
    """Runs a task in a process of its own, and again with other rays where that ends:
    Mitsuba 3.9 reads beyond its B-spline curves on a few rays in a billion."""
    for turn in range(4):
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), begin) as pool:
            try:
                return pool.submit(task, *arguments, seed + 1000 * turn).result()
            except BrokenProcessPool:
                print("the path tracer ended early; once more with other rays", file=sys.stderr)
    sys.exit("the path tracer ended early four times: try another version of mitsuba")


def masks(view, meshes, curves, size, seed):
    """The share of each pixel that is hair, and that is skin."""
    scene = base(view, size, 16, curves, {"type": "diffuse", "reflectance": 0.0})
    scene["integrator"] = {"type": "path", "max_depth": 2}
    for name, mesh in meshes.items():
        scene[name] = {"type": "ply", "filename": str(mesh), "bsdf": {"type": "diffuse", "reflectance": 0.0},
                       "emitter": {"type": "area", "radiance": 1.0}}
    picture = rendered(scene, seed)
    return np.clip(np.stack([picture[..., 3] - picture[..., 0], picture[..., 0]]), 0, 1)


def traced(view, meshes, curves, sigma, size, samples, seed):
    hair = {"type": "hair", "sigma_a": {"type": "rgb", "value": numbered(sigma)}, "scale": 1.0,
            "longitudinal_roughness": ROUGHNESS, "azimuthal_roughness": 0.3, "int_ior": 1.55, "scale_tilt": TILT}
    scene = base(view, size, samples, curves, hair)
    scene["integrator"] = {"type": "path", "max_depth": 120, "rr_depth": 24, "hide_emitters": True}
    s = np.clip((np.cos((np.arange(64) + 0.5) / 64 * np.pi) + 0.8) / 1.6, 0, 1)
    room = (GROUND + (SKY - GROUND) * (s * s * (3 - 2 * s))[:, None]) * view.room
    scene["room"] = {"type": "envmap", "bitmap": mitsuba.Bitmap(np.repeat(room[:, None], 128, 1).astype(np.float32))}
    for i, (towards, radiance) in enumerate(view.lights):
        if radiance.max() > 0:
            scene[f"light{i}"] = {"type": "directional", "direction": numbered(-towards),
                                  "irradiance": {"type": "rgb", "value": numbered(radiance)}}
    thick = np.exp(-5.89 * np.sqrt(sigma))
    for name, mesh in meshes.items():
        albedo = thick * 0.6 + 0.006 + 0.06 * SKIN if name == "scalp" else SKIN
        scene[name] = {"type": "ply", "filename": str(mesh), "bsdf": {"type": "twosided", "bsdf": {
            "type": "diffuse", "reflectance": {"type": "rgb", "value": numbered(albedo)}}}}
    return rendered(scene, seed)[..., :3]


# --- what is compared -----------------------------------------------------------------
def blurred(light, mask, sigma):
    def blur(a):
        r = int(3 * sigma + 1)
        k = np.exp(-0.5 * (np.arange(-r, r + 1) / sigma) ** 2)
        for axis in (0, 1):
            p = np.pad(a, [(r, r) if i == axis else (0, 0) for i in range(3)])
            a = sum(w * np.take(p, range(i, i + a.shape[axis]), axis) for i, w in enumerate(k / k.sum()))
        return a

    m = mask.astype(float)[..., None]
    return blur(light * m) / np.maximum(blur(m), 1e-6)


def lab(c):
    x = linear(c) @ np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]).T
    x = x / [0.9505, 1, 1.089]
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def ciede2000(p, q):
    """Sharma, Wu, Dalal 2005, "The CIEDE2000 Color-Difference Formula"."""
    (L1, a1, b1), (L2, a2, b2) = np.moveaxis(p, -1, 0), np.moveaxis(q, -1, 0)
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25**7)))
    A1, A2 = a1 * (1 + g), a2 * (1 + g)
    C1, C2 = np.hypot(A1, b1), np.hypot(A2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, A1)) % 360, np.degrees(np.arctan2(b2, A2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    h, L, C = (h1 + turn / 2) % 360, (L1 + L2) / 2, (C1 + C2) / 2
    t = (1 - 0.17 * np.cos(np.radians(h - 30)) + 0.24 * np.cos(np.radians(2 * h))
         + 0.32 * np.cos(np.radians(3 * h + 6)) - 0.2 * np.cos(np.radians(4 * h - 63)))
    x = (L2 - L1) / (1 + 0.015 * (L - 50) ** 2 / np.sqrt(20 + (L - 50) ** 2))
    y = (C2 - C1) / (1 + 0.045 * C)
    z = 2 * np.sqrt(C1 * C2) * np.sin(np.radians(turn) / 2) / (1 + 0.015 * C * t)
    bend = -2 * np.sqrt(C**7 / (C**7 + 25**7)) * np.sin(np.radians(60 * np.exp(-(((h - 275) / 25) ** 2))))
    return np.sqrt(x * x + y * y + z * z + bend * y * z)


def figures(light, mask):
    """Of one picture, over its hair; a little blurred against the path tracer's noise."""
    n = len(light)
    soft = blurred(light, mask, 0.004 * n)[mask]
    low, middle, high = np.percentile(soft @ LUMA, [2, 50, 98])
    colour = lab(display(blurred(light, mask, 0.02 * n)))[mask]
    mean = soft.mean(0)
    return dict(
        mean=float(mean @ LUMA), bright=float(high / middle), deep=float(middle / max(low, 1e-6)),
        saturation=float(1 - mean.min() / mean.max()),
        hue=float(np.degrees(np.arctan2(colour[:, 2].mean(), colour[:, 1].mean()))),
        chroma=float(np.hypot(colour[:, 1], colour[:, 2]).mean()))


def band(light, mask):
    """Where a highlight lies down the picture, and how far down it reaches, in per cent of its height."""
    rows = mask.sum(1)
    y = np.where(rows > 0.1 * rows.max(), (light @ LUMA * mask).sum(1) / np.maximum(rows, 1), np.nan)
    top = int(np.nanargmax(y))
    half = (y[top] + np.nanpercentile(y, 20)) / 2
    above = np.nan_to_num(y) > half
    first, last = top, top
    while first > 0 and above[first - 1]:
        first -= 1
    while last + 1 < len(y) and above[last + 1]:
        last += 1
    return 100 * top / len(y), 100 * (last - first + 1) / len(y)


def compare(case, left, right, mask, bare):
    n = len(left)
    mine, true = figures(left, mask), figures(right, mask)
    apart = ciede2000(*(lab(display(blurred(light, mask, 0.02 * n)))[mask] for light in (left, right)))
    ratio, median, worst = mine["mean"] / true["mean"], np.median(apart), np.percentile(apart, 95)
    turn = abs((mine["hue"] - true["hue"] + 180) % 360 - 180)
    coloured = min(mine["chroma"], true["chroma"]) > COLOURED
    skin = left[bare].mean(0) @ LUMA / (right[bare].mean(0) @ LUMA)
    failed = [name for name, wrong in (
        ("luminance", abs(ratio - 1) > LUMINANCE), ("hue", coloured and turn > HUE),
        ("median", median > MEDIAN), ("95th percentile", worst > WORST)) if wrong]
    pair = lambda name, digits: f"{mine[name]:.{digits}f}/{true[name]:.{digits}f}"
    words = (f"{case:22} luminance {ratio:.2f}  dE {median:4.1f} p95 {worst:4.1f}  hue {pair('hue', 0)}"
             f"  saturation {pair('saturation', 2)}  p98/p50 {pair('bright', 1)}  p50/p2 {pair('deep', 1)}"
             f"  chroma {pair('chroma', 0)}  skin {skin:.2f}")
    if case.startswith("straight") and case.endswith("front"):
        (a, b), (c, d) = band(left, mask), band(right, mask)
        words += f"  highlight at {a:.0f}/{c:.0f} %, {b:.0f}/{d:.0f} % tall"
    print(words, "" if not failed else f" NOT WITHIN: {', '.join(failed)}", flush=True)
    return not failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--quick", action="store_true", help="two of the cases")
    arguments.add_argument("--out", type=pathlib.Path, help="keeps the pictures in this folder")
    arguments.add_argument("--only", default="", help="cases whose name has this in it")
    asked = arguments.parse_args()
    begin()
    cases = [f"{shape}-{colour}-{lit}" for shape in SHAPES for lit in LIT for colour in COLOURS]
    cases = [case for case in (QUICK if asked.quick else cases) if asked.only in case]
    with tempfile.TemporaryDirectory() as temporary:
        out = asked.out or pathlib.Path(temporary)
        out.mkdir(parents=True, exist_ok=True)
        points, faces = read_head(ASSETS / "head.obj")
        meshes = {name: out / f"{name}.ply" for name in faces}
        for name, mesh in meshes.items():
            write_mesh(mesh, points, faces[name])
        within = sum(judged(asked.program, case, points, meshes, out, SIZE, SAMPLES) for case in cases)
    print(f"{within} of {len(cases)} within")
    return within < len(cases)


def judged(program, case, points, meshes, out, size, samples):
    shape, colour, lit = case.split("-")
    scene = ASSETS / "scenes" / f"{SHAPES[shape]}.toml"
    view = View(scene, points, LIT[lit])
    # What comes through the hair comes by few bright paths.
    passes = 4 if lit == "back" else 1
    eumelanin, pheomelanin, dye = COLOURS[colour]
    sigma = eumelanin * EUMELANIN + pheomelanin * PHEOMELANIN + np.array(dye)
    still = ["--set", "motion.preset=none"]
    look = [f"look.eumelanin={eumelanin}", f"look.pheomelanin={pheomelanin}", f"look.dye={dye}",
            f"look.roughness={ROUGHNESS}", "look.variation=0"]
    light = [f"light.{name}={value}" for name, value in LIT[lit].items()]
    sets = still + sum((["--set", each] for each in look + light), [])
    strands = out / f"{shape}.ply"
    run(program, "simulate", scene, "--seconds", "0.1", *still, "--export", strands, "--export-drawn")
    curves = out / f"{shape}.txt"
    write_curves(curves, *read_strands(strands))
    # The same strands and light give the path tracer's picture of before.
    said = [hashlib.sha256(curves.read_bytes()).hexdigest(), LIT[lit], numbered(sigma), size, samples * passes, ROUGHNESS, TILT]
    kept = out / f"{case}-{hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]}.npz"
    if not kept.exists():
        light = np.mean([apart(traced, view, meshes, curves, sigma, size, samples, seed=seed)
                         for seed in range(passes)], 0)
        np.savez(kept, light=light, masks=apart(masks, view, meshes, curves, size))
    true = np.load(kept)
    mine = ours(program, scene, sets, size, out)
    pictures = [display(light) for light in (mine, true["light"])]
    Image.fromarray((np.concatenate(pictures, 1) * 255 + 0.5).astype(np.uint8)).save(out / f"{case}.png")
    hair, bare = true["masks"] > 0.95
    return compare(case, mine, true["light"], hair, bare)


if __name__ == "__main__":
    sys.exit(main())
