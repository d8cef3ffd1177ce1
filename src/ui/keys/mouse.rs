//! Gestures of the mouse, and keys of what it has chosen, for the list of keys.

/// What the mouse does, for the list.
pub const MOUSE: &[(&str, &str)] = &[
    ("Left drag", "Orbit"),
    ("Alt+left drag", "Orbit with a tool in hand"),
    (
        "Left click",
        "Pick a strand for the inspector, or a body; on nothing, none",
    ),
    (
        "Handles of a body",
        "Move, turn, scale it; Shift scales evenly",
    ),
    (
        "Ring, square of the head",
        "Turn, scale it; Shift turns by steps of 15°",
    ),
    ("Arrow of the wind", "Turn the wind"),
    (
        "Cone of the fan",
        "Aim the fan by its point, move it by its ring",
    ),
    (
        "Sun of the key light",
        "Turn the key light, or the environment",
    ),
    ("Middle drag, Shift+drag", "Pan"),
    ("Right drag", "Turn the head"),
    ("Shift+right drag", "Move the head"),
    ("Wheel", "Zoom; so does a pinch on a touchpad"),
    ("Number key over a side", "The method of that side"),
    (
        "Diamond before a row",
        "Key that number at the present time, or remove its key there",
    ),
    (
        "Right click on a row",
        "Key that number, remove its key or all of them, show their graph",
    ),
    (
        "Double-click on the timeline",
        "Add a keyframe there; without any, keys of all numbers that have some",
    ),
    (
        "Drag of a key on the timeline",
        "Put it at another time; with Alt a copy; with Ctrl between frames",
    ),
    (
        "Double-click on a key there, in the graph",
        "Type its time and value",
    ),
    (
        "Right click on a key there",
        "How it goes to the next, its graph, type, copy or delete it",
    ),
    (
        "Right click on the timeline",
        "Where the shot ends, how long it is; record it",
    ),
    ("Drag of the end of the shot", "Its length"),
    (
        "Drag of a key in the graph",
        "Another time and value; Shift keeps one of them, Alt copies, Ctrl goes between frames",
    ),
    ("Double-click in the graph", "Add a key there"),
    (
        "Ctrl+C, Ctrl+V",
        "Copy the chosen key, put it at the time that is shown",
    ),
    ("Delete, Backspace", "Delete the chosen key"),
    (
        "Drop a file",
        "Load a head (.obj, .glb, ...), a groom (.hair, .usda, ...), a scene (.toml, or .png with \
         one in it), an environment (.hdr, .exr) or a density map (.png, .jpg), play a cache",
    ),
];
