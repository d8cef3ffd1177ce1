//! The colours of strands, in shaders and in files.

use crate::render::{
    Headless, LookParams,
    frame::FrameBlock,
    gl::{Buffer, Gl, Program, Target, TextureFormat},
    hair, pigment,
    strand_colour::StrandColour,
};
use glam::Vec3;

/// Absorption of strands at places along them, in streaks of all numbers.
const STRANDS: &str = r"
out vec4 sigma;
void main() {
    uint id = uint(gl_VertexID);
    float t = fract(0.618 * float(id)), streak = fract(0.377 * float(id));
    sigma = vec4(toned(absorption(id, t), id, t, streak), 1.0);
}
";

#[test]
fn files_get_the_colours_that_the_shader_has() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let gl = Gl::new(headless.gl());
    let shared = [
        include_str!("../../../../shaders/frame.glsl"),
        include_str!("../../../../shaders/strand.glsl"),
        include_str!("../../../../shaders/occlusion_volume.glsl"),
        &hair::fibre_glsl(),
    ];
    let program = Program::capturing(&gl, "strands", &shared.concat(), STRANDS, &["sigma"]);
    let program = program.expect("compiles");
    let target = Target::texture(&gl, TextureFormat::Light, [1, 1], false).expect("a target");
    target.bind();
    let mut block = Buffer::new(&gl).expect("a buffer");
    let mut out = Buffer::new(&gl).expect("a buffer");
    const COUNT: usize = 500;
    out.reserve(16 * COUNT);
    let grey = LookParams {
        grey: 0.4,
        dye: [0.3, 0.1, 0.0],
        variation: 0.8,
        ..LookParams::default()
    };
    let toned = LookParams {
        tone_tips: 0.6,
        tone_blend: 0.3,
        tone_streaks: 0.4,
        root_eumelanin: 0.1,
        ..LookParams::default()
    };
    for look in [LookParams::default(), grey, toned] {
        block.stream_uniforms(bytemuck::bytes_of(&FrameBlock::of_one_light(
            Vec3::Y,
            &look,
        )));
        program.bind();
        gl.capture(COUNT, &out);
        let mut seen = vec![[0f32; 4]; COUNT];
        out.read(bytemuck::cast_slice_mut(&mut seen));
        for (id, [r, g, b, _]) in seen.into_iter().enumerate() {
            let at = |share: f32| (share * id as f32).fract();
            let strand = StrandColour::new(&look, id as u32, at(0.377));
            let wanted = strand.at(at(0.618), None);
            let shown = (Vec3::new(r, g, b).map(f32::sqrt) * -pigment::THICK).exp();
            assert!(shown.distance(wanted) < 2e-4, "{id}: {shown} {wanted}");
        }
    }
    assert_eq!(gl.error(), None);
}
