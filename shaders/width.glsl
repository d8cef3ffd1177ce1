// How wide drawn strands are.
uniform usamplerBuffer starts;      // where each guide begins, and the end
uniform samplerBuffer records;      // see shaders/grow.vert
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
    vec4 weight = texelFetch(records, 5 * s + 1);
    if (weight.x < -1.5) {
        // One hair of the hairline, however many its neighbours stand for.
        return weight.y * stray.w;
    }
    if (weight.x < 0.0) {
        return weight.y;
    }
    return is_fly_away(uint(weight.w)) ? stray.w : texelFetch(records, 5 * s + 2).w;
}

// Width of strand "s" at t, a share of the diameter. A follower is as wide as
// the guide that it gathers around.
float width_of(int s, float t) {
    float fine = fineness(s);
    if (widths[4].y < 0.5) {
        return fine * taper(t);
    }
    vec4 guides = texelFetch(records, 5 * s + 2);
    int guide = int(texelFetch(records, 5 * s + 1).x < -1.5 ? guides.w : guides.x);
    int start = int(texelFetch(starts, guide).r);
    int last = int(texelFetch(starts, guide + 1).r) - start - 1;
    float x = clamp(t, 0.0, 1.0) * float(last);
    int k = min(int(x), max(last - 1, 0));
    float from = texelFetch(own_widths, start + k).r;
    float to = texelFetch(own_widths, start + min(k + 1, last)).r;
    return fine * mix(from, to, x - float(k)) * (widths[4].y < 1.5 ? taper(t) : 1.0);
}
