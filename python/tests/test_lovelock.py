"""What the wheel promises. Run with the wheel installed: pytest python/tests."""

import inspect
import os
import pathlib
import re
import threading
import time
import types

import lovelock
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = dict(strands=200, vertices=16)


def is_skipped(error):
    """Whether it is for want of OpenGL, where none is required."""
    return "OpenGL" in str(error) and os.environ.get("REQUIRE_GL") != "1"


def small(name="bob", **more):
    return lovelock.Scene(name, **SMALL, **more)


def drawn(hair, *size, **how):
    """A picture, or a skip where there is no OpenGL."""
    try:
        return hair.render(*size, **how)
    except lovelock.Error as error:
        if is_skipped(error):
            pytest.skip(str(error))
        raise


def test_five_lines_simulate_a_groom():
    hair = small(set={"wind.on": True}).build()
    hair.step(seconds=0.25)
    assert hair.time == pytest.approx(0.25)
    assert hair.positions.shape == (3200, 3) and hair.positions.dtype == np.float32
    assert list(hair.starts[:3]) == [0, 16, 32] and hair.starts[-1] == 3200
    assert np.isfinite(hair.positions).all()
    assert 1e-4 < np.abs(hair.positions - hair.rest).max() < 1


def test_seconds_that_are_no_whole_steps_add_up():
    hair = small(set={"sim.rate": 60}).build()
    for call in range(1, 25):
        hair.step(seconds=1 / 24)
        assert abs(hair.time - call / 24) < 0.51 / 60, call
    hair.step(seconds=0.4 / 60)
    assert hair.time == pytest.approx(1)
    hair.reset()
    hair.step(seconds=0.4 / 60)
    assert hair.time == 0, "nothing is owed from before"


def test_the_same_scene_gives_the_same_bits():
    def run():
        hair = small(set={"wind.on": True}).build()
        hair.step(steps=10)
        return hair.positions, hair.statistics()["state_hash"]

    (first, hash_1), (second, hash_2) = run(), run()
    assert hash_1 == hash_2 and np.array_equal(first, second)


def test_parameters_are_set_and_read_by_name():
    scene = small()
    scene.set("wind.strength", 7.5)
    scene["wind.on"] = True
    scene["wind.direction"] = np.array([0.0, 0.0, 1.0])
    scene["sim.solver"] = "pbd"
    scene["roots.strands"] = np.int64(123)
    assert scene["wind.strength"] == 7.5 and scene["wind.on"] is True
    assert scene.get("wind.direction") == [0, 0, 1]
    assert scene["roots.strands"] == 123 and "pbd" in repr(scene)
    assert {"wind.on", "sim.solver", "roots.strands"} <= set(scene.keys())
    other = scene.copy()
    other["wind.on"] = False
    assert scene["wind.on"] is True
    assert "wind.on" in scene and "wind.off" not in scene and 3 not in scene
    assert list(scene) == scene.keys() and len(scene) == len(scene.keys())
    given = types.MappingProxyType({"wind.strength": 3})
    assert lovelock.Scene("bob", set=given)["wind.strength"] == 3


class Slow:
    """A value that lets other threads run while it is asked for."""

    def __fspath__(self):
        time.sleep(0.01)
        return "7.5"


