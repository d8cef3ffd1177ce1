// What every shader knows of the frame. Same order as `FrameBlock` in
// src/render/frame.rs.
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 inverse_view_projection;
    mat4 head_to_world;
    mat4 base_to_world;       // the same of the bust's base, of which the torso may stay behind
    mat4 world_to_shadow;     // into the key light's picture, 0..1
    vec4 eye;                 // xyz: camera, or that place on its lens [m]
    vec4 light_direction[4];  // xyz: towards key, fill, rim, second rim
    vec4 light_colour[4];     // rgb: radiance
    vec4 sky;                 // rgb: light from above, a: 1 where strands are ribbons, which cover pixels in part
    vec4 ground;              // rgb: light from below, a: how much the face's own colours show
    vec4 ambient[9];          // rgb: the environment's light as a matt surface gathers it, by harmonic
    vec4 environment;         // its picture's x: sine, y: cosine of its turn, z: strength, w: 1 where it is seen
    vec4 backdrop;            // rgb: far from the glow, a: height of the stand under the bust [m]
    vec4 root_colour;         // rgb, a: variation between strands
    vec4 tip_colour;          // rgb, a: shine
    vec4 skin_colour;         // rgb, a: 1 for a mannequin, which has no blood
    vec4 floor_place;         // xz: under the head, y: height, w: radius [m]
    vec4 stand_foot;          // xyz: where the stand is on the floor now, w: its radius [m]
    vec4 picture;             // xy: size [px], z: exposure, w: aspect
    vec4 glow;                // xy: middle of the glow, 0..1 of the picture, z: 1 where the head is drawn, w: share of this picture in a still
    vec4 box_low;             // xyz: corner of the occlusion box [m], a: strength of shadows
    vec4 box_scale;           // xyz: one over its size [1/m], a: 1 where hair is drawn
    vec4 window;              // of the part that is drawn: xy: lower left corner, zw: size; 0..1 of the picture
    vec4 scalp_colour;        // rgb: skin where hair grows, a: eumelanin of the roots beside that of all hair
    vec4 strand;              // x: points a strand, y: diameter [m], z: pixels a metre takes at one metre, w: 1 where a pixel has several samples
    vec4 spread;              // followers' x: clump, y: radius of a clump [m], z: frizz [m], w: share of fly-aways
    vec4 stray;               // followers' x: shift along the guide [m], y: share by which they are shorter; z: 1 where colours are painted over the head; w: width of fly-aways, a share of the diameter
    vec4 fly_away;            // xyz: middle of the roots in the head's space [m], w: how far fly-aways stand off [m]
    vec4 pigment;             // x: eumelanin, y: pheomelanin, z: share of white strands, w: roughness
    vec4 dye;                 // rgb: absorption of a dye, a: 0 flat, 1 Kajiya and Kay, 2 fibre
    vec4 widths[5];           // seventeen shares of the diameter, evenly from root to tip; the last y: 1 where strands have widths of their own besides, 2 in their place
};

// Light from everywhere, by the direction it comes from; of an environment, as much as a
// white, matt surface that faces there sends on (src/render/environment/harmonics.rs).
vec3 surroundings(vec3 direction) {
#ifdef ENVIRONMENT
    vec3 d = direction, s = d * d;
    return max(ambient[0].rgb + ambient[1].rgb * d.y + ambient[2].rgb * d.x + ambient[3].rgb * d.z
        + ambient[4].rgb * (3.0 * s.y - 1.0) + ambient[5].rgb * (d.x * d.y) + ambient[6].rgb * (d.y * d.z)
        + ambient[7].rgb * (d.x * d.z) + ambient[8].rgb * (s.x - s.z), 0.0);
#else
    return mix(ground.rgb, sky.rgb, smoothstep(-0.8, 0.8, direction.y));
#endif
}
