// The depths of a pixel's four samples, for the processor.
uniform sampler2DMS depths;
out vec4 each;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    for (int i = 0; i < 4; ++i) {
        each[i] = texelFetch(depths, at, i).r;
    }
}