def test_threads_set_parameters_side_by_side():
    scene = small()
    hair = scene.build()

    def set_all(target, key):
        for _ in range(10):
            target[key] = Slow()
            assert target[key] == 7.5

    names = ["wind.strength", "fan.strength"]
    jobs = [(target, name) for target in (scene, hair) for name in names]
    threads = [threading.Thread(target=set_all, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [target[name] for target, name in jobs] == [7.5] * 4


def test_wind_moves_hair_and_a_running_simulation_takes_it_up():
    hair = small().build()
    hair.step(seconds=0.2)
    calm = hair.positions
    hair.reset()
    assert hair.time == 0
    hair["wind.on"] = True
    hair["wind.strength"] = 10
    hair.step(seconds=0.2)
    assert np.abs(hair.positions - calm).max() > 1e-3
    with pytest.raises(lovelock.Error, match="build that again"):
        hair.set("roots.strands", 50)
    assert hair.get("roots.strands") == 200


def test_arrays_are_the_callers_own():
    hair = small(set={"wind.on": True}).build()
    before = hair.positions
    kept = before.copy()
    hair.step(steps=5)
    assert np.array_equal(before, kept), "an array stays as it was"
    out = np.empty_like(before)
    hair.positions_into(out)
    assert np.array_equal(out, hair.positions) and not np.array_equal(out, kept)
    before[:] = 0
    assert np.array_equal(hair.positions, out), "writing into one harms nothing"
    with pytest.raises(lovelock.Error, match="3200, 3"):
        hair.positions_into(np.empty((3, 3), np.float32))
    with pytest.raises(lovelock.Error, match="3200, 3"):
        hair.positions_into(np.empty((9600, 1), np.float32))
    with pytest.raises(lovelock.Error, match="C-contiguous"):
        hair.positions_into(np.empty((3, 3200), np.float32).T)
    for wrong in (np.empty((3200, 3)), np.empty(9600, np.float32), [0.0]):
        with pytest.raises(lovelock.Error, match="float32 array of .vertices, 3."):
            hair.positions_into(wrong)
    out.flags.writeable = False
    with pytest.raises(lovelock.Error, match="not writeable"):
        hair.positions_into(out)


def test_other_threads_run_while_hair_moves():
    hair = lovelock.Scene("bob", strands=2000, vertices=32).build()
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.002)

    ticking = threading.Thread(target=tick)
    ticking.start()
    begun = time.perf_counter()
    hair.step(seconds=1)
    took = time.perf_counter() - begun
    done.set()
    ticking.join()
    during = [t for t in ticks if begun < t < begun + took]
    assert took > 0.02 and len(during) >= 3, (took, len(during))


def test_errors_are_the_programs_sentences(tmp_path):
    assert issubclass(lovelock.Error, ValueError)
    for wrong, sentence in [
        (lambda: small().set("wind.strenght", 3), "did you mean wind.strength?"),
        (lambda: small().get("wind.strenght"), "did you mean wind.strength?"),
        (lambda: small().set("wind.strength", 1e9), "outside its range 0 to 50 m/s"),
        (lambda: small().set("wind.on", object()), "a parameter is a number, a switch"),
        (lambda: lovelock.Scene("bobb"), "there is no built-in scene bobb; did you mean bob?"),
        (lambda: lovelock.Scene("there-is-no.toml"), "there-is-no.toml"),
        (lambda: small(solver="rodd"), 'there is no solver "rodd"'),
        (lambda: lovelock.Scene(sty="x"), "there is no option sty"),
        (lambda: lovelock.Scene(head="no.obj").build(), "no.obj"),
        (lambda: lovelock.Groom.read("no.ply"), "cannot read the groom no.ply"),
        (lambda: small().build().export(tmp_path / "a.xyz"), '"xyz" is no format'),
        (lambda: small().build().export(tmp_path / "no" / "a.ply"), "cannot write"),
        (lambda: small().build().step(seconds=-1), "give seconds"),
        (lambda: small().build().step(float("nan")), "give seconds"),
        (lambda: small().build().step(steps=-1), "give steps"),
        (lambda: small().build().render(3, 3), "from 16 to 16384 pixels"),
        (lambda: small().build().render(-1, 5), "from 16 to 16384 pixels"),
        (lambda: small().build().render(samples=-1), "give samples"),
    ]:
        with pytest.raises(lovelock.Error) as caught:
            wrong()
        text = str(caught.value)
        assert sentence in text and "\n" not in text, text


def test_a_groom_goes_out_and_comes_back(tmp_path):
    hair = small().build()
    hair.step(steps=3)
    path = tmp_path / "hair.usda"
    lost = hair.export(path, units="cm")
    groom = lovelock.Groom.read(path)
    assert len(groom) == 200 and np.array_equal(groom.starts, hair.starts)
    assert groom.metres_per_unit == 0.01 and groom.up == "y" and groom.format == "usda"
    assert np.allclose(groom.points, 100 * hair.positions, atol=1e-3)
    assert groom.widths.shape == (3200,) and groom.colours.shape == (3200, 3)
    assert isinstance(groom.attributes, dict) and isinstance(lost, list)
    again = lovelock.Scene(groom=path).build()
    assert again.starts[-1] > 0 and "200 strands" in again.summary
    assert hair.summary is None and hair.notes == []
    # Five metres beside the head.
    away = lovelock.Groom(groom.points + [500, 0, 0], groom.starts, metres_per_unit=0.01)
    away.write(tmp_path / "away.usda")
    far = lovelock.Scene(groom=tmp_path / "away.usda").build()
    assert far.notes and all(isinstance(note, str) for note in far.notes)


def test_a_name_with_a_hash_is_that_name(tmp_path):
    small().build().export(tmp_path / "take#2.usda")
    assert [path.name for path in tmp_path.iterdir()] == ["take#2.usda"]


def test_handwork_that_is_left_out_is_told(tmp_path):
    path = tmp_path / "pinned.toml"
    pinned = small()
    pinned.save(path)
    with path.open("a") as file:
        file.write("\n[[pin]]\nnumber = 3\nvertex = 9\nplace = [0.1, 0.0, 0.0]\n")
    kept = lovelock.Scene(path)
    with pytest.warns(UserWarning, match="cut, combed and pinned"):
        kept["roots.seed"] = 99
    with pytest.warns(UserWarning, match="cut, combed and pinned"):
        lovelock.Scene(path, seed=99)


def test_strands_of_ones_own_are_written(tmp_path):
    points = np.arange(15, dtype=np.float32).reshape(5, 3)
    starts = np.array([0, 2, 5], np.uint32)
    groom = lovelock.Groom(points, starts, widths=np.full(5, 1e-4, np.float32))
    groom.write(tmp_path / "own.ply")
    back = lovelock.Groom.read(tmp_path / "own.ply")
    assert np.array_equal(back.points, points) and list(back.starts) == [0, 2, 5]
    for bad in ([0, 2], [1, 5], [0, 3, 2, 5], []):
        with pytest.raises(lovelock.Error, match="starts begin with 0"):
            lovelock.Groom(points, np.array(bad, np.uint32))
    with pytest.raises(lovelock.Error, match="3 coordinates"):
        lovelock.Groom(points[:, :2], starts)
    # NumPy's own types, and lists.
    for made in (
        lovelock.Groom(points.astype(float), np.array([0, 2, 5]), widths=np.full(5, 1e-4)),
        lovelock.Groom(points.tolist(), [0, 2, 5], widths=[1e-4] * 5),
    ):
        assert np.array_equal(made.points, points) and made.starts.dtype == np.uint32
        assert np.array_equal(made.widths, groom.widths)
    for bad in ([0.0, 2.0, 5.0], [0, -2, 5], [0, 2, 2**32 + 5], [[0, 2, 5]], "x", 5):
        with pytest.raises(lovelock.Error, match="starts are an array of whole numbers"):
            lovelock.Groom(points, bad)
    for bad in (points[0], "x", [[1, 2, 3], [4]]):
        with pytest.raises(lovelock.Error, match="points are an array of .points, 3."):
            lovelock.Groom(bad, starts)
    points[3, 1] = np.nan
    with pytest.raises(lovelock.Error, match="place of strand 1 at its point 1"):
        lovelock.Groom(points, starts)
    with pytest.raises(lovelock.Error, match="width of strand 0 at its point 1"):
        lovelock.Groom(np.zeros((5, 3)), starts, widths=[1, np.inf, 1, 1, 1])


def test_hair_is_rendered_to_an_array():
    hair = small().build()
    picture = drawn(hair, 160, 120)
    assert picture.shape == (120, 160, 4) and picture.dtype == np.uint8
    assert (picture[..., 3] == 255).all() and picture[..., :3].std() > 5
    behind = drawn(hair, 160, 120, view="back")
    assert np.abs(picture.astype(int) - behind).mean() > 2
    with pytest.raises(lovelock.Error, match="did you mean back?"):
        hair.render(160, 120, view="bak")
    assert hair.time == 0, "a picture moves nothing"


def test_everything_has_a_docstring_and_a_type():
    stub = (pathlib.Path(lovelock.__file__).parent / "_lovelock.pyi").read_text()
    for name in lovelock.__all__:
        if name == "__version__":
            continue
        thing = getattr(lovelock, name)
        assert inspect.getdoc(thing), name
        assert re.search(rf"^(class|def) {name}\b", stub, re.M), name
        for member in vars(thing) if inspect.isclass(thing) else []:
            if not member.startswith("_"):
                assert inspect.getdoc(getattr(thing, member)), f"{name}.{member}"
                assert re.search(rf"^    def {member}\(", stub, re.M), f"{name}.{member}"


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.S)


@pytest.mark.parametrize("number", range(len(blocks(ROOT / "docs/python.md"))))
def test_every_block_of_the_page_runs(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A block may use what the ones before it have made.
    space = {}
    for block in blocks(ROOT / "docs/python.md")[: number + 1]:
        try:
            exec(block, space)
        except lovelock.Error as error:
            if is_skipped(error):
                pytest.skip(str(error))
            raise


def test_the_notebook_runs(tmp_path, monkeypatch):
    import json

    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "python/examples/compare_methods.ipynb").read_text())
    code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    assert not any(c.get("outputs") for c in notebook["cells"])
    space = {}
    # The last cell is the plot, which wants matplotlib.
    for cell in code[:-1]:
        exec(cell, space)
    assert set(space["tips"]) == set(lovelock.methods())
    assert all(len(row) == len(space["times"]) for row in space["tips"].values())
