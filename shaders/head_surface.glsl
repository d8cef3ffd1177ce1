// A vertex of the head's surface, and what its light is made of.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 diffuse;  // a: 1 where the mesh brings a colour of its own, 0 where rgb is a factor of the skin's, 2 where it is a place on an eyeball
layout(location = 3) in float air;     // how much of the room is seen, 0..1
layout(location = 4) in float rooted;  // 1 where hair grows
layout(location = 5) in vec2 uv;       // place in the material's pictures
layout(location = 6) in vec2 tint;     // what is painted there, and how much it shows

// What shows of blood through the skin, a factor of its colour.
vec3 flush() {
    float blotch = noise(position * 70.0).w + 0.6 * noise(position * 190.0).w;
    vec3 blood = 1.0 + (1.0 - mannequin()) * blotch * vec3(0.015, -0.055, -0.045);
    // Lips and cheeks.
    return blood * pow(max(mix(diffuse.rgb, vec3(1.0), min(diffuse.a, 1.0)), 0.01), vec3((1.0 - mannequin()) * flush_shown()));
}

// Share of the mesh's own colour.
float coloured() {
    return (1.0 - mannequin()) * min(diffuse.a, 1.0);
}

// 1 on an eyeball; a mannequin has none.
float on_eyeball() {
    return (1.0 - mannequin()) * step(1.5, diffuse.a);
}

// That colour.
vec3 own_here() {
    return diffuse.a > 1.5 ? eyeball(diffuse.rgb) : diffuse.rgb;
}

// Share of the scalp's colour.
float grown() {
    return rooted * hair_drawn();
}

// How far outside of the box hair's shade ends that is not of the key light. [m]
const float FADES = 0.05;

// A place outside of the box, moved towards the key light until it is inside; w: 1 where
// the light comes through the box, else 0. Shade does not end where the box does.
vec4 towards_key(vec3 cell) {
    vec3 way = light_direction[0].xyz * box_scale.xyz;
    way += vec3(1e-6) * step(abs(way), vec3(1e-6));
    vec3 far = (clamp(cell, 0.0, 1.0) - cell) / way;
    vec3 moved = cell + way * max(max(far.x, far.y), max(far.z, 0.0));
    vec3 inside = step(abs(moved - 0.5), vec3(0.501)) * step(vec3(0.0), far);
    return vec4(moved, inside.x * inside.y * inside.z);
}

// Light of key, fill, rims and room that hair lets through.
vec4 let_through(vec3 place, vec3 upright) {
    vec3 above = (place + normalize(upright) * 0.006 - box_low.xyz) * box_scale.xyz;
    vec4 depth = in_box(HAIR_ONLY, above);
    vec3 outside = (above - clamp(above, 0.0, 1.0)) / box_scale.xyz;
    float shade = shadow_strength() * hair_drawn();
    float shaded = shade * (1.0 - smoothstep(0.0, FADES, length(outside)));
    vec4 key = towards_key(above);
    depth.x = in_box(HAIR_ONLY, key.xyz).x * key.w;
    // Cells of the grid are wider than a parting and a hairline, into which light falls:
    // a thin blur of hair is none, and where the scalp shows, less is in the way.
    float seen = 1.0 - 2.0 * grown() * (1.0 - grown());
    depth.xyz *= seen * depth.xyz / (depth.xyz + 0.6);
    float closed = (1.0 - depth.w) * (1.0 - depth.w) / (1.1 - depth.w);
    vec3 passed = exp(-EXTINCTION * vec3(shade, shaded, shaded) * depth.xyz);
    return vec4(passed, 1.0 - min(shaded, 1.0) * seen * closed);
}

// The skin there, as it is lit at vertices.
Skin at_vertex(vec3 place, vec3 upright) {
    vec3 to_eye = normalize(eye.xyz - place);
    vec3 outwards = normalize(upright);
    // The inside of an open scan.
    outwards = dot(outwards, to_eye) < -0.2 ? -outwards : outwards;
    vec2 film_of = vec2(0.07, 1.0) + WET * on_eyeball();
    return Skin(place, outwards, outwards, to_eye, air, 1.0 - grown(), let_through(place, upright), film_of.y, film_of.x);
}

#ifndef PICTURES
// The colour of a display that it is seen in.
vec3 shown(vec3 place, vec3 upright) {
    Skin at = at_vertex(place, upright);
    vec3 soft, shine;
    skin_light(at, soft, shine);
    vec3 skin = painted_skin(mix(skin_colour.rgb * flush(), own_here(), coloured()), at.bare);
    vec4 seen = view_projection * vec4(place, 1.0);
    return displayed(tinted(skin, tint) * soft + shine, seen.xy / seen.w * 0.5 + 0.5);
}
#endif
