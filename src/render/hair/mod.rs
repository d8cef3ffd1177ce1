//! The hair: drawn strands from simulated ones, their colours, and what is drawn
//! of them.
//!
//! Points are made once a frame and shaded once each; every way of drawing reads
//! both from buffers.

mod depth_sort;
mod geometry;
mod strands;
#[cfg(test)]
mod tests;

pub(super) use depth_sort::Groups;
pub(super) use geometry::HairGeometry;
pub(super) use strands::Drawn;
pub use strands::is_drawn;

use super::{
    HairParts, LookParams, Planted, RenderError,
    gl::{Blend, Buffer, Format, Gl, Program, Reals, Shape, State, TexelView, VertexArray},
    tone::DISPLAYED,
};
use crate::groom::{Groom, file_attributes};
use depth_sort::DepthSort;
use glam::Vec3;
use std::{ops::Range, sync::Arc};

/// Bytes of one position.
const POSITION: usize = size_of::<Vec3>();

/// Bytes of a drawn point, and of its colour.
const POINT: usize = 16;

/// The most points that are drawn: their buffers take 32 bytes each.
const MOST_POINTS: usize = 16 << 20;

/// However coarsely strands are drawn, one of so many vertices shows them all.
const COARSEST: usize = 24;

/// Straight pieces of curls longer than this show. `[px]`
const CORNERS: f32 = 8.0;

/// Shorter ones do not, whatever they turn by. `[px]`
const SMALL: f32 = 2.0;

/// Wider than this, a strand in a swift frame shows that it is made of lines.
/// `[px]`
const THIN: f32 = 4.0;

/// Where shaders of ribbons find what they read.
const RIBBONS: [(&str, u32); 6] = [
    ("own_widths", 2),
    ("starts", 3),
    ("records", 4),
    ("points", 5),
    ("colours", 6),
    ("order", 7),
];

/// Segments in a row of a strand that a swift frame orders together: they share
/// their vertices.
const SWIFT_PIECE: usize = 8;

/// Sets of positions that take turns, so that writing one never waits for a
/// frame that still reads another.
const TURNS: usize = 3;

/// A buffer with the view that shaders read it through.
struct TexelFormat {
    buffer: Buffer,
    view: TexelView,
}

impl TexelFormat {
    fn new(gl: &Gl, reals: Reals) -> Result<Self, RenderError> {
        Ok(Self {
            buffer: Buffer::new(gl)?,
            view: TexelView::new(gl, reals)?,
        })
    }

    fn bind(&self, unit: u32) {
        self.view.bind(unit, &self.buffer);
    }
}

/// What is drawn in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HairDrawParams {
    /// The first so many of the drawn strands.
    pub strands: usize,
    /// Points of each.
    pub points: usize,
    /// Diameter; of strands with widths of their own, where these are 1. `[m]`
    pub width: f32,
    /// Whether strands have these.
    pub widths: Widths,
    /// Width of the driver's lines that stand for ribbons; none where these are
    /// drawn. `[px]`
    pub broad: Option<f32>,
}

/// What says how wide strands are from root to tip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Widths {
    /// The look's ramp.
    #[default]
    Ramp,
    /// The ramp, and for each strand a width of its own.
    Level,
    /// Widths of their own all along.
    Own,
}

pub(super) struct HairPass {
    grow: Program,
    shade: Program,
    /// The same, with display colours.
    shade_displayed: Program,
    line: Program,
    ribbon: Program,
    tube: Program,
    stroke: Program,
    array: VertexArray,
    /// Points and colours as the strokes' vertices.
    strokes: VertexArray,
    /// Vertices of the guides, one vertex of padding on both ends.
    positions: Vec<TexelFormat>,
    /// Which of them holds the latest.
    turn: usize,
    starts: TexelFormat,
    records: TexelFormat,
    own_widths: TexelFormat,
    widths: Widths,
    /// The widest of them, 1 where there are none.
    widest: f32,
    points: TexelFormat,
    colours: TexelFormat,
    segments: TexelFormat,
    drawn: Arc<Drawn>,
    order: DepthSort,
    /// Vertices of all guides, and of a usual one.
    vertices: usize,
    usual: usize,
    /// Length of a usual edge. `[m]`
    edge: f32,
    /// Pieces that an edge needs where curls turn far at each vertex.
    turned: f32,
    /// Numbers of the segments as they are drawn; for strokes, the numbers of
    /// their ends.
    sorted: Vec<u32>,
    /// How many segments these are.
    ordered: usize,
}

