//! The hair: drawn strands from simulated ones, their colours, and what is drawn
//! of them.
//!
//! Points are made once a frame and shaded once each; every way of drawing reads
//! both from buffers.

mod depth_sort;
mod draw;
mod draw_params;
mod geometry;
mod layer;
mod processor_points;
mod run_quads;
mod strands;
mod stroke_raster;
#[cfg(test)]
mod tests;

pub(super) use depth_sort::Groups;
pub(super) use draw_params::{HairDrawParams, Widths};
pub(super) use geometry::HairGeometry;
pub use geometry::live_rounding;
pub(super) use strands::Drawn;
pub use strands::is_drawn;

use super::{
    HairParts, LookParams, Planted, RenderError,
    every_third::{EveryThird, Third},
    frame::FrameBlock,
    gl::{
        Format, Gl, PointPicture, PointProgram, Program, TexelBuffer, TexelFormat, VertexArray,
        units,
    },
    occlusion::OPENNESS_FALL,
    tone::DISPLAYED,
};
use crate::{
    groom::{FlyAways, FollowerParams, Groom, file_attributes},
    math::Pose,
};
use depth_sort::DepthSort;
use glam::Vec3;
use layer::StrokeLayer;
use processor_points::ProcessorPoints;
use run_quads::RunQuads;
use std::sync::Arc;
use strands::RECORD_TEXELS;

/// Bytes of one position.
const POSITION: usize = size_of::<Vec3>();

/// Bytes of a drawn point, and of its colour.
const POINT: usize = 16;

/// Largest number of points that are drawn; each takes 32 bytes in the buffers and, where
/// the processor draws, 48 in the picture it is painted into and in copies.
const MOST_POINTS: usize = 16 << 20;

/// Fewest points of a drawn strand, however coarse; a strand with fewer vertices keeps
/// all of them.
const COARSEST: usize = 24;

/// Straight pieces of curls are visible if longer than this. `[px]`
const CORNERS: f32 = 8.0;

/// Straight pieces shorter than this are invisible at any angle between them. `[px]`
const SMALL: f32 = 2.0;

/// Position buffers used in turn, so that writing one never waits for a frame that
/// still reads another.
const TURNS: usize = 3;

/// What the points were made for, of the groom and the positions that came last.
#[derive(PartialEq)]
struct GrownFor {
    strands: usize,
    points: usize,
    followers: FollowerParams,
    pose: Pose,
}

/// How a strand is lit, with the numbers that `shaders/fibre.glsl` shares with the grid of
/// optical depths.
pub(super) fn fibre_glsl() -> String {
    let light = include_str!("../../../shaders/fibre.glsl");
    format!("#define OPENNESS_FALL {OPENNESS_FALL:?}\n{light}")
}

pub(super) struct HairPass {
    grow: PointProgram,
    shade: PointProgram,
    /// Shades with display colours.
    shade_displayed: PointProgram,
    /// What colours are painted into; none where they are captured.
    picture: Option<PointPicture>,
    /// What points the processor makes, where there is a `picture`; none on a graphics card.
    processor: Option<ProcessorPoints>,
    /// What they were made for; none where they have to be made anew.
    grown: Option<GrownFor>,
    line: Program,
    ribbon: Program,
    /// Ribbons in the order of runs of [`RUN`] segments.
    ribbon_runs: Program,
    tube: Program,
    stroke: Program,
    /// Points and colours as the strokes' vertices.
    strokes: VertexArray,
    /// The quads of runs.
    run_quads: RunQuads,
    /// Vertices of the guides, one vertex of padding on both ends.
    positions: Vec<TexelBuffer>,
    /// Index of the buffer with the latest positions.
    turn: usize,
    starts: TexelBuffer,
    records: TexelBuffer,
    own_widths: TexelBuffer,
    widths: Widths,
    /// The largest of the strands' own widths; 1 if there are none.
    widest: f32,
    points: TexelBuffer,
    colours: TexelBuffer,
    /// What the colours were made for: what the shaders knew of the frame, wherever head
    /// and hair are, and how many strands are drawn.
    shaded: EveryThird<(FrameBlock, usize)>,
    segments: TexelBuffer,
    drawn: Arc<Drawn>,
    order: DepthSort,
    /// Vertices of all guides, and of a usual one.
    vertices: usize,
    usual: usize,
    /// Length of a usual edge. `[m]`
    edge: f32,
    /// Pieces that an edge needs where curls turn far at each vertex.
    turned: f32,
    flying: FlyAways,
    /// Segments in drawing order; for lines, the points at their ends.
    sorted: Vec<u32>,
    /// Number of segments in `sorted`.
    ordered: usize,
    /// Whether it is an order of runs.
    in_runs: bool,
    /// Most texels that shaders can read from a buffer.
    most_texels: usize,
    /// What the processor draws itself.
    layer: StrokeLayer,
}

