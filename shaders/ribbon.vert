// Strands as ribbons that face the camera, a quad a segment: soft ones in the
// order given, the farthest first, which is one of runs of RUN segments where that is
// defined; or solid ones, which look like tubes.
uniform samplerBuffer colours;
#ifndef TUBES
uniform usamplerBuffer order;
#endif

out vec3 shade;
noperspective out float across;  // distance from the axis [px]
noperspective out float wide;    // of the strand [px]

// Two triangles.
const int CORNERS[6] = int[](0, 1, 2, 2, 1, 3);

void main() {
    int count = int(strand.x);
    int quad = gl_VertexID / 6;
#if defined(RUN)
    int runs = (count - 2 + RUN) / RUN;
    int run = int(texelFetch(order, quad / RUN).r);
    int s = run / runs;
    int first = run % runs * RUN + quad % RUN;
    // The last run of a strand may be longer than what is left of it: then nothing is drawn.
    if (first > count - 2) {
        gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
        return;
    }
#else
#ifdef TUBES
    int segment = quad;
#else
    int segment = int(texelFetch(order, quad).r);
#endif
    int s = segment / (count - 1);
    int first = segment % (count - 1);
#endif
    int corner = CORNERS[gl_VertexID % 6];
    int i = first + (corner >> 1);
    vec4 here = texelFetch(points, s * count + i);
    vec4 lit = texelFetch(colours, s * count + i);
    vec4 middle = view_projection * vec4(here.xyz, 1.0);
    float side = (corner & 1) == 0 ? -1.0 : 1.0;
    wide = strand.y * width_of(s, here.w) * strand.z / middle.w;
#ifdef TUBES
    // Solid: never thinner than a pixel.
    wide = max(wide, 1.0);
    float reach = 0.5 * wide;
#else
    // Half a pixel on either side for the soft edge.
    float reach = 0.5 * (wide + strand.w);
#endif
    across = side * reach;
    middle.xy += vec2(-sin(lit.a), cos(lit.a)) * side * 2.0 * reach / picture.xy * middle.w;
    shade = lit.rgb;
    gl_Position = middle;
}
