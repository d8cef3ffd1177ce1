// A seamless studio: a wall with a glow behind the head, running into a floor
// on which the bust stands and throws its shadow. Or the picture of an environment, on
// which it throws that shadow, too.
in vec2 place;
out vec4 colour;

uniform sampler2DShadow key_sees;

#ifdef ENVIRONMENT
uniform sampler2D panorama;          // the environment: +z in its middle, +y on its upper edge

// What the environment sends from a direction.
vec3 seen_around(vec3 d) {
    // Back to where it is not turned.
    vec2 level = vec2(d.x * environment.y - d.z * environment.x, d.x * environment.x + d.z * environment.y);
    float longitude = atan(level.x, level.y);
    vec2 at = vec2(0.5 - longitude / 6.2831853, 0.5 - asin(clamp(d.y, -1.0, 1.0)) / 3.14159265);
    // Half precision has no larger numbers.
    return min(textureLod(panorama, at, 0.0).rgb * environment.z, vec3(60000.0));
}
#endif

// The key light's share of what falls on the floor: under an overcast sky nothing throws
// a shadow to speak of.
float share_of_key() {
    vec3 grey = vec3(0.2126, 0.7152, 0.0722);
    float key = 0.0, all = dot(surroundings(vec3(0.0, 1.0, 0.0)), grey);
    for (int i = 0; i < 4; ++i) {
        float falls = dot(light_colour[i].rgb, grey) * max(light_direction[i].y, 0.0) / 3.14159;
        key = i == 0 ? falls : key;
        all += falls;
    }
    float share = key / max(all, 1e-6);
#ifndef ENVIRONMENT
    // The shade is as dark as it looks well in three-point light, where it is so much.
    share = min(share / 0.45, 1.0);
#endif
    return share;
}

// How much of the key light reaches a place on the floor: through the hair by
// its optical depth, past the head by its depth picture. The light is a disc,
// so the shade is the softer the farther it is from what throws it.
float lit(vec3 floor_at) {
    vec3 key = light_direction[0].xyz;
    // From the horizon it would have no end.
    float high = smoothstep(0.02, 0.1, key.y);
    if (high == 0.0) {
        return 1.0;
    }
    vec3 side = normalize(cross(key, vec3(0.0, 0.0, 1.0) + key.yzx * 0.3));
    vec3 up = cross(key, side);
    // Metres along the light from the floor to the middle of the depth picture.
    float depth = (world_to_shadow * vec4(floor_at, 1.0)).z;
    float metres = 1.0 / length(vec3(world_to_shadow[0].z, world_to_shadow[1].z, world_to_shadow[2].z));
    float away = max((depth - 0.5) * metres, 0.0);
    float sum = 0.0;
    const int TAPS = 24;
    for (int n = 0; n < TAPS; ++n) {
        // The rim first: where nothing hides five places there, nothing hides any.
        int i = TAPS - 1 - n;
        if (n == 5 && sum > 4.98) {
            return 1.0;
        }
        // A spiral (Vogel 1979): even over the disc.
        float angle = 2.39996 * float(i);
        float radius = 0.18 * sqrt((float(i) + 0.5) / float(TAPS));
        vec3 lean = (side * cos(angle) + up * sin(angle)) * radius;
        float through = 1.0;
        if (head_is_drawn()) {
            vec4 at = world_to_shadow * vec4(floor_at + lean * away, 1.0);
            through = texture(key_sees, vec3(at.xy, min(at.z, 0.9999)));
        }
        if (hair_drawn() > 0.0) {
            // Where the ray to the light enters the box, all of the hair lies
            // between that place and the light.
            vec3 ray = normalize(key + lean);
            vec3 from = (floor_at - box_low.xyz) * box_scale.xyz;
            vec3 step = ray * box_scale.xyz;
            vec3 a = -from / step, b = (1.0 - from) / step;
            vec3 near = min(a, b), far = max(a, b);
            float enters = max(max(near.x, near.y), max(near.z, 0.0));
            if (enters < min(min(far.x, far.y), far.z)) {
                float depth = in_box(HAIR_ONLY, from + step * enters).x;
                through *= exp(-EXTINCTION * shadow_strength() * depth);
            }
        }
        sum += through;
    }
    return mix(1.0, sum / float(TAPS), high);
}

void main() {
    vec4 far = inverse_view_projection * vec4(place * 2.0 - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - eye.xyz);

    vec2 from_glow = (window.xy + place * window.zw - glow.xy) * vec2(picture.w, 1.0);
    vec3 bright = backdrop.rgb * vec3(4.5, 4.2, 3.7);
    vec3 wall = mix(backdrop.rgb, bright, exp(-2.4 * dot(from_glow, from_glow)));

#ifdef ENVIRONMENT
    bool seen = environment_is_seen();
    wall = seen ? seen_around(direction) : wall;
#endif
    colour = vec4(wall, 1.0);
    float reach = (floor_place.y - eye.y) / direction.y;
    if (direction.y < 0.0 && reach > 0.0) {
        vec3 at = eye.xyz + direction * reach;
        vec2 p = at.xz - floor_place.xz;
        float radius = floor_place.w;
        float fade = smoothstep(13.0, 5.0, length(p) / radius);
        float shade = fade > 0.0 ? fade * (1.0 - lit(at)) : 0.0;
        // Dark where the bust or its stand is and hides the room.
        float foot = mix(radius, stand_foot.w, min(stand_height() / SETTLED, 1.0));
        float contact = exp(-max(length(at.xz - stand_foot.xz) / foot - 0.8, 0.0) * 3.2);
        vec3 floor_colour = mix(backdrop.rgb, bright, 0.55);
#ifdef ENVIRONMENT
        floor_colour = seen ? wall : floor_colour;
#endif
        shade *= share_of_key();
        vec3 boards = floor_colour * (1.0 - 0.75 * contact) * (1.0 - 0.6 * shade);
        colour.rgb = mix(boards, wall, smoothstep(1.8, 13.0, length(p) / radius));
    }
#ifdef DISPLAYED
    colour.rgb = displayed(colour.rgb, place);
#endif
}
