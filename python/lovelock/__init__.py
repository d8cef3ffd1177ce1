"""Curly hair that moves on a head: scenes, simulation, grooms and pictures.

>>> import lovelock
>>> scene = lovelock.Scene("bob", strands=500)
>>> hair = scene.build()
>>> hair.step(seconds=2)
>>> hair.positions          # float32, (vertices, 3)

Errors are ``lovelock.Error``, a ``ValueError``, with one sentence that says what,
where and what to do.
"""

from ._lovelock import (
    Attribute,
    Error,
    Groom,
    Scene,
    Simulation,
    __version__,
    methods,
    scenes,
)

__all__ = [
    "Attribute",
    "Error",
    "Groom",
    "Scene",
    "Simulation",
    "__version__",
    "methods",
    "scenes",
]
