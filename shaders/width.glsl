// How wide drawn strands are.
uniform usamplerBuffer starts;      // where each guide begins, and the end
uniform samplerBuffer own_widths;   // of the guides' vertices, 1 is the diameter

// Share of the diameter at t: as the ramp says, and thinner where a strand
// leaves the skin.
float taper(float t) {
    float x = clamp(t, 0.0, 1.0) * 16.0;
    int k = min(int(x), 15);
    float width = mix(widths[k / 4][k % 4], widths[(k + 1) / 4][(k + 1) % 4], x - float(k));
    return width * mix(0.7, 1.0, smoothstep(0.0, 0.03, t));
}

// What a drawn strand is finer than others by, a factor.
float fineness(int s) {
    vec4 kind = kind_record(s);
    if (is_vellus(kind)) {
        // One hair of the hairline, however many its neighbours stand for.
        return kind.y * single_width();
    }
    if (is_guide(kind)) {
        return kind.y;
    }
    return is_fly_away(own_number(kind)) ? single_width() : guide_record(s).w;
}

// Width of strand "s" at t, a share of the diameter. A follower is as wide as
// the guide that it gathers around.
float width_of(int s, float t) {
    float fine = fineness(s);
    if (!has_own_widths()) {
        return fine * taper(t);
    }
    vec4 guides = guide_record(s);
    int guide = int(is_vellus(kind_record(s)) ? guides.w : guides.x);
    int start = int(texelFetch(starts, guide).r);
    int last = int(texelFetch(starts, guide + 1).r) - start - 1;
    float x = clamp(t, 0.0, 1.0) * float(last);
    int k = min(int(x), max(last - 1, 0));
    float from = texelFetch(own_widths, start + k).r;
    float to = texelFetch(own_widths, start + min(k + 1, last)).r;
    return fine * mix(from, to, x - float(k)) * (ramp_counts() ? taper(t) : 1.0);
}
