// The scene over the backdrop, from linear light to the 8-bit colours of a
// display. With DISPLAYED the backdrop alone, which comes in such colours; with
// TRANSPARENT the scene alone, its colour and its cover apart (straight alpha).
in vec2 place;
out vec4 colour;

uniform sampler2D light;   // a: how much of the pixel head and hair cover
uniform sampler2D behind;

void main() {
    float cover = 1.0;
#ifdef TRANSPARENT
    vec4 front = texture(light, place);
    cover = clamp(front.a, 0.0, 1.0);
    vec3 c = cover > 0.0 ? displayed(front.rgb / cover, place) : vec3(0.0);
#elif defined(DISPLAYED)
    vec3 c = texture(behind, place).rgb;
#else
    vec4 front = texture(light, place);
    vec3 c = displayed(front.rgb + (1.0 - front.a) * texture(behind, place).rgb, place);
#endif
    // Noise of half a step (Jimenez 2014) hides the bands of the backdrop.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    colour = vec4(c + (noise - 0.5) / 255.0, cover);
}
