// Share of the light that its neighbours leave to a hair of brows and lashes, of which the
// grid of the hair knows nothing.
const float AMONG = 0.6;

// Light from a place on such a hair, in the head's space [m]: of its own number, and with
// that much eumelanin added to that of the head's hair. With DISPLAYED, the colour of a
// display that it is seen in.
vec3 face_light(vec3 place, vec3 to_root, float darker, uint id) {
    vec3 here = (head_to_world * vec4(place, 1.0)).xyz;
    vec3 tangent = mat3(head_to_world) * to_root;
    vec3 light = AMONG * (is_fibre()
        ? fibre_light(spot_at(here), tangent, normalize(eye.xyz - here), absorption(id, 0.3) + darker * EUMELANIN, id)
        : strand_light(here, tangent, 0.3, ROOTED, id, vec4(0.0), 1.0) / (1.0 + darker));
#ifdef DISPLAYED
    vec4 seen = view_projection * vec4(here, 1.0);
    light = displayed(light, seen.xy / seen.w * 0.5 + 0.5);
#endif
    return light;
}
