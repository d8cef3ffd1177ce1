// Clay that looks a little like skin: wrapped light that reddens where it
// fades, two broad soft highlights, light from the room.
in vec3 world;
in vec3 world_normal;
in vec4 own_colour;
in float hair_grows;
out vec4 colour;

void main() {
    vec3 normal = normalize(gl_FrontFacing ? world_normal : -world_normal);
    vec3 to_eye = normalize(eye.xyz - world);
    vec3 albedo = mix(skin_colour.rgb, own_colour.rgb, own_colour.a);
    // Between strands one sees more hair, not skin.
    albedo = mix(albedo, root_colour.rgb * 0.6 + 0.004, hair_grows);
    float sheen = (1.0 - hair_grows) * (0.3 + 0.7 * pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0));

    vec3 sum = albedo * surroundings(normal) * 0.8;
    vec3 wrap = vec3(0.30, 0.16, 0.12);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        float facing = dot(normal, to_light);
        vec3 lit = clamp((facing + wrap) / (1.0 + wrap), 0.0, 1.0);
        float mirror = max(dot(normal, normalize(to_light + to_eye)), 0.0);
        float shine = 0.05 * pow(mirror, 28.0) + 0.02 * pow(mirror, 7.0);
        shine *= sheen * clamp(facing * 4.0, 0.0, 1.0);
        sum += light_colour[i].rgb * (albedo * lit * lit / 3.14159 + shine);
    }
    colour = vec4(sum, 1.0);
}
