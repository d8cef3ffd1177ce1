// A strand with a soft edge, as shaders/ribbon.frag has it.
in vec3 shade;
noperspective in float wide;
flat in vec3 axis;
out vec4 colour;

void main() {
    float off = abs(dot(axis.xy, gl_FragCoord.xy) + axis.z);
    float cover = clamp(0.5 * wide + 0.5 - off, 0.0, min(wide, 1.0));
    colour = vec4(shade * cover, cover);
}
