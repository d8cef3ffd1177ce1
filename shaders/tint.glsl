// The colour of what is painted on the head: none of it 0, all of it 1; the same
// steps as `TINTS` in src/render/output.rs, in linear light.
vec3 tint_colour(float value) {
    const vec3 steps[5] = vec3[5](
        vec3(0.0578, 0.0003, 0.0887),
        vec3(0.0437, 0.0844, 0.2582),
        vec3(0.0152, 0.2831, 0.2623),
        vec3(0.1119, 0.5841, 0.1221),
        vec3(0.9823, 0.7991, 0.0185));
    float at = clamp(value, 0.0, 1.0) * 4.0;
    int below = min(int(at), 3);
    return mix(steps[below], steps[below + 1], at - float(below));
}

// The skin with what is painted on it over it; no skin is as light as paper.
vec3 tinted(vec3 skin, vec2 tint) {
    float share = clamp(tint.y, 0.0, 1.0) * tint_shown();
    return mix(skin, 0.6 * tint_colour(tint.x), 0.85 * share);
}
