// The head's surface: pores break light up from near.
centroid in vec3 world;
centroid in vec3 on_head;
centroid in vec3 world_normal;
centroid in vec4 own_colour;
centroid in vec2 sky_and_roots;
centroid in vec2 on_map;
centroid in vec2 painted;
centroid in vec3 blood;
centroid in vec4 shade_of_hair;
out vec4 colour;

#ifdef PICTURES
uniform sampler2D colour_map;   // sRGB, white where the material has none
uniform sampler2D normal_map;   // in the surface's own frame

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

void main() {
    vec3 normal = normalize(world_normal);
    float wet = step(1.5, own_colour.a);
    vec3 plain = wet > 0.0 ? eyeball(own_colour.rgb) : own_colour.rgb;
#ifdef PICTURES
    vec4 texel = texture(colour_map, vec2(on_map.x, 1.0 - on_map.y));
    vec3 bent = relief(normal);
    if (texel.a < 0.5) {
        discard;
    }
    vec3 own = plain * texel.rgb;
#else
    vec3 bent = normal;
    vec3 own = plain;
#endif
    vec3 to_eye = normalize(eye.xyz - world);
    // The inside of an open scan, but not the far rim of a smooth edge.
    if (!gl_FrontFacing && dot(normal, to_eye) < -0.2) {
        normal = -normal;
        bent = -bent;
    }
    float sky_seen = sky_and_roots.x;
    float bare = 1.0 - sky_and_roots.y;

    vec3 skin = mix(skin_colour.rgb * blood, own, min(own_colour.a, 1.0));
    // Pores and fine creases, until they are as small as pixels.
    float pixel = length(fwidth(on_head));
    float fine = (1.0 - smoothstep(0.0003, 0.0008, pixel)) * (1.0 - wet);
    // Pores too small to be seen roughen the film instead; an eyeball has none.
    float gloss = 1.0 + WET.y * wet;
    float rough = wet > 0.0 ? WET.x : 0.07 * (1.0 - fine);
    if (fine * (1.0 - mannequin()) > 0.0) {
        vec4 pores = noise(on_head * 1250.0), creases = noise(on_head * vec3(420.0, 520.0, 420.0));
        vec3 slope = (0.08 * pores.xyz + 0.09 * creases.xyz) * (fine * bare);
        bent = normalize(bent - slope + normal * dot(slope, normal));
        gloss += fine * 0.5 * pores.w;
    }
    vec3 soft, shine;
    skin_light(Skin(world, normal, bent, to_eye, sky_seen, bare, shade_of_hair, gloss, rough), soft, shine);
    colour = vec4(tinted(painted_skin(skin, bare), painted) * soft + shine, 1.0);
}
