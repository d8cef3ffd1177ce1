// Light from a place on a strand. Directions are unit and point away from the
// place; tangents point to the root.
//
// Each number says where it is from: an equation of a paper; a fit to the path tracer
// (tests/pathtraced.py; docs/decisions.md, "Light in hair"); or taste, which is what looked
// well in a picture. OPENNESS_FALL is defined by src/render/occlusion.rs.
const float PI = 3.14159265;

// What the scales of the cuticle turn the lobes by, each a multiple of it [rad]. Scales lie
// like tiles of a roof with their free edges towards the tip, which tilts the surface's normals
// towards the root: light that the surface mirrors (R) leaves that much more towards the root
// than a smooth fibre would send it, light through the fibre (TT) or mirrored inside (TRT) more
// towards the tip (Marschner et al. 2003, section 4). So where hair bends away over the head
// the white highlight of R is seen nearer to the tips than a smooth fibre's, and the coloured
// one of TRT nearer to the roots.
const float SCALES = 0.035;

// What the hair around a place does to the light there.
struct Spot {
    vec4 depth;      // towards each light
    vec3 bent_normal;  // mean direction of open air, longer where it is more one-sided
    float openness;  // how much of the room is seen, 0..1
};

// Where most light comes from.
vec3 outwards(Spot spot) {
    return normalize(spot.bent_normal + vec3(0.0, 1e-4, 0.0));
}

// How much of the room is seen in this direction, 0..1. Taste.
float open_to(Spot spot, vec3 direction) {
    return clamp(spot.openness + 0.5 * dot(spot.bent_normal, direction), 0.002, 1.0);
}

Spot spot_at(vec3 place) {
    vec3 cell = (place - box_low.xyz) * box_scale.xyz;
    vec4 air = in_box(OPEN_AIR, cell);
    float shaded = min(shadow_strength(), 1.0);
    return Spot(in_box(TOWARDS_LIGHTS, cell) * shadow_strength(), air.xyz * shaded, mix(1.0, air.w, shaded));
}

// Light "i", many times scattered, for painted colours: wrapped around the lock, tinted by
// the way in. Taste, all of it.
vec3 scattered(Spot spot, int i, vec3 albedo, vec3 forward, float cos_light) {
    vec3 passed = exp(-0.46 * spot.depth[i] * (1.0 - 0.8 * forward));
    float wrap = clamp((dot(outwards(spot), light_direction[i].xyz) + 0.5) / 1.5, 0.0, 1.0);
    return 1.2 * albedo * passed * (wrap * (1.0 + cos_light) * 0.5 / PI);
}

// How much of the room's light comes in: some finds its way into any depth, for
// what is in the way is seen from six sides only, and sends light on itself. Taste.
float room_at(Spot spot) {
    return 0.34 + 0.66 * mix(spot.openness, spot.openness * spot.openness, 0.3);
}

