// The colour of each vertex of a head without pictures, kept in a buffer.
out vec4 shaded;  // rgb: colour of a display

void main() {
    shaded = vec4(shown((head_to_world * vec4(position, 1.0)).xyz, mat3(head_to_world) * normal), 1.0);
}
