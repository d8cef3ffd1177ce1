//! What every shader knows of a frame: camera, lights, colours. One uniform
//! block, so that no pass can forget a part of it.

use super::{
    Camera, Geometry, LookParams, Shading, View, floor::Floor, hair::HairDrawParams,
    lighting::Lighting, occlusion::Place, pigment,
};
use crate::math::{Pose, random::strand_random};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4};

/// The uniform block `Frame` of shaders/frame.glsl, in the same order (std140).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct FrameBlock {
    view_projection: Mat4,
    inverse_view_projection: Mat4,
    head_to_world: Mat4,
    base_to_world: Mat4,
    pub world_to_shadow: Mat4,
    eye: Vec4,
    light_direction: [Vec4; 4],
    light_colour: [Vec4; 4],
    sky: Vec4,
    ground: Vec4,
    ambient: [Vec4; 9],
    environment: Vec4,
    backdrop: Vec4,
    root_colour: Vec4,
    tip_colour: Vec4,
    skin_colour: Vec4,
    floor_place: Vec4,
    stand_foot: Vec4,
    picture: Vec4,
    glow: Vec4,
    box_low: Vec4,
    box_scale: Vec4,
    window: Vec4,
    scalp_colour: Vec4,
    strand: Vec4,
    spread: Vec4,
    stray: Vec4,
    fly_away: Vec4,
    pigment: Vec4,
    dye: Vec4,
    tone: Vec4,
    tone_places: Vec4,
    widths: [Vec4; 5],
}

/// A rigid motion as shaders take it.
fn matrix(pose: &Pose) -> Mat4 {
    Mat4::from_rotation_translation(pose.rotation, pose.translation)
}

/// The part of a picture that is drawn at once, and where in pixel and lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    /// Width and height of the whole picture. `[px]`
    pub full: [u32; 2],
    /// Lower left corner of the part. `[px]`
    pub origin: [u32; 2],
    /// Its width and height. `[px]`
    pub size: [u32; 2],
    /// How far the picture is shifted. `[px]`
    pub jitter: Vec2,
    /// Where on the lens, from its middle. `[m]`
    pub lens: Vec2,
    /// How far before the camera what is sharp lies. `[m]`
    pub focus: f32,
    /// This picture's share in an average, 0..=1.
    pub share: f32,
}

impl Part {
    /// All of a picture of that size `[px]`, by itself.
    pub fn whole(size: [u32; 2]) -> Self {
        Self {
            full: size,
            origin: [0; 2],
            size,
            jitter: Vec2::ZERO,
            lens: Vec2::ZERO,
            focus: 1.0,
            share: 1.0,
        }
    }

    /// From the whole picture's clip space to the part's.
    fn window(&self) -> Mat4 {
        let pixels = |v: [u32; 2]| Vec2::new(v[0] as f32, v[1] as f32);
        let (full, size) = (pixels(self.full), pixels(self.size).max(Vec2::ONE));
        let shift = (full - 2.0 * pixels(self.origin) + 2.0 * self.jitter) / size - 1.0;
        Mat4::from_translation(shift.extend(0.0)) * Mat4::from_scale((full / size).extend(1.0))
    }

    /// Another place on the lens sees what is in focus where the middle sees it.
    fn through_lens(&self) -> Mat4 {
        let mut lens = Mat4::IDENTITY;
        lens.z_axis.x = -self.lens.x / self.focus;
        lens.z_axis.y = -self.lens.y / self.focus;
        lens.w_axis.x = -self.lens.x;
        lens.w_axis.y = -self.lens.y;
        lens
    }

    /// That place on the lens. `[m]`
    fn eye(&self, camera: &Camera) -> Vec3 {
        let aside = camera.view().inverse();
        camera.position() + aside.transform_vector3(self.lens.extend(0.0))
    }
}

impl FrameBlock {
    /// From the world to clip space.
    pub fn view_projection(&self) -> Mat4 {
        self.view_projection
    }

    /// The direction towards the key light; unit length.
    pub fn key_light(&self) -> Vec4 {
        self.light_direction[0]
    }

