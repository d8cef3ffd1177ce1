// What the processor has drawn, over what is there.
uniform sampler2D layer;  // colours times cover, and cover
out vec4 colour;

void main() {
    colour = texelFetch(layer, ivec2(gl_FragCoord.xy), 0);
}
