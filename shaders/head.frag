// Skin: light that has gone under the surface softens and reddens the edge of
// the shade, an oily film shines in two lobes, pores break both up from near.
centroid in vec3 world;
centroid in vec3 on_head;
centroid in vec3 world_normal;
centroid in vec4 own_colour;
centroid in vec2 sky_and_roots;
centroid in vec2 on_map;
centroid in vec3 blood;
centroid in vec4 shade_of_hair;
out vec4 colour;

uniform sampler2DShadow key_sees;
#ifdef PICTURES
uniform sampler2D colour_map;   // sRGB, white where the material has none
uniform sampler2D normal_map;   // in the surface's own frame
#endif

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

#ifdef PICTURES
// The normal with the relief of its picture: a frame from the derivatives on
// the screen (Schueler 2013), so that the mesh needs no tangents.
vec3 relief(vec3 normal) {
    // 128 is flat, to the last bit.
    vec3 bend = (texture(normal_map, vec2(on_map.x, 1.0 - on_map.y)).xyz * 255.0 - 128.0) / 127.0;
    vec3 px = dFdx(world), py = dFdy(world);
    vec2 ux = dFdx(on_map), uy = dFdy(on_map);
    vec3 across = cross(py, normal), along = cross(normal, px);
    vec3 tangent = across * ux.x + along * uy.x;
    vec3 bitangent = across * ux.y + along * uy.y;
    float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if (longest < 1e-30 || bend.xy == vec2(0.0)) {
        return normal;
    }
    return normalize((tangent * bend.x + bitangent * bend.y) * inversesqrt(longest) + normal * max(bend.z, 0.1));
}
#endif

// Light that a rough film reflects (Walter et al. 2007), with the short form
// of its visibility by Kelemen and Szirmay-Kalos 2001.
float film(float normal_half, float light_half, float roughness) {
    float a = roughness * roughness;
    float d = normal_half * normal_half * (a * a - 1.0) + 1.0;
    return a * a / (3.14159 * d * d) * 0.25 / max(light_half * light_half, 0.05);
}

void main() {
    vec3 normal = normalize(world_normal);
#ifdef PICTURES
    vec4 texel = texture(colour_map, vec2(on_map.x, 1.0 - on_map.y));
    vec3 bent = relief(normal);
    if (texel.a < 0.5) {
        discard;
    }
    vec3 own = own_colour.rgb * texel.rgb;
#else
    vec3 bent = normal;
    vec3 own = own_colour.rgb;
#endif
    vec3 to_eye = normalize(eye.xyz - world);
    // The inside of an open scan, but not the far rim of a smooth edge.
    if (!gl_FrontFacing && dot(normal, to_eye) < -0.2) {
        normal = -normal;
        bent = -bent;
    }
    float sky_seen = sky_and_roots.x;
    float bare = 1.0 - sky_and_roots.y;

    vec3 albedo = mix(skin_colour.rgb * blood, own, own_colour.a);
    // Pores and fine creases, until they are as small as pixels.
    float pixel = length(fwidth(on_head));
    float fine = 1.0 - smoothstep(0.0003, 0.0008, pixel);
    float gloss = 1.0;
    // Pores too small to be seen roughen the film instead.
    float rough = 0.07 * (1.0 - fine);
    if (fine > 0.0) {
        vec4 pores = noise(on_head * 1250.0), creases = noise(on_head * vec3(420.0, 520.0, 420.0));
        vec3 slope = (0.08 * pores.xyz + 0.09 * creases.xyz) * (fine * bare);
        bent = normalize(bent - slope + normal * dot(slope, normal));
        gloss += fine * 0.5 * pores.w;
    }
    // Between strands one sees more hair than skin.
    albedo = mix(albedo, scalp_colour.rgb + albedo * 0.06, 1.0 - bare);

    // Light that bounces in hollows is redder than what falls into them.
    float open = sky_seen * shade_of_hair.w;
    vec3 sum = albedo * surroundings(mix(normal, bent, 0.5)) * pow(vec3(open), vec3(0.8, 1.05, 1.15));
    float facing_eye = clamp(dot(bent, to_eye), 0.0, 1.0);
    float rim = pow(1.0 - facing_eye, 5.0);
    sum += surroundings(reflect(-to_eye, bent)) * (0.012 + 0.12 * rim) * open * open * bare;

    // How far light of each colour creeps round into the shade: red farthest.
    vec3 wrap = mix(vec3(0.06), vec3(0.34, 0.15, 0.10), bare);
    vec4 passed = shade_of_hair.xyzz;
    float key = key_light(normal);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        // Red has been everywhere under the surface: it knows no pores.
        vec3 facing = vec3(dot(mix(bent, normal, 0.75), to_light), vec2(dot(mix(bent, normal, 0.35), to_light)));
        vec3 lit = clamp((facing + wrap) / (1.0 + wrap), 0.0, 1.0);
        lit = pow(lit, 1.0 + 2.0 * wrap);
        // The other lights are broad: hollows see less of them.
        vec3 through = vec3(passed[i] * (i == 0 ? 1.0 : mix(1.0, sky_seen, 0.7)));
        if (i == 0) {
            through *= pow(vec3(key), vec3(0.75, 1.0, 1.1));
        }
        vec3 half_way = normalize(to_light + to_eye);
        float normal_half = clamp(dot(bent, half_way), 0.0, 1.0);
        float light_half = clamp(dot(to_light, half_way), 0.0, 1.0);
        float fresnel = 0.028 + 0.972 * pow(1.0 - light_half, 5.0);
        float shine = 0.85 * film(normal_half, light_half, 0.60 + rough) + 0.15 * film(normal_half, light_half, 0.38 + rough);
        shine *= fresnel * gloss * bare * clamp(dot(bent, to_light), 0.0, 1.0) * through.g * mix(1.0, sky_seen, 0.5);
        sum += light_colour[i].rgb * (albedo * lit * through / 3.14159 + shine);
    }
    colour = vec4(sum, 1.0);
}
