// A strand with a soft edge: the share of a pixel that it covers, so that one
// thinner than a pixel fades instead of breaking up.
in vec3 shade;
noperspective in float across;
noperspective in float wide;
out vec4 colour;

// Wider than some pixels, a strand shows that it is round: as bright on the
// whole as a flat one, darker towards the edges.
vec3 rounded(float off, float from, float to) {
    float h = min(2.0 * off / max(wide, 1.0), 1.0);
    return shade * mix(1.0, 0.45 + 0.75 * sqrt(1.0 - h * h), smoothstep(from, to, wide));
}

#ifndef TUBES
// What a strand loses of its width where a pixel has several samples: those outside of
// the ribbon get nothing of a pixel whose middle is inside. Of four, two are 0.125 px
// and two are 0.375 px from the middle along each axis, which is as much as these along
// any direction; thin strands lose as much of other numbers of samples. [px]
float lost() {
    vec2 off = vec2(0.125, 0.375);
    vec2 each = mix(wide * off - 0.5 * wide * wide, 0.5 * off * off, lessThan(off, vec2(wide)));
    return 0.5 * (each.x + each.y);
}
#endif

void main() {
    float off = abs(across);
#ifdef TUBES
    colour = vec4(rounded(off, 1.0, 3.0), 1.0);
#else
    // A box as wide as a pixel slides over a bar: a trapezoid of the bar's area.
    float cover = clamp(0.5 * wide + 0.5 - off, 0.0, min(wide, 1.0));
    if (several_samples()) {
        cover = min(cover * wide / max(wide - lost(), 1e-6), 1.0);
    }
    colour = vec4(rounded(off, 1.5, 4.0) * cover, cover);
#endif
}
