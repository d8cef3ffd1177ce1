"""Types of what is written in Rust; the docstrings are those of the module itself."""

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Path = str | PathLike[str]
_Value = bool | int | float | str | PathLike[str] | Sequence[float] | NDArray[Any]

__all__ = [
    "Error",
    "__version__",
    "Scene",
    "Simulation",
    "Groom",
    "Attribute",
    "scenes",
    "methods",
]

__version__: str

class Error(ValueError):
    """What went wrong: one sentence that says what, where and what to do."""

@final
class Scene:
    """Everything that a run is made of: head, hair, forces, look, camera."""

    def __new__(
        cls,
        source: _Path | None = None,
        *,
        set: Mapping[str, _Value] | None = None,
        head: _Path | None = None,
        head_sequence: _Path | None = None,
        groom: _Path | None = None,
        solver: str | None = None,
        style: str | None = None,
        colour: str | None = None,
        motion: str | None = None,
        strands: int | None = None,
        vertices: int | None = None,
        seed: int | None = None,
    ) -> Scene: ...
    def set(self, key: str, value: _Value) -> None:
        """Sets a parameter by its name."""
    def get(self, key: str) -> Any:
        """The value of a parameter."""
    def __getitem__(self, key: str, /) -> Any: ...
    def __setitem__(self, key: str, value: _Value, /) -> None: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def keys(self) -> list[str]:
        """The names of all parameters."""
    def copy(self) -> Scene:
        """A scene of its own with the same parameters."""
    def save(self, path: _Path) -> None:
        """Writes what differs from the defaults to a scene file."""
    def build(self) -> Simulation:
        """Builds head and hair; they rest, at time zero."""

@final
class Simulation:
    """Hair in motion on a head, built by ``Scene.build``."""

    def step(self, seconds: float | None = None, *, steps: int | None = None) -> None:
        """Moves the hair on; other Python threads run meanwhile."""
    def reset(self) -> None:
        """Puts the hair back to where it was built, at time zero."""
    def set(self, key: str, value: _Value) -> None:
        """Sets a parameter of the running simulation."""
    def get(self, key: str) -> Any:
        """The value of a parameter."""
    def __getitem__(self, key: str, /) -> Any: ...
    def __setitem__(self, key: str, value: _Value, /) -> None: ...
    @property
    def time(self) -> float:
        """Simulated time since the beginning, in seconds."""
    @property
    def positions(self) -> NDArray[np.float32]:
        """Where the vertices are now, (vertices, 3), metres; a new array each time."""
    def positions_into(self, out: NDArray[np.float32]) -> None:
        """Writes where the vertices are now into an array that is there."""
    @property
    def rest(self) -> NDArray[np.float32]:
        """Where the vertices were modelled, (vertices, 3), metres."""
    @property
    def starts(self) -> NDArray[np.uint32]:
        """Where each strand begins among the vertices, and the end."""
    def head(self) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
        """The head's vertices now and its triangles."""
    @property
    def summary(self) -> str | None:
        """How a groom's file came onto the head; None of grown hair."""
    @property
    def notes(self) -> list[str]:
        """What was left out, taken otherwise or is odd, a sentence each."""
    def statistics(self) -> dict[str, Any]:
        """What is measured of the hair."""
    def export(
        self,
        path: _Path,
        *,
        format: str | None = None,
        units: Literal["m", "cm", "mm"] = "m",
        drawn: bool = False,
        head: bool = False,
    ) -> list[str]:
        """Writes the hair as it is now; returns what the file does not hold."""
    def render(
        self, width: int = 640, height: int = 480, *, samples: int = 1, view: str | None = None
    ) -> NDArray[np.uint8]:
        """A picture of the hair as it is now, (height, width, 4)."""

@final
class Attribute:
    """A column of values of a groom's file."""

    @property
    def name(self) -> str:
        """What the file calls it, or its name in Unreal's groom schema."""
    @property
    def of(self) -> Literal["groom", "strand", "point"]:
        """What a row belongs to."""
    @property
    def values(self) -> NDArray[Any] | list[str]:
        """An array of one row each; a list of words."""

@final
class Groom:
    """The strands of a file, in its unit and its order."""

    def __new__(
        cls,
        points: ArrayLike,
        starts: ArrayLike,
        *,
        widths: ArrayLike | None = None,
        metres_per_unit: float = 1.0,
    ) -> Groom: ...
    @staticmethod
    def read(path: _Path) -> Groom:
        """Reads a groom's file of any format that the program knows."""
    def write(self, path: _Path, *, format: str | None = None) -> list[str]:
        """Writes it; returns what the file does not hold."""
    @property
    def points(self) -> NDArray[np.float32]:
        """Points of all strands, (points, 3), in the file's unit; a new array."""
    @property
    def starts(self) -> NDArray[np.uint32]:
        """Where each strand begins among the points, and the end."""
    @property
    def widths(self) -> NDArray[np.float32] | None:
        """How thick hair is at each point."""
    @property
    def colours(self) -> NDArray[np.float32] | None:
        """Linear red, green and blue of each point."""
    @property
    def root_uvs(self) -> NDArray[np.float32] | None:
        """Where each strand is rooted on the head's texture."""
    @property
    def attributes(self) -> dict[str, Attribute]:
        """What else the file says, by name."""
    @property
    def format(self) -> str:
        """The id of the format that it was read from; "arrays" of one's own."""
    @property
    def metres_per_unit(self) -> float | None:
        """The unit that the file says it has, in metres."""
    @property
    def up(self) -> str | None:
        """The axis that the file says points up."""
    @property
    def notes(self) -> list[str]:
        """What was left out or taken otherwise than written, a sentence each."""
    def __len__(self) -> int: ...

def scenes() -> list[str]:
    """The names of the scenes that come with the program."""

def methods() -> list[str]:
    """The ids of the methods that move strands: values of ``sim.solver``."""
