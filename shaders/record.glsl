// The record of a drawn strand. What its numbers are says the table at `Record` in
// src/render/hair/strands.rs, which also defines RECORD_TEXELS, GUIDE and VELLUS.
uniform samplerBuffer records;

vec4 texel_of_record(int s, int texel) {
    return texelFetch(records, RECORD_TEXELS * s + texel);
}

// Where strand "s" begins, and how long it is.
vec4 place_record(int s) { return texel_of_record(s, 0); }
// Its kind, or the weights of its guides; and its own number, which is not the place at
// which it is drawn.
vec4 kind_record(int s) { return texel_of_record(s, 1); }
// Its guides, or the way that it leaves the skin.
vec4 guide_record(int s) { return texel_of_record(s, 2); }

// What a strand is, by the second texel of its record: a simulated one, a fine hair of the
// hairline, or else a follower.
bool is_guide(vec4 kind) { return kind.x == GUIDE; }
bool is_vellus(vec4 kind) { return kind.x == VELLUS; }
uint own_number(vec4 kind) { return uint(kind.w); }

// Colour that strand "s" brings along, linear; a: 0 where it brings none. t is 0 at the
// root and 1 at the tip.
vec4 own_colour(int s, float t) {
    vec4 root = texel_of_record(s, 3);
    return vec4(mix(root.rgb, texel_of_record(s, 4).rgb, t), root.a);
}
// The number of its streak, 0..1.
float streak_number(int s) { return texel_of_record(s, 4).a; }
