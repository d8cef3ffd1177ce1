// Strands as lines, shaded at their vertices.
layout(location = 0) in vec3 before;   // the vertex nearer the root
layout(location = 1) in vec3 here;
layout(location = 2) in vec3 after;    // the vertex nearer the tip
layout(location = 3) in vec2 along;    // 0 at the root .. 1 at the tip; the strand's own random number

out vec3 shade;

void main() {
    // At the ends the neighbour belongs to another strand.
    vec3 back = along.x <= 0.0 ? here : before;
    vec3 on = along.x >= 1.0 ? here : after;
    vec3 tangent = normalize(on - back + vec3(0.0, 1e-9, 0.0));
    vec3 to_eye = normalize(eye.xyz - here);

    float luck = along.y * 2.0 - 1.0;
    vec3 albedo = mix(root_colour.rgb, tip_colour.rgb, smoothstep(0.0, 1.0, along.x));
    albedo *= exp2(root_colour.a * luck * 1.6);

    vec3 sum = albedo * surroundings(vec3(0.0, 1.0, 0.0)) * 0.5;
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        float along_light = dot(tangent, to_light);
        float across = sqrt(max(1.0 - along_light * along_light, 0.0));
        // Kajiya and Kay 1989: the highlight of a thin cylinder.
        float along_half = dot(tangent, normalize(to_light + to_eye));
        float half_across = sqrt(max(1.0 - along_half * along_half, 0.0));
        float shine = tip_colour.a * pow(half_across, 60.0);
        sum += light_colour[i].rgb * (albedo * across * 0.18 + shine * (0.02 + 0.15 * albedo));
    }
    shade = sum * mix(0.35, 1.0, smoothstep(0.0, 0.35, along.x));
    gl_Position = view_projection * vec4(here, 1.0);
}
