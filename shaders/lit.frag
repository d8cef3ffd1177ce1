// The head's surface, lit at its vertices, in the colours of a display.
#ifdef PICTURES
centroid in vec3 soft;
centroid in vec3 shine;
centroid in vec3 skin;
centroid in vec3 own;
centroid in float bare;
centroid in vec2 on_map;
centroid in vec2 painted;

uniform sampler2D colour_map;  // sRGB, white where the material has none
#else
centroid in vec3 shade;
#endif
out vec4 colour;

void main() {
#ifdef PICTURES
    vec4 texel = texture(colour_map, vec2(on_map.x, 1.0 - on_map.y));
    if (texel.a < 0.5) {
        discard;
    }
    vec3 light = tinted(painted_skin(skin + own * texel.rgb, bare), painted) * soft + shine;
    colour = vec4(displayed(light, gl_FragCoord.xy / picture.xy), 1.0);
#else
    colour = vec4(shade, 1.0);
#endif
}