    /// Pixels that a metre takes at a distance of one.
    pub fn pixels_at_one(&self) -> f32 {
        self.strand.z
    }

    /// Share of the diameter that a strand is wide at `t`, 0 at the root and 1 at the
    /// tip: as shaders/width.glsl has it.
    pub fn taper(&self, t: f32) -> f32 {
        let share = |k: usize| self.widths[k / 4][k % 4];
        let x = t.clamp(0.0, 1.0) * 16.0;
        let k = (x as usize).min(15);
        let width = share(k) + (share(k + 1) - share(k)) * (x - k as f32);
        let leaving = (t / 0.03).clamp(0.0, 1.0);
        width * (0.7 + 0.3 * leaving * leaving * (3.0 - 2.0 * leaving))
    }

    /// The width of a single hair, as a share of the diameter, which is larger where a
    /// strand stands for several.
    pub fn single(&self) -> f32 {
        self.stray.w
    }

    /// Whether follower `id` stands off from the hair, and the width that it has
    /// then, as a share of the diameter.
    pub fn fly_away(&self, id: u32) -> Option<f32> {
        (strand_random(id, 7) < self.spread.w).then_some(self.single())
    }

    /// The same with colours painted over the head, or without.
    pub fn tinted(mut self, tinted: bool) -> Self {
        self.stray.z = f32::from(tinted);
        self
    }

    /// The same for several samples a pixel, or for one.
    pub fn sampled(mut self, sampled: bool) -> Self {
        self.strand.w = f32::from(sampled);
        self
    }

    /// The same wherever head and hair are.
    pub fn without_moving(&self) -> Self {
        let place = |v: Vec4| Vec4::new(0.0, 0.0, 0.0, v.w);
        Self {
            head_to_world: Mat4::IDENTITY,
            base_to_world: Mat4::IDENTITY,
            // Its direction is that of the light, which is there too.
            world_to_shadow: Mat4::IDENTITY,
            box_low: place(self.box_low),
            box_scale: place(self.box_scale),
            stand_foot: place(self.stand_foot),
            ..*self
        }
    }

    /// The same over a head whose base is there in its own space.
    #[must_use]
    pub fn on_base(self, base: &Pose, floor: &Floor) -> Self {
        let base_to_world = match *base == Pose::IDENTITY {
            true => self.head_to_world,
            false => self.head_to_world * matrix(base),
        };
        let mut foot = floor.place;
        if floor.follows {
            let goes_to = base_to_world.transform_point3(foot.with_y(foot.y + floor.stand));
            foot = goes_to.with_y(foot.y);
        }
        Self {
            base_to_world,
            stand_foot: foot.extend(floor.column),
            ..self
        }
    }

