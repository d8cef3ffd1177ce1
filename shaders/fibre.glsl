// Light from a place on a strand. Directions are unit and point away from the
// place; tangents point to the root.
uniform sampler3D towards_lights;  // optical depth towards each light
uniform sampler3D open_air;        // xyz: where the air is open, w: how open

const float PI = 3.14159265;

// What the hair around a place does to the light there.
struct Spot {
    vec4 depth;      // towards each light
    vec3 outwards;   // where most light comes from
    float openness;  // how much of the room is seen, 0..1
};

Spot spot_at(vec3 place) {
    vec3 cell = (place - box_low.xyz) * box_scale.xyz;
    vec4 air = textureLod(open_air, cell, 0.0);
    return Spot(
        textureLod(towards_lights, cell, 0.0) * box_low.a,
        normalize(air.xyz + vec3(0.0, 1e-4, 0.0)),
        mix(1.0, air.w, min(box_low.a, 1.0))
    );
}

// Light "i", many times scattered: wrapped around the lock, tinted by the way in.
vec3 scattered(Spot spot, int i, vec3 albedo, vec3 forward, float cos_light) {
    vec3 passed = exp(-0.46 * spot.depth[i] * (1.0 - 0.8 * forward));
    float wrap = clamp((dot(spot.outwards, light_direction[i].xyz) + 0.5) / 1.5, 0.0, 1.0);
    return 1.2 * albedo * passed * (wrap * (1.0 + cos_light) * 0.5 / PI);
}

// How much of the room's light comes in: some finds its way into any depth, for
// what is in the way is seen from six sides only, and sends light on itself.
float room_at(Spot spot) {
    return 0.34 + 0.66 * mix(spot.openness, spot.openness * spot.openness, 0.3);
}

