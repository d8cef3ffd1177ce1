// A seamless studio: a wall with a glow behind the head, running into a floor
// on which the bust stands.
in vec2 place;
out vec4 colour;

void main() {
    vec4 far = inverse_view_projection * vec4(place * 2.0 - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - eye.xyz);

    vec2 from_glow = (place - glow.xy) * vec2(picture.w, 1.0);
    vec3 bright = backdrop.rgb * vec3(4.5, 4.2, 3.7);
    vec3 wall = mix(backdrop.rgb, bright, exp(-2.4 * dot(from_glow, from_glow)));

    colour = vec4(wall, 1.0);
    float reach = (floor_place.y - eye.y) / direction.y;
    if (direction.y < 0.0 && reach > 0.0) {
        vec2 p = (eye.xyz + direction * reach).xz - floor_place.xz;
        float radius = floor_place.w;
        // Dark where the bust stands, a soft blob on the side away from the key.
        float contact = exp(-max(length(p) / radius - 0.85, 0.0) * 3.2);
        vec3 key = light_direction[0].xyz;
        vec2 thrown = p + key.xz / max(key.y, 0.2) * 0.7 * radius;
        float blob = 0.55 * smoothstep(1.7, 0.4, length(thrown) / (1.5 * radius));
        vec3 boards = mix(backdrop.rgb, bright, 0.55) * (1.0 - 0.75 * contact) * (1.0 - blob);
        colour.rgb = mix(boards, wall, smoothstep(1.8, 13.0, length(p) / radius));
    }
}
