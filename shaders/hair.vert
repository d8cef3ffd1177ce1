// Strands as lines, shaded at their vertices.
layout(location = 0) in vec3 before;   // the vertex nearer the root
layout(location = 1) in vec3 here;
layout(location = 2) in vec3 after;    // the vertex nearer the tip
layout(location = 3) in vec2 along;    // 0 at the root .. 1 at the tip; the strand's own random number
#ifdef ROUNDED
layout(location = 4) in vec3 beyond;   // the vertex after "after"
layout(location = 5) in vec2 along_after;
#endif

uniform sampler3D towards_lights;      // optical depth towards each light
uniform sampler3D open_air;            // xyz: where the air is open, w: how open

out vec3 shade;

// Light from a place on a strand whose tangent points to the root; t and luck
// as in "along".
vec3 strand_light(vec3 place, vec3 tangent, float t, float luck) {
    vec3 to_eye = normalize(eye.xyz - place);

    vec3 cell = (place - box_low.xyz) * box_scale.xyz;
    vec4 depth = textureLod(towards_lights, cell, 0.0) * box_low.a;
    vec4 air = textureLod(open_air, cell, 0.0);
    vec3 outwards = normalize(air.xyz + vec3(0.0, 1e-4, 0.0));
    float openness = mix(1.0, air.w, min(box_low.a, 1.0));

    vec3 albedo = mix(root_colour.rgb, tip_colour.rgb, smoothstep(0.0, 1.0, t));
    albedo *= exp2(root_colour.a * (luck * 2.0 - 1.0) * 1.6);
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
        float seen = exp(-0.9 * depth[i]);
        // Many times scattered: wrapped around the lock, tinted by the way in.
        vec3 scattered = exp(-0.55 * depth[i] * (1.0 - 0.8 * forward));
        float wrap = clamp((dot(outwards, to_light) + 0.5) / 1.5, 0.0, 1.0);
        vec3 light = 1.2 * albedo * scattered * (wrap * (1.0 + cos_light) * 0.5 / 3.14159);
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
    float room = 0.12 + 0.88 * mix(openness, openness * openness, 0.35);
    sum += albedo * surroundings(outwards) * room * (0.6 + 0.4 * room);
    return sum;
}

void main() {
    vec3 place = here;
    float t = along.x;
    // At a strand's ends the neighbour belongs to another strand.
    bool root = along.x <= 0.0;
#ifdef ROUNDED
    if (along.x >= 1.0 || along.y > strokes.y) {
        // From a tip to another strand's root, or of a strand left out.
        shade = vec3(0.0);
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    // Catmull and Rom 1974: from "here" to "after", tangents along the chords.
    vec3 p0 = root ? 2.0 * here - after : before;
    vec3 p3 = along_after.x >= 1.0 ? 2.0 * after - here : beyond;
    float u = float(gl_VertexID) / strokes.x;
    vec3 a = 2.0 * here;
    vec3 b = after - p0;
    vec3 c = 2.0 * p0 - 5.0 * here + 4.0 * after - p3;
    vec3 d = 3.0 * (here - after) + p3 - p0;
    place = 0.5 * (a + u * (b + u * (c + u * d)));
    vec3 tangent = -(b + u * (2.0 * c + u * 3.0 * d));
    t = mix(along.x, along_after.x, u);
#else
    vec3 tangent = (root ? here : before) - (along.x >= 1.0 ? here : after);
#endif
    tangent = normalize(tangent + vec3(0.0, 1e-9, 0.0));
    shade = strand_light(place, tangent, t, along.y);
    gl_Position = view_projection * vec4(place, 1.0);
}
