//! Draws the strands that are made and lit: in which order, and as what.

use super::{
    HairDrawParams, HairPass, depth_sort, draw_params::LayerFormat, layer::DrawnPoints,
    processor_points::ProcessorPoints, run_quads::RUN,
};
use crate::render::{
    RenderError,
    frame::FrameBlock,
    gl::{Blend, Gl, Shape, State, Target, units},
};
use glam::Vec3;
use std::{borrow::Cow, ops::Range};

/// Widest strand that is drawn as a line: in wider ones the separate lines are visible.
/// `[px]`
const THIN: f32 = 4.0;

/// Widest strand that the processor draws; of wider ones there are few. `[px]`
const WIDE: f32 = 64.0;

impl HairPass {
    /// Draws lines of that width `[px]` into the bound target.
    pub fn draw_lines(&self, gl: &Gl, stroke: &HairDrawParams, width: f32) {
        gl.set_state(State::SOLID);
        gl.set_line_width(width);
        self.points.bind(units::POINTS);
        self.colours.bind(units::COLOURS);
        self.line.bind();
        let lines = stroke.strands * (stroke.points - 1);
        gl.draw(Shape::Lines, 0..2 * lines);
    }

    /// Binds what the ribbon shaders read, except the order.
    fn bind_ribbons(&self) {
        self.own_widths.bind(units::OWN_WIDTHS);
        self.starts.bind(units::STARTS);
        self.records.bind(units::RECORDS);
        self.points.bind(units::POINTS);
        self.colours.bind(units::COLOURS);
    }

    /// Draws tubes into the bound target.
    pub fn draw_tubes(&self, gl: &Gl, stroke: &HairDrawParams) {
        gl.set_state(State::SOLID);
        self.bind_ribbons();
        self.tube.bind();
        let segments = stroke.strands * (stroke.points - 1);
        gl.draw(Shape::Triangles, 0..6 * segments);
    }

    /// Width of the OpenGL lines that replace ribbons at most `widest` pixels wide;
    /// `None` if ribbons are wider than [`THIN`] or the driver has no such lines. `[px]`
    pub fn line_width(&self, gl: &Gl, widest: f32) -> Option<f32> {
        // OpenGL measures the width of a line along rows or columns: a slanted line is
        // thinner across. The soft edge needs half a pixel on either side.
        let width = 1.42 * (widest + 1.0);
        (widest <= THIN && width <= gl.widest_line()).then_some(width)
    }

    /// What the processor can draw strands at most `widest` pixels wide as over `target`;
    /// none where the driver has to draw them. `[px]`
    pub fn layer(&self, gl: &Gl, widest: f32, target: &Target, swift: bool) -> Option<LayerFormat> {
        let format = self.layer.format(gl, target, swift);
        format.filter(|_| widest <= WIDE)
    }

    /// Sorts ribbons, the farthest from `eye` `[m]` first: by lock or, if `exact`, by
    /// segment.
    pub fn sort(&mut self, stroke: &HairDrawParams, eye: Vec3, exact: bool) {
        let (segments, points) = (stroke.points - 1, stroke.points as u32);
        let by_ends = stroke.line_width.is_some() || stroke.by_processor.is_some();
        let (order, count) = (&self.order, stroke.strands);
        let mut sorted = std::mem::take(&mut self.sorted);
        self.ordered = count * segments;
        self.in_runs = !exact && !by_ends;
        sorted.clear();
        if exact {
            let read = || {
                let mut places = vec![[0.0; 4]; count * stroke.points];
                let to = bytemuck::cast_slice_mut(&mut places);
                self.points.buffer.read(to);
                places
            };
            let places = self
                .made_points()
                .map_or_else(|| read().into(), Cow::Borrowed);
            depth_sort::every_segment(&places, segments, eye, &mut sorted);
            if by_ends {
                let each = segments as u32;
                let first = |segment: u32| segment / each * points + segment % each;
                let ends = |segment: &u32| [first(*segment) + 1, first(*segment)];
                sorted = sorted.iter().flat_map(ends).collect();
            }
        } else if by_ends {
            // The first end comes last: it is the provoking vertex, which has the
            // line's direction.
            let split = [segments, RUN];
            order.farthest_first(eye, split, count, |strand, piece| {
                let first = strand * points;
                sorted.extend(piece.flat_map(|i| [first + i + 1, first + i]));
            });
        } else {
            let runs = segments.div_ceil(RUN);
            self.ordered = count * runs * RUN;
            order.farthest_first(eye, [segments, RUN], count, |strand, run| {
                sorted.push(strand * runs as u32 + run.start / RUN as u32);
            });
        }
        if stroke.by_processor.is_none() {
            self.segments.buffer.stream(bytemuck::cast_slice(&sorted));
        }
        self.sorted = sorted;
    }

    /// Number of quads in the order that was made last.
    pub fn segments(&self) -> usize {
        self.ordered
    }

    /// Blends a range of the sorted segments over `target`, which is bound. `frame` is what
    /// shaders know of the frame.
    ///
    /// # Errors
    /// When the driver has no room for what the processor draws.
    pub fn draw_ribbons(
        &mut self,
        gl: &Gl,
        stroke: &HairDrawParams,
        range: Range<usize>,
        frame: &FrameBlock,
        target: &Target,
    ) -> Result<(), RenderError> {
        if stroke.by_processor.is_some() {
            let points = self
                .processor
                .as_ref()
                .map_or(&[][..], ProcessorPoints::points);
            self.layer.read(points.len(), &self.colours.buffer);
            let segments: &[[u32; 2]] = bytemuck::cast_slice(&self.sorted);
            let segments = &segments[range];
            let strands = DrawnPoints {
                drawn: &self.drawn,
                points,
            };
            return (self.layer).draw(gl, stroke, frame, &strands, segments, target);
        }
        gl.set_state(State {
            depth_test: true,
            blend: Blend::Over,
            ..State::FLAT
        });
        self.bind_ribbons();
        if let Some(width) = stroke.line_width {
            gl.set_line_width(width);
            self.stroke.bind();
            self.strokes
                .draw_range(Shape::Lines, 2 * range.start..2 * range.end);
            return Ok(());
        }
        self.segments.bind(units::ORDER);
        if !self.in_runs {
            self.ribbon.bind();
            gl.draw(Shape::Triangles, 6 * range.start..6 * range.end);
            return Ok(());
        }
        self.ribbon_runs.bind();
        self.run_quads.draw(range.start / RUN..range.end / RUN);
        Ok(())
    }
}