    pub fn new(
        view: &View,
        part: &Part,
        lighting: &Lighting,
        floor: &Floor,
        shade: &Place,
        world_to_shadow: Mat4,
        stroke: &HairDrawParams,
    ) -> Self {
        let camera = view.camera;
        let LookParams {
            root_colour,
            tip_colour,
            backdrop,
            shading,
            eumelanin,
            root_eumelanin,
            pheomelanin,
            dye,
            grey,
            roughness,
            ..
        } = *view.look;
        let (follow, flying) = (view.followers, stroke.flying);
        // A single hair, however many its neighbours stand for.
        let fly_width = view.look.width / stroke.width.max(f32::MIN_POSITIVE);
        let scalp = match shading {
            Shading::Fibre => pigment::thick_at_roots(view.look) * 0.6 + Vec3::splat(0.006),
            Shading::Flat | Shading::KajiyaKay => Vec3::from(root_colour) * 0.6,
        };
        // Pixels that a metre takes a metre away.
        let [full_width, full_height] = part.full.map(|s| s.max(1) as f32);
        let magnification = 0.5 * full_height / (camera.fov * 0.5).tan();
        let [width, height] = part.size.map(|s| s.max(1) as f32);
        let aspect = full_width / full_height;
        let whole = camera.projection(aspect) * part.through_lens() * camera.view();
        let view_projection = part.window() * whole;
        let colour = |c: [f32; 3], a: f32| Vec3::from(c).extend(a);
        // The glow sits behind the head, wherever the camera shows it.
        let middle = whole.project_point3(camera.target);
        Self {
            view_projection,
            inverse_view_projection: view_projection.inverse(),
            head_to_world: matrix(&view.pose),
            base_to_world: matrix(&view.pose),
            world_to_shadow,
            eye: part.eye(camera).extend(1.0),
            light_direction: lighting.towards.map(|d| d.extend(0.0)),
            light_colour: lighting.colours.map(|radiance| radiance.extend(0.0)),
            sky: lighting
                .sky
                .extend(f32::from(view.look.geometry == Geometry::Ribbons)),
            ground: lighting.ground.extend(view.look.flush),
            ambient: lighting.ambient,
            environment: lighting.seen,
            backdrop: colour(backdrop, floor.stand),
            root_colour: colour(root_colour, view.look.variation),
            tip_colour: colour(tip_colour, view.look.shine),
            skin_colour: view.look.surface_colour(),
            floor_place: floor.place.extend(floor.radius),
            stand_foot: floor.place.extend(floor.column),
            picture: Vec4::new(width, height, view.look.exposure, aspect),
            glow: Vec4::new(
                middle.x * 0.5 + 0.5,
                middle.y * 0.5 + 0.56,
                f32::from(view.look.show_head),
                part.share,
            ),
            box_low: shade.low.extend(view.look.shadow),
            box_scale: shade.scale.extend(f32::from(view.look.show_hair)),
            window: Vec4::new(
                part.origin[0] as f32 / full_width,
                part.origin[1] as f32 / full_height,
                width / full_width,
                height / full_height,
            ),
            scalp_colour: scalp.extend(root_eumelanin),
            strand: Vec4::new(stroke.points as f32, stroke.width, magnification, 0.0),
            spread: Vec4::new(follow.clump, follow.radius, follow.frizz, follow.fly_aways),
            stray: Vec4::new(follow.shift, follow.length_spread, 0.0, fly_width),
            fly_away: flying.middle.extend(flying.wild * follow.stand_off),
            pigment: Vec4::new(eumelanin, pheomelanin, grey, roughness),
            dye: Vec3::from(dye).extend(match shading {
                Shading::Flat => 0.0,
                Shading::KajiyaKay => 1.0,
                Shading::Fibre => 2.0,
            }),
            tone: second_colour(view.look),
            tone_places: places_of_second_colour(view.look),
            widths: std::array::from_fn(|four| {
                let share = |k: usize| match 4 * four + k {
                    17 => f32::from(stroke.widths as u8),
                    k => view.look.width_ramp.at(k as f32 / 16.0),
                };
                Vec4::from_array(std::array::from_fn(share))
            }),
        }
    }
}

/// Absorption of the second colour.
fn second_colour(look: &LookParams) -> Vec4 {
    Vec3::from(pigment::dye_of(look.tone_colour.into())).extend(0.0)
}

/// What has the second colour.
fn places_of_second_colour(look: &LookParams) -> Vec4 {
    Vec4::new(look.tone_tips, look.tone_blend, look.tone_streaks, 0.0)
}