// Two highlights over scattered light, with colours as given: a white one, which is R's, and
// a coloured one, TRT's. Like that of Kajiya and Kay 1989 each depends on the tangent's angles
// with light and eye alone, but it is a bell in the sum of their sines, not a power of a
// cosine. Places, widths and strengths are taste. The white one is nearer to the tips, the
// coloured one nearer to the roots than without the shifts, which is as SCALES says.
const float WHITE_SHIFT = 0.14;
const float TINTED_SHIFT = 0.24;
vec3 painted_light(Spot spot, vec3 tangent, vec3 to_eye, vec3 albedo) {
    // What a fibre lets through keeps its colour: light deep in the hair is
    // dim in the colours that the hair itself lacks. A fibre sends on 0.92 exp(-1.2 s), s
    // being the root of its absorption, and thick hair is seen as half of (exp(-5.89 s))^0.68
    // (taste, for equation 9 of Chiang et al. 2016): by this power of twice what is seen.
    vec3 forward = 0.92 * pow(min(2.0 * albedo, vec3(1.0)), vec3(0.3));

    float sin_eye = dot(tangent, to_eye);
    float cos_eye = sqrt(max(1.0 - sin_eye * sin_eye, 0.0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        float sin_light = dot(tangent, to_light);
        float cos_light = sqrt(max(1.0 - sin_light * sin_light, 0.0));
        float seen = exp(-EXTINCTION * spot.depth[i]);
        vec3 light = scattered(spot, i, albedo, forward, cos_light);
        float along = sin_light + sin_eye;
        float white = exp(-40.0 * (along - WHITE_SHIFT) * (along - WHITE_SHIFT));
        float tinted = exp(-11.0 * (along + TINTED_SHIFT) * (along + TINTED_SHIFT));
        float facing = 0.5 + 0.5 * dot(to_light, to_eye);
        light += highlight() * seen * (0.030 * white + 0.30 * tinted * albedo) * (0.35 + 0.65 * facing);
        // Through the fibre, towards a camera that looks at the light.
        float behind = pow(max(1.0 - facing, 0.0), 6.0);
        light += 1.3 * behind * sqrt(albedo) * albedo * seen * cos_eye;
        sum += light_colour[i].rgb * light;
    }
    float room = room_at(spot);
    sum += albedo * surroundings(outwards(spot)) * room * (0.6 + 0.4 * room);
    return sum;
}

// A bell curve of area one.
float bell(float width, float x) {
    return exp(-0.5 * x * x / (width * width)) / (2.5066283 * width);
}

// Light that a fibre's surface (index 1.55) mirrors; Schlick 1994. Head on it is
// ((1.55 - 1) / (1.55 + 1))^2.
float mirrored(float cosine) {
    float a = 1.0 - clamp(cosine, 0.0, 1.0);
    float a2 = a * a;
    return 0.0465 + 0.9535 * a2 * a2 * a;
}

// Absorption across a fibre's radius of dark pigment (d'Eon et al. 2011).
const vec3 EUMELANIN = vec3(0.419, 0.697, 1.37);

// Absorption across a fibre's radius: melanin and dye (d'Eon et al. 2011;
// Chiang et al. 2016, section 4.2). Strands differ; roots are darker: taste.
vec3 absorption(uint id, float t) {
    float spread_of = variation() * 1.6;
    float amount = exp(spread_of * (strand_random(id, 21u) + strand_random(id, 22u) - 1.0))
        * mix(1.18, 0.80, smoothstep(0.0, 0.9, t));
    amount *= strand_random(id, 33u) < pigment.z ? 0.02 : 1.0;
    float red = pigment.y * mix(1.0, 2.0 * strand_random(id, 23u), 0.3);
    float grown_out = root_eumelanin() * (1.0 - smoothstep(0.05, 0.5, t));
    return amount * ((pigment.x + grown_out) * EUMELANIN + red * vec3(0.187, 0.4, 1.05)) + dye.rgb;
}

// Share of the second colour in strand "id", whose streak has that number: bleach or dye from
// somewhere on to the tip, and whole streaks but for what has grown since. All of it is taste.
float tone_share(uint id, float t, float streak) {
    // Nobody dyes two strands quite as far.
    float from = 1.0 - tone_places.x * (1.0 + 0.2 * (strand_random(id, 34u) - 0.5));
    float to = max(mix(from, 1.0, tone_places.y), from + 0.02);
    float tips = tone_places.x > 0.0 ? smoothstep(from, to, t) : 0.0;
    // A few strands of a streak are not in its foil.
    bool in_streak = streak < tone_places.z && strand_random(id, 35u) < 0.9;
    float streaks = in_streak ? smoothstep(0.0, 0.08, t) : 0.0;
    // Where bleached hair has grown out, so has this.
    float grown_out = min(4.0 * root_eumelanin(), 1.0) * (1.0 - smoothstep(0.05, 0.5, t));
    return max(tips, streaks) * (1.0 - grown_out);
}

// That absorption of strand "id" where it has its second colour, too.
vec3 toned(vec3 sigma, uint id, float t, float streak) {
    float amount = exp(0.5 * variation() * (strand_random(id, 21u) + strand_random(id, 22u) - 1.0));
    return mix(sigma, amount * tone.rgb, tone_share(id, t, streak));
}

// Chiang et al. 2016, equation 9, for an azimuthal roughness of 0.3.
const float THICK = 5.89;

// Absorption that gives thick hair this colour.
vec3 absorption_of(vec3 colour) {
    vec3 root = log(clamp(colour, 0.001, 0.98)) / THICK;
    return root * root;
}

// Share of the light that a fibre sends on, and that it sends back, over all angles
// (Zinke et al. 2008, equations 6 and 12), of the fibre of Chiang et al. 2016 with an
// azimuthal roughness of 0.3; fitted within 0.01.
vec3 forward_scattering(vec3 sigma) {
    return 0.056 + 0.81 * exp(-1.95 * sigma);
}
vec3 backward_scattering(vec3 sigma) {
    return 0.047 + 0.088 * exp(-4.0 * sigma);
}

// How much of the grid's optical depth counts for light that comes straight: less, the
// more the air is open that way. Cells are coarser than the gaps between strands, and a
// fibre in sight is one that light reaches as well. Fitted to the path tracer
// (tests/pathtraced.py), as all that follows.
float direct_depth(float depth, float open) {
    return depth * max(0.44 - 1.25 * open * open, 0.04);
}
// The same for light that comes by way of others. More than all deep inside, where light
// leaves to the sides too. Fitted.
float scattered_depth(float depth) {
    return depth * (1.2 * depth + 0.55) / (depth + 10.5);
}
// Density factor of light from other fibres (Zinke et al. 2008, section 4.1.1, has 0.7).
// Fitted.
const float DENSITY_FACTOR = 0.82;
// Longitudinal width of light that has gone through others. Fitted.
const float SPREAD = 0.5;

// Share of the room's light that hair shows. Fitted.
const float ROOM = 0.93;

// Openness falls off with OPENNESS_FALL of the depth, of which half counts (fitted); light
// that fibres send on falls off with this power of openness, times the share that none sends
// on.
const float ROOM_FALL = 0.5 / OPENNESS_FALL;

// Marschner et al. 2003 in the closed form of Karis 2016 ("Physically Based Hair
// Shading in Unreal"): R, TT and TRT; around them, light scattered many times, by the
// dual scattering of Zinke et al. 2008. What is not said to be otherwise in the three lobes
// is as Karis has it.
vec3 fibre_light(Spot spot, vec3 tangent, vec3 to_eye, vec3 sigma, uint id) {
    vec3 on = forward_scattering(sigma);
    vec3 back = backward_scattering(sigma);
    // Light that others scatter back, and forward again (equation 14).
    vec3 on2 = on * on;
    vec3 q = on2 / (1.0 - on2);
    vec3 backscattered = back * q + back * back * back * q / ((1.0 - on2) * (1.0 - on2));
    // Chiang et al. 2016, equation 7, of which this bell has a half of the variance, without
    // its term 3.7 beta^20: less than 1 % below a roughness of 0.74, 4 % at the slider's end,
    // 0.8. Strands differ in it, and in where their lobes lie, both alike: taste.
    float rough = (0.513 * pigment.w + 0.574 * pigment.w * pigment.w) * mix(0.8, 1.25, strand_random(id, 31u));
    float tilt = 0.05 * (strand_random(id, 32u) - 0.5);
    float sin_eye = clamp(dot(tangent, to_eye), -1.0, 1.0);
    float cos_eye = sqrt(1.0 - sin_eye * sin_eye);
    float eye_angle = asin(sin_eye);
    vec3 eye_across = to_eye - sin_eye * tangent;
    // Karis 2016 counts the scales twice for R: the sum of the two angles is 8 degrees off;
    // in Marschner et al. 2003 it is 10 to 20.
    float scale = 2.0 * SCALES + tilt;
    float sin_scale = sin(scale);
    float cos_scale = cos(scale);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        float seen = exp(-direct_depth(spot.depth[i], open_to(spot, to_light)));
        float sin_light = clamp(dot(tangent, to_light), -1.0, 1.0);
        float cos_light = sqrt(1.0 - sin_light * sin_light);
        float cos_half = cos(0.5 * abs(eye_angle - asin(sin_light)));
        vec3 light_across = to_light - sin_light * tangent;
        float cos_around = dot(light_across, eye_across)
            * inversesqrt(dot(light_across, light_across) * dot(eye_across, eye_across) + 1e-5);
        float half_around = sqrt(clamp(0.5 + 0.5 * cos_around, 0.0, 1.0));
        float along = sin_light + sin_eye;
        // Bells are as wide in angle for light along the fibre as across, and so narrower
        // in the sine (d'Eon et al. 2011, equation 7, for small widths).
        float slant = max(sqrt(cos_light * cos_eye), 0.2);
        // R: mirrored by the surface (d'Eon et al. 2014 for the turn). Where the light is behind,
        // the bell is kept from getting infinitely narrow.
        float turn = 2.0 * sin_scale * (cos_scale * half_around * cos_eye + sin_scale * sin_eye);
        float r = bell(slant * rough * max(1.4142 * half_around, 0.35), along - turn) * 0.25 * half_around
            * mirrored(sqrt(clamp(0.5 + 0.5 * dot(to_eye, to_light), 0.0, 1.0)));
        // TT: through the fibre, whose bell has half of R's width (Chiang et al. 2016).
        float a = 1.0 / (1.19 / cos_half + 0.36 * cos_half);
        float h = half_around * (1.0 + a * (0.6 - 0.8 * cos_around));
        float f = mirrored(cos_half * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
        float chord = 2.0 * sqrt(clamp(1.0 - h * h * a * a, 0.0, 1.0)) / cos_half;
        vec3 tt = bell(0.71 * slant * rough, along + SCALES - tilt)
            * exp(-3.65 * cos_around - 3.98) * (1.0 - f) * (1.0 - f) * exp(-sigma * chord);
        // TRT: mirrored inside, out again on the side of the light; twice R's width. Where h^2
        // is 0.75, as Karis takes it to be, the way inside is 4 sqrt(1 - 0.75 / 1.55^2) = 3.32
        // radii long; 2.95 is taste, older than the fit of this lobe's strength.
        float g = mirrored(0.5 * cos_half);
        vec3 trt = bell(2.83 * slant * rough, along + 4.0 * SCALES - 2.0 * tilt)
            * exp(17.0 * cos_around - 16.78) * (1.0 - g) * (1.0 - g) * g * exp(-2.95 * sigma / cos_half);
        // The strengths of R, TT and TRT (none in print) are fitted.
        vec3 light = seen * (1.27 * highlight() * r + 1.03 * tt + trt);
        // What comes through others comes from around the light (equation 5).
        // The share that comes past all of them is not part of it.
        float depth = scattered_depth(spot.depth[i]);
        float past = exp(-depth);
        vec3 through = DENSITY_FACTOR * (exp(-depth * (1.0 - on)) - past);
        float forward_lobe = (0.5 - 0.5 * cos_around) / PI;
        float backward_lobe = (0.5 + 0.5 * cos_around) / PI;
        // Each fibre on the way has turned it as TT does.
        float turned = SCALES * (1.0 + depth);
        light += through * bell(slant * SPREAD, along + turned) * (on * forward_lobe + back * backward_lobe);
        // What comes back from the hair behind, where there is any.
        float behind = 1.0 - open_to(spot, -to_light);
        light += (past + through) * (behind * backward_lobe) * backscattered * bell(slant * SPREAD, along);
        sum += light_colour[i].rgb * light;
    }
    // The room: through the fibre from behind it, as far as the hair there lets light
    // through, and back from before it.
    vec3 fall = ROOM_FALL * (1.0 - on);
    vec3 beyond = pow(vec3(open_to(spot, -to_eye)), fall) * surroundings(-to_eye);
    vec3 out_of = outwards(spot);
    vec3 before = pow(vec3(open_to(spot, to_eye)), fall) * surroundings(out_of);
    vec3 across = normalize(out_of - tangent * dot(out_of, tangent) + 1e-5);
    // Fresnel's share is 0.047 in the middle of a fibre and 0.073 on average over its
    // breadth, but near the edges it is the dark hair behind that is mirrored.
    vec3 sheen = 0.05 * room_at(spot) * surroundings(reflect(-to_eye, across));
    vec3 room = on * beyond + (back - 0.047 + backscattered) * before + sheen;
    return max(sum + ROOM * room, 0.0);
}

// Near its root a strand stands among others, closer than the grid's cells tell: light
// comes through so many times as much hair. Taste.
const float AMONG_ROOTS = 2.5;
// And that is so for this length. [m]
const float ROOTED = 0.012;

// Light from a place of strand "id" towards the eye; t is 0 at the root, "grown" how far
// that is away [m]. Where the strand has a colour of its "own", a is above 0. "streak" is the
// number of the streak that it lies in.
vec3 strand_light(vec3 place, vec3 tangent, float t, float grown, uint id, vec4 own, float streak) {
    vec3 paint = mix(root_colour.rgb, tip_colour.rgb, smoothstep(0.0, 1.0, t));
    paint = own.a > 0.5 ? own.rgb : paint;
    paint *= exp2(variation() * (strand_random(id, 20u) * 2.0 - 1.0) * 1.6);
    if (is_flat()) {
        return 2.5 * paint;
    }
    vec3 to_eye = normalize(eye.xyz - place);
    Spot spot = spot_at(place);
    spot.depth *= mix(AMONG_ROOTS, 1.0, smoothstep(0.0, ROOTED, grown));
    if (!is_fibre()) {
        return painted_light(spot, tangent, to_eye, paint);
    }
    vec3 sigma = own.a > 0.5 ? absorption_of(own.rgb) : absorption(id, t);
    return fibre_light(spot, tangent, to_eye, toned(sigma, id, t, streak), id);
}
