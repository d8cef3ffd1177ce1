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
        "Ring, bar of the head",
        "Turn, scale it; Shift turns by steps of 15°",
    ),
    ("Middle drag, Shift+drag", "Pan"),
    ("Right drag", "Turn the head"),
    ("Shift+right drag", "Move the head"),
    ("Wheel", "Zoom; so does a pinch on a touchpad"),
    ("Number key over a side", "The method of that side"),
    ("Double-click on the rail", "Add a keyframe there"),
    (
        "Drag of a keyframe",
        "Put it at another time; with Alt a copy",
    ),
    ("Right click on a keyframe", "Copy or delete it"),
    (
        "Ctrl+C, Ctrl+V",
        "Copy the chosen keyframe, put it at the play head",
    ),
    ("Delete, Backspace", "Delete the chosen keyframe"),
    (
        "Drop a file",
        "Load a head (.obj, .glb, ...), a groom (.hair, .usda, ...), a scene (.toml, or .png with \
         one in it), an environment (.hdr, .exr) or a density map (.png, .jpg), play a cache",
    ),
];
