// Skin: subsurface scattering softens and reddens the edge of the shade; an oily
// film reflects in two lobes.
uniform sampler2DShadow key_sees;

// Samples of the key light's shadow map. Fewer suffice at vertices: interpolation
// between them softens the shadow further.
#ifdef AT_VERTICES
const int KEY_SAMPLES = 3;
#else
const int KEY_SAMPLES = 16;
#endif

// Share of the key light that the head does not block, where there is one.
float key_light(vec3 place, vec3 normal) {
    if (!head_is_drawn()) {
        return 1.0;
    }
    vec3 at = (world_to_shadow * vec4(place + normal * 0.004, 1.0)).xyz;
    // As wide, whatever the map's resolution: a penumbra of 7 mm for a head and its bust.
    float spread = 0.0043;
    float lit = 0.0;
    for (int i = 0; i < KEY_SAMPLES; ++i) {
        // Vogel's spiral (1979): even samples over a disc.
        float angle = 2.39996 * float(i) + 0.4;
        float radius = sqrt((float(i) + 0.5) * 8.0 / float(KEY_SAMPLES));
        vec2 off = radius * vec2(cos(angle), sin(angle)) * spread;
        lit += texture(key_sees, vec3(at.xy + off, at.z));
    }
    return lit / float(KEY_SAMPLES);
}

// Light that a rough film reflects (Walter et al. 2007), with the short form
// of its visibility by Kelemen and Szirmay-Kalos 2001.
float film(float normal_half, float light_half, float roughness) {
    float a = roughness * roughness;
    float d = normal_half * normal_half * (a * a - 1.0) + 1.0;
    return a * a / (3.14159 * d * d) * 0.25 / max(light_half * light_half, 0.05);
}

// A point on the skin.
struct Skin {
    vec3 place;
    vec3 normal;
    vec3 bent;       // the normal with pores and creases
    vec3 to_eye;
    float sky_seen;  // how much of the room the head leaves open, 0..1
    float bare;      // 0 where hair grows
    vec4 hair_lets;  // light of key, fill, rims and room that hair lets through
    float gloss;
    float rough;     // added to the film's
};

// The colour of an eyeball, by where it is from the pole of the iris: across, up and
// forward, in radii of the iris.
vec3 eyeball(vec3 at) {
    float away = length(at.xy);
    // The white is never white, least towards the lids' corners.
    vec3 white = mix(vec3(0.40, 0.37, 0.34), vec3(0.34, 0.22, 0.18), smoothstep(1.3, 2.6, away));
    vec3 iris = mix(vec3(0.030, 0.014, 0.006), vec3(0.085, 0.042, 0.018), smoothstep(0.4, 0.75, away));
    // A darker ring around it.
    iris *= 1.0 - 0.6 * smoothstep(0.75, 1.0, away);
    iris = mix(vec3(0.002), iris, smoothstep(0.33, 0.41, away));
    // Behind its middle it has none.
    float is_white = max(smoothstep(0.93, 1.05, away), step(at.z, -2.0));
    return mix(iris, white, is_white);
}

// How an eyeball, which is wet, differs from skin: added to the film's roughness and gloss.
const vec2 WET = vec2(-0.2, 2.0);

// Light towards the eye: "soft" is still to be multiplied by the skin's colour.
void skin_light(Skin at, out vec3 soft, out vec3 shine) {
    // Light reflected within hollows is redder than light that falls into them.
    float open = at.sky_seen * at.hair_lets.w;
    vec3 reddened = mix(vec3(0.8, 1.05, 1.15), vec3(1.0), mannequin());
    soft = surroundings(mix(at.normal, at.bent, 0.5)) * pow(vec3(open), reddened);
    float facing_eye = clamp(dot(at.bent, at.to_eye), 0.0, 1.0);
    float rim = pow(1.0 - facing_eye, 5.0);
    shine = surroundings(reflect(-at.to_eye, at.bent)) * (0.012 + 0.12 * rim) * open * open * at.bare;

    // How far light of each colour scatters into the shade: red farthest.
    vec3 under = mix(vec3(0.34, 0.15, 0.10), vec3(0.12), mannequin());
    vec3 wrap = mix(vec3(0.06), under, at.bare);
    // Plaster is matt.
    float film_of = 1.0 - 0.6 * mannequin();
    vec4 passed = at.hair_lets.xyzz;
    float key = key_light(at.place, at.normal);
    for (int i = 0; i < 4; ++i) {
        vec3 to_light = light_direction[i].xyz;
        // Red light scatters farthest under the surface and blurs the pores.
        vec3 facing = vec3(dot(mix(at.bent, at.normal, 0.75), to_light), vec2(dot(mix(at.bent, at.normal, 0.35), to_light)));
        vec3 lit = clamp((facing + wrap) / (1.0 + wrap), 0.0, 1.0);
        lit = pow(lit, 1.0 + 2.0 * wrap);
        // The other lights are wide: less of them reaches hollows.
        vec3 through = vec3(passed[i] * (i == 0 ? 1.0 : mix(1.0, at.sky_seen, 0.7)));
        if (i == 0) {
            through *= pow(vec3(key), mix(vec3(0.75, 1.0, 1.1), vec3(1.0), mannequin()));
        }
        vec3 half_way = normalize(to_light + at.to_eye);
        float normal_half = clamp(dot(at.bent, half_way), 0.0, 1.0);
        float light_half = clamp(dot(to_light, half_way), 0.0, 1.0);
        float fresnel = 0.028 + 0.972 * pow(1.0 - light_half, 5.0);
        float glance = 0.85 * film(normal_half, light_half, 0.60 + at.rough) + 0.15 * film(normal_half, light_half, 0.38 + at.rough);
        glance *= film_of * fresnel * at.gloss * at.bare * clamp(dot(at.bent, to_light), 0.0, 1.0) * through.g * mix(1.0, at.sky_seen, 0.5);
        soft += light_colour[i].rgb * lit * through / 3.14159;
        shine += light_colour[i].rgb * glance;
    }
}

// Where hair grows, the scalp's colour replaces most of the skin's.
vec3 painted_skin(vec3 skin, float bare) {
    return mix(skin, scalp_colour.rgb + skin * 0.06, 1.0 - bare);
}
