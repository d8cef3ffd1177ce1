//! How hair and set are drawn.

use crate::{
    choice, param,
    param::{Kind, Ramp},
    params,
};
use glam::{Vec3, Vec4};

choice! {
    /// What strands are drawn as.
    pub enum Geometry {
        /// Lines of the driver, one pixel wide or as wide as it allows.
        Lines = "lines",
        /// Bands of their true width that face the camera, with soft edges.
        Ribbons = "ribbons",
        /// Solid and round, never thinner than a pixel.
        Tubes = "tubes",
    }
}

choice! {
    /// How strands meet the light.
    pub enum Shading {
        /// The painted colours, without light.
        Flat = "flat",
        /// Painted colours with two highlights (Kajiya and Kay 1989).
        KajiyaKay = "kajiya-kay",
        /// Pigmented fibres: light mirrored, let through and scattered
        /// (Marschner et al. 2003).
        Fibre = "fibre",
    }
}

choice! {
    /// What the head is made of.
    pub enum HeadFinish {
        /// Skin, with blood that shows through and an oily film; in its own colours if its file has some.
        Skin = "skin",
        /// A shop's mannequin, matt and grey, that leaves all attention to the hair.
        Mannequin = "mannequin",
    }
}

params! {
    /// How hair and set are drawn.
    pub struct LookParams: "look" {
        /// What strands are drawn as: soft ribbons of their true width, solid tubes for close-ups, or plain lines.
        geometry: Geometry = Geometry::Ribbons, Kind::Choice(Geometry::NAMES), "", "Strands as";
        /// How strands meet the light: "fibre" computes light in pigmented hair, the others paint it.
        shading: Shading = Shading::Fibre, Kind::Choice(Shading::NAMES), "", "Shading";
        /// Dark pigment: 0 white, 0.2 blond, 1 brown, 6 black.
        eumelanin: f32 = 0.75, param::float(0.0, 8.0), "", "Eumelanin";
        /// Dark pigment of the roots beside that of all hair, where bleached hair has grown out.
        root_eumelanin: f32 = 0.0, param::float(0.0, 4.0), "", "Dark roots";
        /// Reddish pigment: 0 none, 1.3 red.
        pheomelanin: f32 = 0.5, param::float(0.0, 4.0), "", "Pheomelanin";
        /// Light that a dye takes out of each colour, beside the pigment: more is darker.
        dye: [f32; 3] = [0.0, 0.0, 0.0], Kind::Triple { range: 0.0..=4.0 }, "", "Dye";
        /// Share of strands that are white.
        grey: f32 = 0.0, param::float(0.0, 1.0), "", "Grey";
        /// A second colour, as it looks in the light: bleached or dyed tips and streaks have it.
        tone_colour: [f32; 3] = [0.47, 0.36, 0.20], Kind::Colour, "", "Second colour";
        /// Share of the strands' length, from the tip, that has the second colour.
        tone_tips: f32 = 0.0, param::float(0.0, 1.0), "", "Tips in it";
        /// How slowly the second colour sets in: 0 as if the tips were dipped in it, 1 all the way to the tip.
        tone_blend: f32 = 0.6, param::float(0.0, 1.0), "", "Soft transition";
        /// Share of the head's streaks that have the second colour nearly from the root.
        tone_streaks: f32 = 0.0, param::float(0.0, 1.0), "", "Streaks in it";
        /// How rough the fibres are: 0.2 sleek with narrow highlights, 0.5 dry.
        roughness: f32 = 0.31, param::float(0.1, 0.8), "", "Roughness";
        /// Painted colour at the root, linear; the scalp's where shading is painted.
        root_colour: [f32; 3] = [0.022, 0.010, 0.005], Kind::Colour, "", "Root colour";
        /// Painted colour at the tip, linear.
        tip_colour: [f32; 3] = [0.118, 0.050, 0.021], Kind::Colour, "", "Tip colour";
        /// How much the strands' colours differ from one to the next.
        variation: f32 = 0.35, param::float(0.0, 1.0), "", "Variation";
        /// Strength of the highlight along the strands.
        shine: f32 = 0.6, param::float(0.0, 2.0), "", "Shine";
        /// Diameter that strands are drawn with; real hair has 50 to 100 micrometres. How it moves does not depend on it, but on "Fibre diameter" in Hair material. Hair from a file keeps the file's widths at the default of 75 micrometres and scales them in proportion otherwise.
        width: f32 = 0.000075, param::log_float(0.00001, 0.005), "m", "Drawn diameter";
        /// How thick strands are from root to tip, as a share of their diameter.
        width_ramp: Ramp = Ramp([1.0, 1.0, 1.0, 0.8, 0.33]), param::ramp(0.0, 2.0), "", "Diameter along";
        /// How much strands are widened where they are fewer than on a head: 0 keeps the diameter, 1 keeps the hair as dense.
        fullness: f32 = 1.0, param::float(0.0, 1.0), "", "Fullness";
        /// Share of the strands that is drawn; less is faster where the processor draws.
        drawn: f32 = 1.0, param::float(0.01, 1.0), "", "Strands drawn";
        /// Pieces drawn for each segment of a strand: more make curls round, fewer are faster.
        rounding: f32 = 1.5, param::float(0.25, 4.0), "", "Rounding";
        /// What the head is made of: skin, or the matt grey of a mannequin, as bright as the skin's colour asks for.
        head: HeadFinish = HeadFinish::Skin, Kind::Choice(HeadFinish::NAMES), "", "Head";
        /// Colour of the head, linear.
        skin_colour: [f32; 3] = [0.245, 0.132, 0.090], Kind::Colour, "", "Skin colour";
        /// How red lips and cheeks are on the built-in head: 0 leaves the skin one colour.
        flush: f32 = 1.0, param::float(0.0, 2.0), "", "Lips and cheeks";
        /// Share of the built-in head's brows and lashes that is drawn.
        brows: f32 = 1.0, param::float(0.0, 1.0), "", "Brows and lashes";
        /// Colour of the band that ties hair, linear.
        band_colour: [f32; 3] = [0.016, 0.013, 0.014], Kind::Colour, "", "Band colour";
        /// How wide the band is that ties hair; 0 draws none.
        band_width: f32 = 0.008, param::float(0.0, 0.03), "m", "Band width";
        /// Colour of the backdrop, linear.
        backdrop: [f32; 3] = [0.060, 0.064, 0.074], Kind::Colour, "", "Backdrop";
        /// Brightness of the whole picture.
        exposure: f32 = 1.0, param::log_float(0.1, 10.0), "", "Exposure";
        /// Whether the head is drawn.
        show_head: bool = true, Kind::Bool, "", "Show head";
        /// Whether strands are drawn.
        show_hair: bool = true, Kind::Bool, "", "Show hair";
        /// How much hair shades itself and the head.
        shadow: f32 = 1.0, param::float(0.0, 3.0), "", "Shadow";
        /// Samples for each pixel's edges: 1 is fastest, 4 is smooth.
        samples: u32 = 4u32, param::int(1, 8), "", "Edge samples";
    }
}

