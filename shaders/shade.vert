// The colour of each point of the drawn strands, kept in a buffer: every pass
// that draws them reads it.
out vec4 shaded;  // rgb: light (with DISPLAYED, colour of a display), a: where the strand heads in the picture [rad]

vec2 in_picture(vec3 place) {
    vec4 p = view_projection * vec4(place, 1.0);
    return p.xy / p.w * picture.xy;
}

#ifdef DISPLAYED
// A strand thinner than a pixel is blended in colours of a display here, where
// it should be in light: the colour that makes up for it over something between
// itself and the backdrop. It may be brighter than the display's brightest.
vec3 over_dark(vec3 light, vec3 place) {
    vec4 p = view_projection * vec4(place, 1.0);
    vec2 at = p.xy / p.w * 0.5 + 0.5;
    float wide = strand.y * strand.z / p.w;
    float cover = strands_are_ribbons() ? clamp(wide / (wide + 0.5), 0.3, 1.0) : 1.0;
    vec3 under = mix(2.0 * backdrop.rgb, light, 0.2);
    vec3 both = displayed(mix(under, light, cover), at);
    return (both - (1.0 - cover) * displayed(under, at)) / cover;
}
#endif

void main() {
    int count = int(strand.x);
    int s = NUMBER / count;
    int i = NUMBER % count;
    vec4 here = point_of(s, i);
    vec3 before = point_of(s, i - 1).xyz;
    vec3 after = point_of(s, i + 1).xyz;
    vec3 tangent = normalize(before - after + vec3(0.0, 1e-9, 0.0));
    vec2 heading = in_picture(after) - in_picture(before);
    float angle = dot(heading, heading) > 1e-12 ? atan(heading.y, heading.x) : 0.0;
    uint id = own_number(kind_record(s));
    vec4 own = own_colour(s, here.w);
    float from_root = distance(here.xyz, point_of(s, 0).xyz);
    vec3 light = strand_light(here.xyz, tangent, here.w, from_root, id, own, streak_number(s));
#ifdef DISPLAYED
    light = over_dark(light, here.xyz);
#endif
    shaded = vec4(light, angle);
}
