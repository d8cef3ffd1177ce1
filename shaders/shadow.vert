// The head as the key light sees it: only its depth matters.
layout(location = 0) in vec3 position;

void main() {
    vec4 place = world_to_shadow * head_to_world * vec4(position, 1.0);
    gl_Position = vec4(place.xyz * 2.0 - 1.0, 1.0);
}
