// The colour of each point of brows and lashes, kept in a buffer.
uniform samplerBuffer face_points;  // two texels each, in the head's space [m]

out vec4 shaded;  // rgb: colour of a display

void main() {
    vec4 place = texelFetch(face_points, 2 * NUMBER);        // w: eumelanin added
    vec4 heading = texelFetch(face_points, 2 * NUMBER + 1);  // to the root, w: number of its hair
    shaded = vec4(face_light(place.xyz, heading.xyz, place.w, uint(heading.w)), 1.0);
}
