// From linear light to the colours of a display.

// A fit by S. Hill of the ACES reference and output transforms, linear sRGB in
// and out.
vec3 aces(vec3 c) {
    const mat3 to_fit = mat3(
        0.59719, 0.07600, 0.02840,
        0.35458, 0.90834, 0.13383,
        0.04823, 0.01566, 0.83777);
    const mat3 from_fit = mat3(
        1.60475, -0.10208, -0.00327,
        -0.53108, 1.10813, -0.07276,
        -0.07367, -0.00605, 1.07602);
    vec3 v = to_fit * c;
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    return clamp(from_fit * v, 0.0, 1.0);
}

// The sRGB colour of "light" at "place" (0..1) of what is drawn.
vec3 displayed(vec3 light, vec2 place) {
    vec2 off = window.xy + place * window.zw - 0.5;
    vec3 c = aces(light * picture.z * (1.0 - 0.35 * dot(off, off)));
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
