//! Which texture unit each sampler of the shaders reads. What is read in every frame has
//! its own, so that what is bound once stays bound from frame to frame.

/// Finished or summed light of a picture; the layer of the processor's strokes, and the
/// depths that they ask for. The first
/// unit is left to what sets the content of textures, and to the panel's painter.
pub(in crate::render) const PICTURE: u32 = 10;
/// An environment's picture.
pub(in crate::render) const ENVIRONMENT: u32 = 9;
/// The backdrop.
pub(in crate::render) const BEHIND: u32 = 1;
/// Widths of the guides' vertices.
pub(in crate::render) const OWN_WIDTHS: u32 = 2;
/// Where each guide begins.
pub(in crate::render) const STARTS: u32 = 3;
/// What is known of each drawn strand.
pub(in crate::render) const RECORDS: u32 = 4;
/// Points of the drawn strands.
pub(in crate::render) const POINTS: u32 = 5;
/// Colours of these points.
pub(in crate::render) const COLOURS: u32 = 6;
/// Segments in the order in which they are drawn.
pub(in crate::render) const ORDER: u32 = 7;
/// The boxes of optical depth: what keeps light from places.
pub(in crate::render) const OCCLUSION: u32 = 8;
/// The head's depth as the key light sees it.
pub(in crate::render) const KEY_SEES: u32 = 11;
/// Colours of the head's material.
pub(in crate::render) const COLOUR_MAP: u32 = 12;
/// Normals of the head's material.
pub(in crate::render) const NORMAL_MAP: u32 = 13;
/// Positions of the guides' vertices.
pub(in crate::render) const POSITIONS: u32 = 14;
/// Points of brows and lashes.
pub(in crate::render) const FACE_POINTS: u32 = 15;
/// Colours of these points.
pub(in crate::render) const FACE_COLOURS: u32 = 16;

/// Number of units that are in use, and the one in front of them; OpenGL 3.3 has at least 48.
pub(super) const COUNT: usize = {
    let (mut last, mut i) = (0, 0);
    while i < SAMPLERS.len() {
        if SAMPLERS[i].1 > last {
            last = SAMPLERS[i].1;
        }
        i += 1;
    }
    last as usize + 1
};

/// The unit of each sampler by its name in the shaders.
pub(super) const SAMPLERS: [(&str, u32); 18] = [
    ("light", PICTURE),
    ("layer", PICTURE),
    ("depths", PICTURE),
    ("panorama", ENVIRONMENT),
    ("behind", BEHIND),
    ("own_widths", OWN_WIDTHS),
    ("starts", STARTS),
    ("records", RECORDS),
    ("points", POINTS),
    ("colours", COLOURS),
    ("order", ORDER),
    ("occlusion", OCCLUSION),
    ("key_sees", KEY_SEES),
    ("colour_map", COLOUR_MAP),
    ("normal_map", NORMAL_MAP),
    ("positions", POSITIONS),
    ("face_points", FACE_POINTS),
    ("face_colours", FACE_COLOURS),
];
