//! Where highlights lie on a strand that bends away over a head.

use super::*;

/// Places on the strand.
const PLACES: usize = 1801;

/// A half circle from the top, where the root is, to the bottom, lit from where the camera
/// is, in front: what the surface of a fibre mirrors, what comes from inside of one that is
/// nearly clear, and the white and the coloured highlight of painted colours.
const BENT: &str = r"
out vec4 lit;
void main() {
    float angle = PI * float(gl_VertexID) / 1800.0;
    vec3 to_root = vec3(0.0, sin(angle), -cos(angle));
    vec3 to_eye = light_direction[0].xyz;
    Spot spot = Spot(vec4(0.0), vec3(0.0), 1.0);
    float mirrored = fibre_light(spot, to_root, to_eye, vec3(50.0), 0u).g;
    float clear = fibre_light(spot, to_root, to_eye, vec3(0.1), 0u).g;
    float white = painted_light(spot, to_root, to_eye, vec3(0.0)).g;
    float tinted = painted_light(spot, to_root, to_eye, vec3(0.9)).g;
    lit = vec4(mirrored, clear - mirrored, white, tinted - white);
}
";

#[test]
fn the_white_highlight_is_nearer_to_the_tip_than_the_coloured_one() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let gl = Gl::new(headless.gl());
    let shared = [
        include_str!("../../../../shaders/frame.glsl"),
        include_str!("../../../../shaders/strand.glsl"),
        include_str!("../../../../shaders/occlusion_volume.glsl"),
        &crate::render::hair::fibre_glsl(),
    ];
    let program = Program::capturing(&gl, "bent", &shared.concat(), BENT, &["lit"]);
    let program = program.expect("compiles");
    // Without a window nothing runs unless something could be drawn into.
    let target = Target::texture(&gl, TextureFormat::Light, [1, 1], false).expect("a target");
    target.bind();
    let [mut block, mut out] = [(); 2].map(|()| Buffer::new(&gl).expect("a buffer"));
    out.reserve(16 * PLACES);
    let look = LookParams::default();
    block.stream_uniforms(bytemuck::bytes_of(&FrameBlock::of_one_light(
        Vec3::Z,
        &look,
    )));
    program.bind();
    gl.capture(PLACES, &out);
    let mut lit = vec![[0f32; 4]; PLACES];
    out.read(bytemuck::cast_slice_mut(&mut lit));
    let brightest = |highlight: usize| {
        let brightest =
            (0..PLACES).max_by(|i, j| lit[*i][highlight].total_cmp(&lit[*j][highlight]));
        brightest.map_or(0.0, |place| 180.0 * place as f32 / (PLACES - 1) as f32)
    };
    // As Marschner et al. 2003 measured it: see SCALES in shaders/fibre.glsl. A smooth fibre's
    // would be at 90 degrees from the root; scales turn each by half of what they turn the sum
    // of the angles by, and no two fibres are alike within 1.5 degrees.
    let [mirrored, inside, white, tinted] = [0, 1, 2, 3].map(brightest);
    println!("R at {mirrored}, TRT at {inside}, painted {white} and {tinted}");
    assert!((92.0..96.0).contains(&mirrored), "{mirrored}");
    assert!((84.0..88.5).contains(&inside), "{inside}");
    assert!((92.0..96.0).contains(&white), "{white}");
    assert!((78.0..88.5).contains(&tinted), "{tinted}");
    assert_eq!(gl.error(), None);
}