impl HairPass {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let frame = include_str!("../../../shaders/frame.glsl");
        let strand = include_str!("../../../shaders/strand.glsl");
        let fibre = include_str!("../../../shaders/fibre.glsl");
        let with_strands = format!("{frame}{strand}");
        let width = include_str!("../../../shaders/width.glsl");
        let with_widths = format!("{with_strands}{width}");
        let ribbon = |name, define: &str| {
            let shaders = [
                include_str!("../../../shaders/ribbon.vert"),
                include_str!("../../../shaders/ribbon.frag"),
            ];
            let shared = format!("{define}{with_widths}");
            Program::new(gl, name, &shared, shaders, &RIBBONS)
        };
        let shade = |name, define| {
            let display = include_str!("../../../shaders/display.glsl");
            Program::capturing(
                gl,
                name,
                &format!("{define}{with_strands}{fibre}{display}"),
                include_str!("../../../shaders/shade.vert"),
                &[
                    ("towards_lights", 0),
                    ("open_air", 1),
                    ("records", 4),
                    ("points", 5),
                ],
                &["shaded"],
            )
        };
        let positions: Result<_, _> = (0..TURNS)
            .map(|_| TexelFormat::new(gl, Reals::One))
            .collect();
        let [points, colours] = [(); 2].map(|()| TexelFormat::new(gl, Reals::Four));
        let (points, colours, segments) = (points?, colours?, TexelFormat::new(gl, Reals::Whole)?);
        let strokes = VertexArray::new(gl)?;
        let four = Format::Floats(4);
        strokes.attribute(0, &points.buffer, four, POINT, 0);
        strokes.attribute(1, &points.buffer, four, POINT, POINT);
        strokes.attribute(2, &colours.buffer, four, POINT, 0);
        strokes.indices(&segments.buffer);
        Ok(Self {
            grow: Program::capturing(
                gl,
                "grow",
                &with_strands,
                include_str!("../../../shaders/grow.vert"),
                &[("positions", 2), ("starts", 3), ("records", 4)],
                &["grown"],
            )?,
            shade: shade("shade", "")?,
            shade_displayed: shade("shade (displayed)", DISPLAYED)?,
            line: Program::new(
                gl,
                "line",
                &with_strands,
                [
                    include_str!("../../../shaders/line.vert"),
                    include_str!("../../../shaders/line.frag"),
                ],
                &[("points", 5), ("colours", 6)],
            )?,
            ribbon: ribbon("ribbon", "")?,
            tube: ribbon("tube", "#define TUBES\n")?,
            stroke: Program::new(
                gl,
                "stroke",
                &with_widths,
                [
                    include_str!("../../../shaders/stroke.vert"),
                    include_str!("../../../shaders/stroke.frag"),
                ],
                &RIBBONS,
            )?,
            array: VertexArray::new(gl)?,
            strokes,
            positions: positions?,
            turn: 0,
            starts: TexelFormat::new(gl, Reals::Whole)?,
            records: TexelFormat::new(gl, Reals::Four)?,
            own_widths: TexelFormat::new(gl, Reals::One)?,
            widths: Widths::default(),
            widest: 1.0,
            points,
            colours,
            segments,
            drawn: Arc::default(),
            order: DepthSort::default(),
            vertices: 0,
            usual: 2,
            edge: 0.0,
            turned: 1.0,
            sorted: Vec::new(),
            ordered: 0,
        })
    }

    /// Takes over guides at rest, of which `parts` were made; nothing is drawn
    /// until [`HairPass::take_planted`].
    pub fn take_groom(&mut self, groom: &Groom, parts: &HairParts) {
        self.order = parts.made.order.clone();
        self.starts.buffer.set(bytemuck::cast_slice(&groom.starts));
        self.set_widths(groom);
        self.vertices = groom.points.len();
        self.usual = parts.made.usual;
        self.edge = parts.made.edge;
        self.turned = parts.made.turned;
        self.upload(&groom.points);
    }

    /// Takes over which strands are drawn.
    pub fn take_planted(&mut self, planted: &Planted) {
        self.drawn = planted.drawn.clone();
        self.order.groups = planted.groups.clone();
        let records = bytemuck::cast_slice(&self.drawn.records);
        self.records.buffer.set(records);
    }

    fn set_widths(&mut self, groom: &Groom) {
        let own = groom.widths.len() == groom.points.len() && !groom.widths.is_empty();
        let widths = if own { &groom.widths[..] } else { &[1.0] };
        self.own_widths.buffer.set(bytemuck::cast_slice(widths));
        self.widest = widths.iter().fold(0.0, |most, width| width.max(most));
        self.widths = match own {
            false => Widths::Ramp,
            // A file that is silent about it leaves the taper to the look.
            true if file_attributes::is_level(groom) => Widths::Level,
            true => Widths::Own,
        };
    }

    /// The widest place of a strand, as a share of the diameter.
    pub fn widest(&self, look: &LookParams) -> f32 {
        let ramp = look.width_ramp.0.iter();
        let ramp = ramp.fold(0.0f32, |most, share| most.max(*share));
        match self.widths {
            Widths::Own => self.widest,
            Widths::Ramp | Widths::Level => ramp * self.widest,
        }
    }

    /// Takes new positions, as many as the groom has points; others are for a
    /// groom that is gone, and are let go: then `false`.
    pub fn upload(&mut self, positions: &[Vec3]) -> bool {
        let fits = positions.len() == self.vertices;
        if fits {
            self.turn = (self.turn + 1) % TURNS;
            let buffer = &mut self.positions[self.turn].buffer;
            buffer.write(POSITION, bytemuck::cast_slice(positions), POSITION);
            self.order.upload(positions);
        }
        fits
    }

    /// What `look` asks for, as far as memory goes; where a metre takes
    /// `magnified` `[px]`, curls must not show corners.
    pub fn stroke(&self, look: &LookParams, magnified: f32) -> HairDrawParams {
        let strands = self.drawn.count(look.drawn.clamp(0.0, 1.0));
        let edge = self.edge * magnified;
        // Pieces of a pixel or two show nothing, however far they turn.
        let least = self.turned.min((edge / SMALL).max(1.0));
        let near = (edge / CORNERS).clamp(least, 3.0 * self.turned);
        let segments = self.usual.saturating_sub(1) as f32 * look.rounding * near;
        // Short strands keep every vertex: one of them may be in the hand.
        let points = (segments.round() as usize + 1).max(self.usual.min(COARSEST));
        let points = points.min(MOST_POINTS / strands.max(1)).max(2);
        HairDrawParams {
            strands: strands.min(MOST_POINTS / points),
            points,
            width: look.drawn_width(strands),
            widths: self.widths,
            broad: None,
        }
    }

    /// Makes the points of the drawn strands.
    pub fn grow(&mut self, stroke: &HairDrawParams) {
        let count = stroke.strands * stroke.points;
        // Strokes read the point after the last one, too.
        self.points.buffer.reserve((count + 1) * POINT);
        self.positions[self.turn].bind(2);
        self.starts.bind(3);
        self.records.bind(4);
        self.grow.bind();
        self.array.capture(count, &self.points.buffer);
    }

    /// Lights them; in a `swift` frame with display colours.
    pub fn shade(&mut self, stroke: &HairDrawParams, swift: bool) {
        let count = stroke.strands * stroke.points;
        self.colours.buffer.reserve(count * POINT);
        self.records.bind(4);
        self.points.bind(5);
        match swift {
            true => self.shade_displayed.bind(),
            false => self.shade.bind(),
        }
        self.array.capture(count, &self.colours.buffer);
    }

    /// Draws lines of that width `[px]` into the bound target.
    pub fn draw_lines(&self, gl: &Gl, stroke: &HairDrawParams, width: f32) {
        gl.set_state(State::SOLID);
        gl.set_line_width(width);
        self.points.bind(5);
        self.colours.bind(6);
        self.line.bind();
        let lines = stroke.strands * (stroke.points - 1);
        self.array.draw(Shape::Lines, 0..2 * lines);
    }

    /// What their shaders read, but for the order.
    fn bind_ribbons(&self) {
        self.own_widths.bind(2);
        self.starts.bind(3);
        self.records.bind(4);
        self.points.bind(5);
        self.colours.bind(6);
    }

    /// Draws tubes into the bound target.
    pub fn draw_tubes(&self, gl: &Gl, stroke: &HairDrawParams) {
        gl.set_state(State::SOLID);
        self.bind_ribbons();
        self.tube.bind();
        let segments = stroke.strands * (stroke.points - 1);
        self.array.draw(Shape::Triangles, 0..6 * segments);
    }

    /// Width of the driver's lines by which thin ribbons of at most so many pixels
    /// are drawn; none where it has none so wide. `[px]`
    pub fn broad(&self, gl: &Gl, widest: f32) -> Option<f32> {
        // A line's width is measured along rows or columns: a slanted one is
        // thinner across. Half a pixel on either side is for the soft edge.
        let broad = 1.42 * (widest + 1.0);
        (widest <= THIN && broad <= gl.widest_line()).then_some(broad)
    }

    /// Orders ribbons, the farthest from `eye` `[m]` first: lock by lock or,
    /// `exact`, segment by segment.
    pub fn sort(&mut self, stroke: &HairDrawParams, eye: Vec3, exact: bool) {
        let (segments, points) = (stroke.points - 1, stroke.points as u32);
        let (order, count, sorted) = (&self.order, stroke.strands, &mut self.sorted);
        self.ordered = count * segments;
        sorted.clear();
        if stroke.broad.is_some() {
            // The first end comes last: it is the one that says how the line lies.
            order.farthest_first(eye, [segments, SWIFT_PIECE], count, |strand, piece| {
                let first = strand * points;
                sorted.extend(piece.flat_map(|i| [first + i + 1, first + i]));
            });
        } else if exact {
            let mut places = vec![[0.0; 4]; count * stroke.points];
            self.points
                .buffer
                .read(bytemuck::cast_slice_mut(&mut places));
            depth_sort::every_segment(&places, segments, eye, sorted);
        } else {
            order.farthest_first(eye, [segments, 1], count, |strand, piece| {
                sorted.extend(piece.map(|i| strand * segments as u32 + i));
            });
        }
        self.segments.buffer.stream(bytemuck::cast_slice(sorted));
    }

    /// Number of the ribbons' segments, as sorted last.
    pub fn segments(&self) -> usize {
        self.ordered
    }

    /// Draws a range of them, as sorted, over what the bound target holds.
    pub fn draw_ribbons(&self, gl: &Gl, stroke: &HairDrawParams, range: Range<usize>) {
        gl.set_state(State {
            depth_test: true,
            blend: Blend::Over,
            ..State::FLAT
        });
        self.bind_ribbons();
        if let Some(broad) = stroke.broad {
            gl.set_line_width(broad);
            self.stroke.bind();
            self.strokes
                .draw_range(Shape::Lines, 2 * range.start..2 * range.end);
            return;
        }
        self.segments.bind(7);
        self.ribbon.bind();
        self.array
            .draw(Shape::Triangles, 6 * range.start..6 * range.end);
    }
}
