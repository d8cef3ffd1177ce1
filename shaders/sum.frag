// One of several pictures that make a still, by its share.
in vec2 place;
out vec4 colour;

uniform sampler2D light;

void main() {
    // A glint that one picture catches and the others miss would stay a dot.
    colour = min(texture(light, place), vec4(24.0)) * glow.w;
}
