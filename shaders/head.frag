// Clay that looks a little like skin: wrapped light that reddens where it
// fades, two broad soft highlights, light from the room.
centroid in vec3 world;
centroid in vec3 world_normal;
centroid in vec4 own_colour;
centroid in vec2 sky_and_roots;
centroid in vec4 shade_of_hair;
out vec4 colour;

uniform sampler2DShadow key_sees;

// How much of the key light the head itself lets through here.
float key_light(vec3 normal) {
    vec3 at = (world_to_shadow * vec4(world + normal * 0.004, 1.0)).xyz;
    float spread = 2.2 / float(textureSize(key_sees, 0).x);
    float lit = 0.0;
    for (int i = 0; i < 8; ++i) {
        // A spiral (Vogel 1979): eight places even over a disc.
        float angle = 2.39996 * float(i) + 0.4;
        vec2 off = sqrt(float(i) + 0.5) * vec2(cos(angle), sin(angle)) * spread;
        lit += texture(key_sees, vec3(at.xy + off, at.z));
    }
    return lit / 8.0;
}

void main() {
    vec3 normal = normalize(world_normal);
    vec3 to_eye = normalize(eye.xyz - world);
    // The inside of an open scan, but not the far rim of a smooth edge.
    if (!gl_FrontFacing && dot(normal, to_eye) < -0.2) {
        normal = -normal;
    }
    float sky_seen = sky_and_roots.x;
    float hair_grows = sky_and_roots.y;
    vec3 albedo = mix(skin_colour.rgb, own_colour.rgb, own_colour.a);
    // Between strands one sees more hair than skin.
    albedo = mix(albedo, scalp_colour.rgb + albedo * 0.06, hair_grows);
    float edge = pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0);
    float sheen = (1.0 - hair_grows) * (0.3 + 0.7 * edge);

    // Light that bounces in hollows is warmer than what falls into them.
    vec3 seen = pow(vec3(sky_seen), vec3(0.85, 1.0, 1.1)) * shade_of_hair.w;
    vec3 sum = albedo * surroundings(normal) * seen;
    vec3 wrap = vec3(0.30, 0.16, 0.12);
    vec4 passed = shade_of_hair.xyzz;
    passed.x *= key_light(normal);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        float facing = dot(normal, to_light);
        vec3 lit = clamp((facing + wrap) / (1.0 + wrap), 0.0, 1.0);
        float mirror = max(dot(normal, normalize(to_light + to_eye)), 0.0);
        float shine = 0.05 * pow(mirror, 28.0) + 0.02 * pow(mirror, 7.0);
        shine *= sheen * clamp(facing * 4.0, 0.0, 1.0);
        // The other lights are broad: hollows see less of them.
        float through = passed[i] * (i == 0 ? 1.0 : mix(1.0, sky_seen, 0.7));
        sum += light_colour[i].rgb * through * (albedo * lit * lit / 3.14159 + shine);
    }
    colour = vec4(sum, 1.0);
}
