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
    vec4 sky;                 // rgb: light from above, a: see strands_are_ribbons()
    vec4 ground;              // rgb: light from below, a: see flush_shown()
    vec4 ambient[9];          // rgb: the environment's light as a matt surface gathers it, by harmonic
    vec4 environment;         // its picture's x: sine, y: cosine of its turn, z: strength, w: see environment_is_seen()
    vec4 backdrop;            // rgb: far from the glow, a: see stand_height()
    vec4 root_colour;         // rgb, a: see variation()
    vec4 tip_colour;          // rgb, a: see highlight()
    vec4 skin_colour;         // rgb, a: see mannequin()
    vec4 floor_place;         // xz: under the head, y: height, w: radius [m]
    vec4 stand_foot;          // xyz: where the stand is on the floor now, w: its radius [m]
    vec4 picture;             // xy: size [px], z: exposure, w: aspect
    vec4 glow;                // xy: middle of the glow, 0..1 of the picture, z: see head_is_drawn(), w: see picture_share()
    vec4 box_low;             // xyz: corner of the occlusion box [m], a: see shadow_strength()
    vec4 box_scale;           // xyz: one over its size [1/m], a: see hair_drawn()
    vec4 window;              // of the part that is drawn: xy: lower left corner, zw: size; 0..1 of the picture
    vec4 scalp_colour;        // rgb: skin where hair grows, a: see root_eumelanin()
    vec4 strand;              // x: points a strand, y: diameter [m], z: pixels a metre takes at one metre, w: see several_samples()
    vec4 spread;              // followers' x: clump, y: radius of a clump [m], z: frizz [m], w: share of fly-aways
    vec4 stray;               // followers' x: shift along the guide [m], y: share by which they are shorter; z: see tint_shown(), w: see single_width()
    vec4 fly_away;            // xyz: middle of the roots in the head's space [m], w: how far fly-aways stand off [m]
    vec4 pigment;             // x: eumelanin, y: pheomelanin, z: share of white strands, w: roughness
    vec4 dye;                 // rgb: absorption of a dye, a: see is_flat() and is_fibre()
    vec4 tone;                // rgb: absorption of the second colour
    vec4 tone_places;         // what has it, x: share of the length from the tip, y: softness, z: share of streaks
    vec4 widths[5];           // seventeen shares of the diameter, evenly from root to tip; the last y: see has_own_widths()
};

// What stands in fourth numbers of the block that is no colour's and no place's. Numbers
// from 0 to 1 that are multiplied by are floats, switches are bools.

// Whether strands are ribbons, which cover pixels in part; lines and tubes are solid.
bool strands_are_ribbons() { return sky.a > 0.5; }
// How much the face's own colours show, 0..1.
float flush_shown() { return ground.a; }
// Whether the environment's picture is seen behind the head.
bool environment_is_seen() { return environment.w > 0.5; }
// Height of the stand under the bust. [m]
float stand_height() { return backdrop.a; }
// How much strands differ in colour, 0..1.
float variation() { return root_colour.a; }
// Strength of the surface's highlight on strands.
float highlight() { return tip_colour.a; }
// 1 for a mannequin, which is of plaster and has no blood, else 0.
float mannequin() { return skin_colour.a; }
// Whether the head is drawn.
bool head_is_drawn() { return glow.z > 0.5; }
// Share of this picture in the average of pictures that is a still, 0..1.
float picture_share() { return glow.w; }
// Strength of the shadows that hair throws: what optical depth is multiplied by.
float shadow_strength() { return box_low.a; }
// 1 where hair is drawn, else 0.
float hair_drawn() { return box_scale.a; }
// Eumelanin of the roots beside that of all hair.
float root_eumelanin() { return scalp_colour.a; }
// Whether a pixel has several samples.
bool several_samples() { return strand.w > 0.5; }
// 1 where colours are painted over the head, else 0.
float tint_shown() { return stray.z; }
// Width of a single hair, a share of the diameter, which is larger where a strand stands
// for several.
float single_width() { return stray.w; }
// Whether strands have colours as given, in any light; or are fibres, whose pigment absorbs
// light. Where neither is so, Kajiya and Kay's highlights lie over colours as given.
bool is_flat() { return dye.a < 0.5; }
bool is_fibre() { return dye.a > 1.5; }
// Whether strands have widths of their own, and whether those come besides the ramp or in
// its place.
bool has_own_widths() { return widths[4].y > 0.5; }
bool ramp_counts() { return widths[4].y < 1.5; }

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