#[cfg(test)]
impl FrameBlock {
    /// One light of strength 1 from `towards`, no room, and hair as `look` has it.
    pub fn of_one_light(towards: Vec3, look: &LookParams) -> Self {
        let mut block = Self::zeroed();
        block.light_direction[0] = towards.extend(0.0);
        block.light_colour[0] = Vec4::ONE;
        block.root_colour.w = look.variation;
        block.tip_colour.w = look.shine;
        block.scalp_colour.w = look.root_eumelanin;
        block.pigment = Vec4::new(look.eumelanin, look.pheomelanin, look.grey, look.roughness);
        block.dye = Vec3::from(look.dye).extend(0.0);
        block.tone = second_colour(look);
        block.tone_places = places_of_second_colour(look);
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Lens;

    fn camera() -> Camera {
        Camera::new(
            &crate::render::CameraParams::default(),
            [Vec3::splat(-0.1), Vec3::splat(0.1)],
        )
    }

    /// Shaders read the block by the order in which it is written here.
    #[test]
    fn shaders_have_the_same_block() {
        let declared = |source: &str, begin: &str| -> Vec<String> {
            let (_, body) = source.split_once(begin).expect("the block");
            let (body, _) = body.split_once('}').expect("its end");
            let lines = body.lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
            lines.map(String::from).collect()
        };
        let ours = declared(include_str!("frame.rs"), "struct FrameBlock {");
        let ours = ours.iter().map(|line| {
            let line = line.trim_start_matches("pub ").trim_end_matches(',');
            let (name, kind) = line.split_once(": ").expect("a field");
            match kind.trim_matches(['[', ']']).split_once("; ") {
                Some((kind, count)) => format!("{} {name}[{count}]", kind.to_lowercase()),
                None => format!("{} {name}", kind.to_lowercase()),
            }
        });
        let shader = include_str!("../../shaders/frame.glsl");
        let theirs = declared(shader, "uniform Frame {");
        let theirs = theirs.iter().map(|line| {
            let (member, _) = line.split_once(';').expect("a member");
            member.to_owned()
        });
        assert_eq!(ours.collect::<Vec<_>>(), theirs.collect::<Vec<_>>());
    }

    #[test]
    fn tiles_show_what_the_whole_picture_shows_there() {
        let camera = camera();
        let whole = camera.projection(1.5) * camera.view();
        let p = camera.target + Vec3::new(0.03, 0.05, 0.02);
        let pixel = |m: Mat4, size: [u32; 2]| {
            let ndc = m.project_point3(p).truncate();
            (ndc * 0.5 + 0.5) * Vec2::new(size[0] as f32, size[1] as f32)
        };
        let expected = pixel(whole, [300, 200]);
        let tile = Part {
            origin: [128, 64],
            size: [100, 80],
            jitter: Vec2::new(0.25, -0.5),
            ..Part::whole([300, 200])
        };
        let seen = pixel(tile.window() * whole, tile.size) + Vec2::new(128.0, 64.0);
        assert!(
            (seen - expected - tile.jitter).length() < 1e-3,
            "{seen} {expected}"
        );
        assert!(
            Part::whole([300, 200])
                .window()
                .abs_diff_eq(Mat4::IDENTITY, 1e-6)
        );
    }

    #[test]
    fn the_lens_keeps_what_is_in_focus() {
        let camera = camera();
        let lens = Lens {
            aperture: 0.02,
            focus: 0.0,
        };
        let part = Part {
            lens: Vec2::new(0.02, -0.01),
            focus: lens.focus_before(&camera),
            ..Part::whole([100, 100])
        };
        let seen =
            |lens: Mat4, p: Vec3| (camera.projection(1.0) * lens * camera.view()).project_point3(p);
        let lens = part.through_lens();
        // What stands before that place of the lens is nowhere in the picture.
        let before = camera.projection(1.0) * lens * camera.view() * part.eye(&camera).extend(1.0);
        assert!(before.truncate().truncate().length() < 1e-5 && before.w.abs() < 1e-5);
        let away = (camera.target - camera.position()).normalize();
        let still = seen(lens, camera.target) - seen(Mat4::IDENTITY, camera.target);
        assert!(still.length() < 1e-5, "{still}");
        let behind = camera.target + away * 0.3;
        let blur = |lens: Mat4, p: Vec3| (seen(lens, p) - seen(Mat4::IDENTITY, p)).length();
        assert!(blur(lens, behind) > 1e-3);
        // A distance of one's own is measured from the camera.
        let own = Lens {
            aperture: 0.02,
            focus: camera.position().distance(behind),
        };
        let part = Part {
            focus: own.focus_before(&camera),
            ..part
        };
        let lens = part.through_lens();
        assert!(blur(lens, behind) < 1e-5 && blur(lens, camera.target) > 1e-3);
    }
}