impl HairPass {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let frame = include_str!("../../../shaders/frame.glsl");
        let strand = include_str!("../../../shaders/strand.glsl");
        let occlusion = include_str!("../../../shaders/occlusion_volume.glsl");
        let fibre = fibre_glsl();
        let with_strands = format!("{frame}{strand}");
        let with_records = format!("{with_strands}{}", strands::record_glsl());
        let width = include_str!("../../../shaders/width.glsl");
        let with_widths = format!("{with_records}{width}");
        let ribbon = |name, define: &str| {
            let shaders = [
                include_str!("../../../shaders/ribbon.vert"),
                include_str!("../../../shaders/ribbon.frag"),
            ];
            let shared = format!("{define}{with_widths}");
            Program::new(gl, name, &shared, shaders)
        };
        let shade = |name, define| {
            let display = include_str!("../../../shaders/display.glsl");
            let shared = format!("{define}{with_records}{occlusion}{fibre}{display}");
            let text = include_str!("../../../shaders/shade.vert");
            PointProgram::new(gl, name, &shared, text, "shaded")
        };
        let positions: Result<_, _> = (0..TURNS)
            .map(|_| TexelBuffer::new(gl, TexelFormat::One))
            .collect();
        let [points, colours] = [(); 2].map(|()| TexelBuffer::new(gl, TexelFormat::Four));
        let (points, colours, segments) =
            (points?, colours?, TexelBuffer::new(gl, TexelFormat::Whole)?);
        let strokes = VertexArray::new(gl)?;
        let four = Format::Floats(4);
        strokes.attribute(0, &points.buffer, four, POINT, 0);
        strokes.attribute(1, &points.buffer, four, POINT, POINT);
        strokes.attribute(2, &colours.buffer, four, POINT, 0);
        strokes.indices(&segments.buffer);
        Ok(Self {
            grow: PointProgram::new(
                gl,
                "grow",
                &with_records,
                include_str!("../../../shaders/grow.vert"),
                "grown",
            )?,
            shade: shade("shade", "")?,
            shade_displayed: shade("shade (displayed)", DISPLAYED)?,
            picture: Some(PointPicture::default()),
            processor: gl.is_software().then(ProcessorPoints::default),
            grown: None,
            line: Program::new(
                gl,
                "line",
                &with_strands,
                [
                    include_str!("../../../shaders/line.vert"),
                    include_str!("../../../shaders/line.frag"),
                ],
            )?,
            ribbon: ribbon("ribbon", "")?,
            ribbon_runs: ribbon("ribbon (runs)", run_quads::DEFINE)?,
            tube: ribbon("tube", "#define TUBES\n")?,
            stroke: Program::new(
                gl,
                "stroke",
                &with_widths,
                [
                    include_str!("../../../shaders/stroke.vert"),
                    include_str!("../../../shaders/stroke.frag"),
                ],
            )?,
            strokes,
            run_quads: RunQuads::new(gl)?,
            positions: positions?,
            turn: 0,
            starts: TexelBuffer::new(gl, TexelFormat::Whole)?,
            records: TexelBuffer::new(gl, TexelFormat::Four)?,
            own_widths: TexelBuffer::new(gl, TexelFormat::One)?,
            widths: Widths::default(),
            widest: 1.0,
            points,
            colours,
            shaded: EveryThird::new(Third::Strands),
            segments,
            drawn: Arc::default(),
            order: DepthSort::default(),
            vertices: 0,
            usual: 2,
            edge: 0.0,
            turned: 1.0,
            flying: FlyAways::default(),
            sorted: Vec::new(),
            ordered: 0,
            in_runs: false,
            most_texels: gl.max_texels(),
            layer: StrokeLayer::new(gl)?,
        })
    }

    /// Makes the points with the processor and lets a driver that draws in software paint
    /// their colours, or captures both as a graphics card does. Where a card draws, it
    /// begins with the next groom.
    pub fn draw_as_software(&mut self, on: bool) {
        self.picture = on.then(PointPicture::default);
        if on {
            self.processor.get_or_insert_default();
        }
        self.grown = None;
    }

    /// The points that the processor has made, where it makes them.
    fn made_points(&self) -> Option<&[[f32; 4]]> {
        let processor = self.processor.as_ref();
        let processor = processor.filter(|_| self.picture.is_some())?;
        Some(processor.points())
    }

    /// Takes the guides at rest and the `parts` made of them; nothing is drawn until
    /// [`HairPass::take_planted`].
    pub fn take_groom(&mut self, groom: &Groom, parts: &HairParts) {
        self.order = parts.made.order.clone();
        self.starts.buffer.set(bytemuck::cast_slice(&groom.starts));
        self.set_widths(groom);
        self.vertices = groom.points.len();
        self.usual = parts.made.usual;
        self.edge = parts.made.edge;
        self.turned = parts.made.turned;
        self.flying = parts.made.flying;
        let (numbers, most) = (3 * (self.vertices + 2), self.most_texels);
        if numbers > most {
            log::warn!(
                "this graphics driver lets shaders read {most} numbers of a buffer, and the \
                 positions of the hair are {numbers}: strands beyond that are not drawn as they \
                 are; choose fewer strands or vertices"
            );
        }
        if let Some(processor) = &mut self.processor {
            processor.take_groom(&groom.starts);
        }
        self.upload(&groom.points);
    }

    /// Takes the list of drawn strands.
    pub fn take_planted(&mut self, planted: &Planted) {
        self.drawn = planted.drawn.clone();
        self.shaded.forget();
        self.grown = None;
        self.order.groups = planted.groups.clone();
        let records = bytemuck::cast_slice(&self.drawn.records);
        self.records.buffer.set(records);
    }

    fn set_widths(&mut self, groom: &Groom) {
        let given = groom.widths.len() == groom.points.len() && !groom.widths.is_empty();
        let widths = if given { &groom.widths[..] } else { &[1.0] };
        self.own_widths.buffer.set(bytemuck::cast_slice(widths));
        self.layer
            .set_widths(given.then(|| (groom.starts.clone(), groom.widths.clone())));
        self.widest = widths.iter().fold(0.0, |most, width| width.max(most));
        self.widths = match given {
            false => Widths::Ramp,
            // Strands of one width each take their taper from the look.
            true if file_attributes::is_level(groom) => Widths::Level,
            true => Widths::Own,
        };
    }

    /// The largest width along a strand, as a share of the diameter.
    pub fn widest(&self, look: &LookParams) -> f32 {
        let ramp = look.width_ramp.0.iter();
        let ramp = ramp.fold(0.0f32, |most, share| most.max(*share));
        match self.widths {
            Widths::Own => self.widest,
            Widths::Ramp | Widths::Level => ramp * self.widest,
        }
    }

    /// Uploads new positions. Returns `false` and ignores them if their number differs
    /// from the groom's points: they belong to an older groom.
    pub fn upload(&mut self, positions: &[Vec3]) -> bool {
        let fits = positions.len() == self.vertices;
        if fits {
            self.turn = (self.turn + 1) % TURNS;
            let buffer = &mut self.positions[self.turn].buffer;
            buffer.write(POSITION, bytemuck::cast_slice(positions), POSITION);
            self.order.upload(positions);
            if let Some(processor) = &mut self.processor {
                processor.upload(positions);
            }
            self.grown = None;
        }
        fits
    }

    /// Strands and points that `look` asks for, within [`MOST_POINTS`] and what the driver
    /// lets shaders read. A metre spans `magnified` pixels: close views get more points,
    /// about half as many in a `live` frame: where the processor draws and something moves.
    pub fn stroke(&self, look: &LookParams, magnified: f32, live: bool) -> HairDrawParams {
        let strands = self.drawn.count(look.drawn.clamp(0.0, 1.0));
        let edge = self.edge * magnified;
        // Pieces of one or two pixels need no further division.
        let least = self.turned.min((edge / SMALL).max(1.0));
        let near = (edge / CORNERS).clamp(least, 3.0 * self.turned);
        let pieces = match live {
            true => geometry::live_pieces(look.rounding, [least, near]),
            false => look.rounding * near,
        };
        let segments = self.usual.saturating_sub(1) as f32 * pieces;
        // Short strands keep every vertex: the mouse may hold one of them.
        let points = (segments.round() as usize + 1).max(self.usual.min(COARSEST));
        let strands = strands.min(self.most_texels / RECORD_TEXELS);
        // One more is read behind the last one.
        let most = MOST_POINTS.min(self.most_texels - 1);
        let points = points.min(most / strands.max(1)).max(2);
        HairDrawParams {
            strands: strands.min(most / points),
            points,
            width: look.drawn_width(self.drawn.without_fine(strands)),
            flying: self.flying,
            widths: self.widths,
            line_width: None,
            by_processor: None,
        }
    }

    /// Makes the points of the drawn strands on a head at `pose`, unless they are there.
    ///
    /// # Errors
    /// When the driver has no room for them.
    pub fn grow(
        &mut self,
        gl: &Gl,
        stroke: &HairDrawParams,
        followers: &FollowerParams,
        pose: &Pose,
    ) -> Result<(), RenderError> {
        let now = GrownFor {
            strands: stroke.strands,
            points: stroke.points,
            followers: followers.clone(),
            pose: *pose,
        };
        if self.grown.as_ref() == Some(&now) {
            return Ok(());
        }
        self.grown = Some(now);
        let to = &mut self.points.buffer;
        if let Some(processor) = self.processor.as_mut().filter(|_| self.picture.is_some()) {
            processor.grow(&self.drawn, stroke, followers, pose);
            to.write(0, bytemuck::cast_slice(processor.points()), POINT);
            return Ok(());
        }
        let count = stroke.strands * stroke.points;
        self.positions[self.turn].bind(units::POSITIONS);
        self.starts.bind(units::STARTS);
        self.records.bind(units::RECORDS);
        self.grow.run(gl, count, to, None)
    }

    /// Shades the points; in a `swift` frame with display colours, and only in
    /// some of them.
    ///
    /// # Errors
    /// When the driver has no room for the colours.
    pub fn shade(
        &mut self,
        gl: &Gl,
        stroke: &HairDrawParams,
        frame: &FrameBlock,
        swift: Option<Third>,
    ) -> Result<(), RenderError> {
        let now = (frame.without_moving(), stroke.strands);
        if self.shaded.serves(now, swift) {
            return Ok(());
        }
        self.layer.forget_colours();
        let count = stroke.strands * stroke.points;
        self.records.bind(units::RECORDS);
        self.points.bind(units::POINTS);
        let shade = match swift {
            Some(_) => &self.shade_displayed,
            None => &self.shade,
        };
        let to = &mut self.colours.buffer;
        shade.run(gl, count, to, self.picture.as_mut())
    }
}
