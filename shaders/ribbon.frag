// A strand with a soft edge: the share of a pixel that it covers, so that one
// thinner than a pixel fades instead of breaking up.
in vec3 shade;
noperspective in float across;
noperspective in float wide;
out vec4 colour;

void main() {
    float off = abs(across);
#ifdef TUBES
    float h = min(2.0 * off / wide, 1.0);
    // As bright on the whole as a flat one, darker towards the edges.
    colour = vec4(shade * mix(1.0, 0.45 + 0.75 * sqrt(1.0 - h * h), smoothstep(1.0, 3.0, wide)), 1.0);
#else
    // A box as wide as a pixel slides over a bar: a trapezoid of the bar's area.
    float cover = clamp(0.5 * wide + 0.5 - off, 0.0, min(wide, 1.0));
    // Wider than some pixels, a strand shows that it is round.
    float h = min(2.0 * off / max(wide, 1.0), 1.0);
    vec3 lit = shade * mix(1.0, 0.45 + 0.75 * sqrt(1.0 - h * h), smoothstep(1.5, 4.0, wide));
    colour = vec4(lit * cover, cover);
#endif
}
