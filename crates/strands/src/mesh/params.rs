//! Which head, how its file is read, and where strands are rooted on it.

use crate::{choice, param, param::Kind, params};
use glam::Vec3;

choice! {
    /// The length unit of a model file.
    pub enum Units {
        /// The unit that makes the head in the model as large as a head.
        Auto = "auto",
        /// Metres.
        Metres = "m",
        /// Decimetres.
        Decimetres = "dm",
        /// Centimetres.
        Centimetres = "cm",
        /// Millimetres.
        Millimetres = "mm",
    }
}

choice! {
    /// The axis that points up in a model file.
    pub enum Up {
        /// Judged from the shape.
        Auto = "auto",
        /// y is up.
        Y = "y",
        /// z is up.
        Z = "z",
        /// x is up, and the face towards y.
        X = "x",
    }
}

impl Units {
    /// The units that a file can have.
    pub const ALL: [Self; 4] = [
        Self::Metres,
        Self::Decimetres,
        Self::Centimetres,
        Self::Millimetres,
    ];

    /// Its length; that of a metre for auto. `[m]`
    pub fn metres(self) -> f32 {
        match self {
            Self::Auto | Self::Metres => 1.0,
            Self::Decimetres => 0.1,
            Self::Centimetres => 0.01,
            Self::Millimetres => 0.001,
        }
    }
}

impl Up {
    /// A point of a file with this axis up, with y up.
    pub fn upright(self, p: Vec3) -> Vec3 {
        match self {
            Self::Auto | Self::Y => p,
            Self::Z => Vec3::new(p.x, p.z, -p.y),
            Self::X => Vec3::new(p.z, p.x, p.y),
        }
    }
}

impl Up {
    /// A point with y up, in a file with this axis up: undoes [`upright`](Self::upright).
    pub fn laid(self, p: Vec3) -> Vec3 {
        match self {
            Self::Auto | Self::Y => p,
            Self::Z => Vec3::new(p.x, -p.z, p.y),
            Self::X => Vec3::new(p.y, p.z, p.x),
        }
    }
}

choice! {
    /// How root positions are drawn.
    pub enum Sequence {
        /// The next as far from all before as can be (Poisson disks): no two stand close together.
        Poisson = "poisson",
        /// A seeded Halton sequence: even, and drawn at once.
        Halton = "halton",
        /// A plain random generator.
        Random = "random",
    }
}

params! {
    /// Which head, and how its file is read.
    pub struct HeadParams: "head" {
        /// The head as a file (.obj, .glb, .gltf, .usda, .usdc, .usdz, .abc); empty for the built-in bust.
        file: String = "", Kind::Text, "", "File";
        /// Length unit of the file; auto takes what the file says, or picks the one that makes the model head-sized.
        units: Units = Units::Auto, Kind::Choice(Units::NAMES), "", "Units";
        /// The file's upward axis; auto takes what the file says, or judges from the shape.
        up: Up = Up::Auto, Kind::Choice(Up::NAMES), "", "Up axis";
        /// The head, stood upright, is turned about the vertical by so much, anticlockwise as seen from above: until its face looks to the front.
        turn: f32 = 0.0, param::float(-180.0, 180.0), "°", "Turn";
        /// Turns the head over, for a file in which it stands upside down; the face stays in front.
        flip: bool = false, Kind::Bool, "", "Upside down";
        /// Size of the head, for a file in another unit than these, or to taste.
        scale: f32 = 1.0, param::log_float(0.01, 100.0), "", "Scale";
    }
}

params! {
    /// Where strands are rooted.
    pub struct RootParams: "roots" {
        /// Number of strands to plant; fewer where a map or the brush thins them out.
        strands: u32 = 2500u32, param::log_int(1, 200_000), "", "Strands";
        /// A face carries hair when its normal leans at most this far from straight up; beyond 90 hair grows below the widest part of the skull too. A named group "scalp" is used whole instead.
        limit_angle: f32 = 90.0, param::float(1.0, 180.0), "°", "Limit angle";
        /// Without a scalp group, hair grows at most this far below the crown, in heights of the head from crown to chin.
        reach: f32 = 0.538, param::float(0.02, 4.0), "", "Reach below crown";
        /// How far the hairline is tilted back: higher on the forehead, lower at the nape.
        tilt: f32 = 40.0, param::float(-45.0, 60.0), "°", "Hairline tilt";
        /// Plant on the group "scalp" where the mesh names one.
        use_scalp: bool = true, Kind::Bool, "", "Use scalp group";
        /// How positions are drawn: Poisson disks that keep their distance, an even Halton sequence, or plain random numbers.
        sequence: Sequence = Sequence::Poisson, Kind::Choice(Sequence::NAMES), "", "Sequence";
        /// The line on the scalp from which hair falls to both sides: points x y z in thousandths of the head's height, from over the middle of the skull; empty parts it in the middle.
        parting: String = "", Kind::Text, "", "Parting";
        /// Hair thins out over so much of the scalp's rim, to a sixth at its edge, which is ragged; strands get finer and some are short. 0 lets it end there at once.
        hairline: f32 = 0.013, param::float(0.0, 0.05), "m", "Soft hairline";
        /// Fine short hairs that are drawn along each centimetre of the hairline, an eighth of all other hair at the most; 0 leaves it bare.
        vellus: f32 = 40.0, param::float(0.0, 100.0), "1/cm", "Vellus hairs";
        /// Grey picture over the head's texture coordinates: no hair where it is black, all of it where it is white.
        density_map: String = "", Kind::Text, "", "Density map";
        /// Grey picture: hair is as long as set where it is white, a stubble where it is black.
        length_map: String = "", Kind::Text, "", "Length map";
        /// Grey picture: curls are as wide as set where it is white, straight where it is black.
        curl_map: String = "", Kind::Text, "", "Curl map";
        /// Grey picture: hair is as stiff as its method says where it is white, limp where it is black.
        stiffness_map: String = "", Kind::Text, "", "Stiffness map";
        /// Coloured picture: hair has the colour that is under its root, in place of the look's.
        colour_map: String = "", Kind::Text, "", "Colour map";
        /// What the brush has thinned out and planted back: dabs, each x y z radius in millimetres, hardness, strength.
        painted: String = "", Kind::Text, "", "Painted";
        /// What the brush has shortened and grown back, written in the same way.
        painted_length: String = "", Kind::Text, "", "Painted length";
        /// What the brush has straightened and curled again, written in the same way.
        painted_curl: String = "", Kind::Text, "", "Painted curl";
        /// What the brush has made limp and stiff again, written in the same way.
        painted_stiffness: String = "", Kind::Text, "", "Painted stiffness";
        /// Another seed, another head of hair.
        seed: u32 = 1u32, param::int(0, 999_999), "", "Seed";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stood_upright_is_laid_down_again() {
        let p = Vec3::new(0.1, -0.2, 0.3);
        for up in [Up::Auto, Up::Y, Up::Z, Up::X] {
            assert_eq!(up.laid(up.upright(p)), p, "{up:?}");
        }
        assert_eq!(Up::Z.laid(Vec3::Y), Vec3::Z);
        assert_eq!(Up::X.laid(Vec3::Y), Vec3::X);
    }
}
