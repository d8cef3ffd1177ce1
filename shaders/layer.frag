// What the processor has drawn, over what is there; with SAMPLED four texels beside
// each other a pixel, one for each of its samples.
uniform sampler2D layer;  // colours times cover, and cover
out vec4 colour;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
#ifdef SAMPLED
    at.x = 4 * at.x + gl_SampleID;
#endif
    colour = texelFetch(layer, at, 0);
}