impl Geometry {
    /// The one after it, and after the last the first.
    pub fn next(self) -> Self {
        match self {
            Self::Ribbons => Self::Tubes,
            Self::Tubes => Self::Lines,
            Self::Lines => Self::Ribbons,
        }
    }
}

/// Strands on a full head, which fewer are widened to make up for.
pub const FULL_HEAD: u32 = 100_000;

/// How much wider each of so many strands must be to hide about as much as a
/// full head: between one width for all and one cover for all, and six at most.
pub(super) fn widening(strands: usize) -> f32 {
    let rule = (FULL_HEAD as f32 / strands.max(1) as f32).powf(0.75);
    rule.clamp(1.0, 6.0)
}

/// The red, green and blue shares of light's brightness (ITU-R BT.709), and a little
/// warmth: what skin's colour becomes on a mannequin.
const BRIGHTNESS: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
const PLASTER: Vec3 = Vec3::new(1.62, 1.6, 1.56);

impl LookParams {
    /// Colour of the head in linear light, and 1 in the last place for a mannequin,
    /// else 0.
    pub(super) fn surface_colour(&self) -> Vec4 {
        let skin = Vec3::from(self.skin_colour);
        match self.head {
            HeadFinish::Skin => skin.extend(0.0),
            HeadFinish::Mannequin => {
                let grey = PLASTER * skin.dot(BRIGHTNESS);
                grey.min(Vec3::splat(0.7)).extend(1.0)
            }
        }
    }

    /// Diameter at which each of `strands` is drawn. `[m]`
    pub fn drawn_width(&self, strands: usize) -> f32 {
        self.width * (1.0 + self.fullness * (widening(strands) - 1.0))
    }
}