// Kajiya and Kay's two lobes over scattered light, with colours as given.
vec3 painted_light(Spot spot, vec3 tangent, vec3 to_eye, vec3 albedo) {
    // What a fibre lets through keeps its colour: light deep in the hair is
    // dim in the colours that the hair itself lacks.
    vec3 forward = 0.92 * pow(min(2.0 * albedo, vec3(1.0)), vec3(0.3));

    float sin_eye = dot(tangent, to_eye);
    float cos_eye = sqrt(max(1.0 - sin_eye * sin_eye, 0.0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        float sin_light = dot(tangent, to_light);
        float cos_light = sqrt(max(1.0 - sin_light * sin_light, 0.0));
        float seen = exp(-0.9 * spot.depth[i]);
        vec3 light = scattered(spot, i, albedo, forward, cos_light);
        // Kajiya and Kay 1989, in two lobes as Marschner et al. 2003 saw them:
        // a white one towards the root, a coloured one towards the tip.
        float tilt = sin_light + sin_eye;
        float white = exp(-40.0 * (tilt + 0.14) * (tilt + 0.14));
        float tinted = exp(-11.0 * (tilt - 0.24) * (tilt - 0.24));
        float facing = 0.5 + 0.5 * dot(to_light, to_eye);
        light += tip_colour.a * seen * (0.030 * white + 0.30 * tinted * albedo) * (0.35 + 0.65 * facing);
        // Through the fibre, towards a camera that looks at the light.
        float behind = pow(max(1.0 - facing, 0.0), 6.0);
        light += 1.3 * behind * sqrt(albedo) * albedo * seen * cos_eye;
        sum += light_colour[i].rgb * light;
    }
    float room = room_at(spot);
    sum += albedo * surroundings(spot.outwards) * room * (0.6 + 0.4 * room);
    return sum;
}

// A bell curve of area one.
float bell(float width, float x) {
    return exp(-0.5 * x * x / (width * width)) / (2.5066283 * width);
}

// Light that a fibre's surface (index 1.55) mirrors; Schlick 1994.
float mirrored(float cosine) {
    float a = 1.0 - clamp(cosine, 0.0, 1.0);
    float a2 = a * a;
    return 0.0465 + 0.9535 * a2 * a2 * a;
}

// Absorption across a fibre's radius: melanin and dye (d'Eon et al. 2011;
// Chiang et al. 2016, section 4.2). Strands differ; roots are darker.
vec3 absorption(uint id, float t) {
    float spread_of = root_colour.a * 1.6;
    float amount = exp(spread_of * (luck(id, 21u) + luck(id, 22u) - 1.0))
        * mix(1.18, 0.80, smoothstep(0.0, 0.9, t));
    amount *= luck(id, 24u) < pigment.z ? 0.02 : 1.0;
    float red = pigment.y * mix(1.0, 2.0 * luck(id, 23u), 0.3);
    return amount * (pigment.x * vec3(0.419, 0.697, 1.37) + red * vec3(0.187, 0.4, 1.05)) + dye.rgb;
}

// Chiang et al. 2016, equation 9, for an azimuthal roughness of 0.3.
const float THICK = 5.89;

// Absorption that gives thick hair this colour.
vec3 absorption_of(vec3 colour) {
    vec3 root = log(clamp(colour, 0.001, 0.98)) / THICK;
    return root * root;
}

// Marschner et al. 2003 in the closed form of Karis 2016 ("Physically Based Hair
// Shading in Unreal"): R, TT and TRT; around them, light scattered many times,
// after the idea of Zinke et al. 2008.
vec3 fibre_light(Spot spot, vec3 tangent, vec3 to_eye, vec3 sigma, uint id) {
    // The colour of hair so thick that nothing shows through.
    vec3 thick = exp(-THICK * sqrt(sigma));
    vec3 albedo = 0.50 * pow(thick, vec3(0.68));
    vec3 forward = 0.92 * exp(-1.2 * sqrt(sigma));
    float rough = pigment.w * pigment.w * mix(0.8, 1.25, luck(id, 31u));
    float tilt = 0.05 * (luck(id, 32u) - 0.5);
    float sin_eye = clamp(dot(tangent, to_eye), -1.0, 1.0);
    float cos_eye = sqrt(1.0 - sin_eye * sin_eye);
    float eye_angle = asin(sin_eye);
    vec3 eye_across = to_eye - sin_eye * tangent;
    // The cuticle's scales turn the first lobe towards the root.
    float scale = -0.07 + tilt;
    float sin_scale = sin(scale);
    float cos_scale = cos(scale);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        float seen = exp(-0.9 * spot.depth[i]);
        float sin_light = clamp(dot(tangent, to_light), -1.0, 1.0);
        float cos_light = sqrt(1.0 - sin_light * sin_light);
        float cos_half = cos(0.5 * abs(eye_angle - asin(sin_light)));
        vec3 light_across = to_light - sin_light * tangent;
        float cos_around = dot(light_across, eye_across)
            * inversesqrt(dot(light_across, light_across) * dot(eye_across, eye_across) + 1e-5);
        float half_around = sqrt(clamp(0.5 + 0.5 * cos_around, 0.0, 1.0));
        float along = sin_light + sin_eye;
        // R: mirrored by the surface.
        float turn = 2.0 * sin_scale * (cos_scale * half_around * cos_eye + sin_scale * sin_eye);
        float r = bell(rough * max(1.4142 * half_around, 0.35), along - turn) * 0.25 * half_around
            * mirrored(sqrt(clamp(0.5 + 0.5 * dot(to_eye, to_light), 0.0, 1.0)));
        // TT: through the fibre.
        float a = 1.0 / (1.19 / cos_half + 0.36 * cos_half);
        float h = half_around * (1.0 + a * (0.6 - 0.8 * cos_around));
        float f = mirrored(cos_half * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
        float chord = 2.0 * sqrt(clamp(1.0 - h * h * a * a, 0.0, 1.0)) / cos_half;
        vec3 tt = bell(0.5 * rough + 0.05, along - 0.035 - tilt)
            * exp(-3.65 * cos_around - 3.98) * (1.0 - f) * (1.0 - f) * exp(-sigma * chord);
        // TRT: mirrored inside, out again on the side of the light.
        float g = mirrored(0.5 * cos_half);
        vec3 trt = bell(2.0 * rough, along - 0.14 - 2.0 * tilt)
            * exp(17.0 * cos_around - 16.78) * (1.0 - g) * (1.0 - g) * g * exp(-2.95 * sigma / cos_half);
        // What surfaces mirror finds its way in too, from fibre to fibre.
        float glance = mix(seen, exp(-0.25 * spot.depth[i]), 0.15);
        vec3 light = glance * 2.1 * tip_colour.a * r + seen * 1.2 * trt
            + 0.5 * tt * mix(vec3(seen), exp(-spot.depth[i] * (1.0 - forward)), 0.35);
        light += scattered(spot, i, albedo, forward, cos_light);
        sum += light_colour[i].rgb * light;
    }
    // The room: the hair's own colour, and what surfaces mirror, which is all of
    // it where hair is black. Fresnel's share is 0.047 in the middle of a fibre
    // and 0.073 on average over its breadth, but near the edges it is the dark
    // hair behind that is mirrored.
    float room = room_at(spot);
    vec3 across = normalize(spot.outwards - tangent * dot(spot.outwards, tangent) + 1e-5);
    vec3 sheen = 0.055 * surroundings(reflect(-to_eye, across));
    return max(sum + room * (surroundings(spot.outwards) * albedo * (0.75 + 0.25 * room) + sheen), 0.0);
}

// Light from a place of strand "id" towards the eye; t is 0 at the root. Where
// the strand has a colour of its "own", a is above 0.
vec3 strand_light(vec3 place, vec3 tangent, float t, uint id, vec4 own) {
    vec3 paint = mix(root_colour.rgb, tip_colour.rgb, smoothstep(0.0, 1.0, t));
    paint = own.a > 0.5 ? own.rgb : paint;
    paint *= exp2(root_colour.a * (luck(id, 20u) * 2.0 - 1.0) * 1.6);
    if (dye.a < 0.5) {
        return 2.5 * paint;
    }
    vec3 to_eye = normalize(eye.xyz - place);
    Spot spot = spot_at(place);
    return dye.a < 1.5 ? painted_light(spot, tangent, to_eye, paint)
        : fibre_light(spot, tangent, to_eye, own.a > 0.5 ? absorption_of(own.rgb) : absorption(id, t), id);
}
