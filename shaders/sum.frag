// One of several pictures that make a still, by its share: over its backdrop or, with
// TRANSPARENT, alone.
in vec2 place;
out vec4 colour;

uniform sampler2D light;   // a: how much of the pixel head and hair cover
uniform sampler2D behind;

void main() {
    // A glint that one picture catches and the others miss would stay a dot.
    vec4 picture_here = min(texture(light, place), vec4(24.0));
#ifndef TRANSPARENT
    picture_here = vec4(picture_here.rgb + (1.0 - picture_here.a) * texture(behind, place).rgb, 1.0);
#endif
    colour = picture_here * picture_share();
}
