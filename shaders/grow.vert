// Drawn strands from simulated ones, point NUMBER of them: a guide's own curve,
// or a follower's way between guides. The results are kept in a buffer.
uniform samplerBuffer positions;  // x, y, z of the guides' vertices, one vertex of padding before
uniform usamplerBuffer starts;    // where each guide begins, and the end

out vec4 grown;

vec3 vertex(int i) {
    i = 3 * (i + 1);
    return vec3(texelFetch(positions, i).r, texelFetch(positions, i + 1).r, texelFetch(positions, i + 2).r);
}

// A cubic through an edge's ends, on which a curl stays round however few edges
// it has. It leaves b and reaches c where a Catmull-Rom curve does, centripetal
// (Yuksel et al. 2011), so that uneven vertices make no loops, but as fast as a
// cubic that is an arc of a circle: chord / cos^2(turn / 4), turn being the angle
// between the ends' tangents (Goldapp 1991). Catmull and Rom's own speed,
// chord * cos(turn / 2), flattens the middle of an edge that turns far.
vec3 on_edge(vec3 b, vec3 c, vec3 from, vec3 to, float f) {
    float slow = dot(from, from) * dot(to, to);
    float turn = slow > 1e-30 ? dot(from, to) * inversesqrt(slow) : 1.0;
    // cos^2(x / 2) = (1 + cos x) / 2, twice.
    float speed = 2.0 * distance(b, c) / (1.0 + sqrt(max(0.5 + 0.5 * turn, 0.0)));
    from *= speed * inversesqrt(max(dot(from, from), 1e-20));
    to *= speed * inversesqrt(max(dot(to, to), 1e-20));
    // Hermite's cubic.
    float f2 = f * f;
    float f3 = f2 * f;
    return (2.0 * f3 - 3.0 * f2 + 1.0) * b + (f3 - 2.0 * f2 + f) * from
        + (3.0 * f2 - 2.0 * f3) * c + (f3 - f2) * to;
}

// The place at u = 0 (root) .. 1 (tip) of a guide: a smooth curve through its
// vertices.
vec3 curve(int guide, float u) {
    int start = int(texelFetch(starts, guide).r);
    int last = int(texelFetch(starts, guide + 1).r) - start - 1;
    if (last < 1) {
        return vertex(start);
    }
    float x = clamp(u, 0.0, 1.0) * float(last);
    int k = min(int(x), last - 1);
    float f = x - float(k);
    vec3 b = vertex(start + k);
    vec3 c = vertex(start + k + 1);
    vec3 a = k > 0 ? vertex(start + k - 1) : 2.0 * b - c;
    vec3 d = k + 2 <= last ? vertex(start + k + 2) : 2.0 * c - b;
    float ab = sqrt(distance(a, b)) + 1e-6;
    float bc = sqrt(distance(b, c)) + 1e-6;
    float cd = sqrt(distance(c, d)) + 1e-6;
    vec3 from = bc * ((b - a) / ab - (c - a) / (ab + bc)) + (c - b);
    vec3 to = bc * ((d - c) / cd - (d - b) / (bc + cd)) + (c - b);
    return on_edge(b, c, from, to, f);
}

// A fine hair of the hairline: an arc from beside the root of a guide. "place" is
// from there to its own root, w: its length; "heading" the way it leaves the skin,
// w: the guide.
vec3 vellus(vec4 place, vec4 heading, uint id, float t) {
    float s = t * place.w;
    vec3 any = vec3(strand_random(id, 1u), strand_random(id, 2u), strand_random(id, 3u)) * 2.0 - 1.0;
    vec3 bend = any - heading.xyz * dot(any, heading.xyz);
    vec3 local = place.xyz + heading.xyz * s + bend * (16.0 * s * s);
    return vertex(int(texelFetch(starts, int(heading.w)).r)) + mat3(head_to_world) * local;
}

// What a fly-away of that length is off where it would be at p: outwards from the
// middle of the roots, with a bend of its own.
vec3 stand_off(vec3 p, uint id, float length, float u) {
    float far = max(u - (0.1 + 0.5 * strand_random(id, 17u)), 0.0) * length;
    float x = far / max(min(0.035, 0.35 * length), 1e-4);
    float most = fly_away.w * (0.25 + 0.75 * strand_random(id, 18u));
    vec3 outwards = normalize(p - (head_to_world * vec4(fly_away.xyz, 1.0)).xyz);
    vec3 any = vec3(strand_random(id, 19u), strand_random(id, 26u), strand_random(id, 27u)) * 2.0 - 1.0;
    float bow = far * (50.0 + 110.0 * strand_random(id, 28u)) + 6.2832 * strand_random(id, 29u);
    vec3 aside = vec3(sin(bow), cos(bow), sin(1.3 * bow));
    vec3 along = outwards + mat3(head_to_world) * (0.6 * any + 0.35 * aside);
    return along * (most * x * x / (1.0 + x * x));
}

// Share of its length that a follower has for being near the hairline, where it is
// drawn that much finer: some of those there are short.
float length_left(uint id, float length, float width) {
    if (strand_random(id, 24u) < 0.3 + 0.9 * (width - 0.35) / 0.65) {
        return 1.0;
    }
    float own = strand_random(id, 25u);
    return min((0.012 + 0.07 * own * own) / max(length, 1e-3), 1.0);
}

void main() {
    int count = int(strand.x);
    int s = NUMBER / count;
    float t = float(NUMBER % count) / float(count - 1);
    vec4 place = place_record(s);
    vec4 weight = kind_record(s);
    vec4 guide = guide_record(s);
    uint id = own_number(weight);
    if (is_vellus(weight)) {
        grown = vec4(vellus(place, guide, id, t), t);
        return;
    }
    if (is_guide(weight)) {
        grown = vec4(curve(int(guide.x), t), t);
        return;
    }
    bool fly = is_fly_away(id);
    // The sub-lock that it belongs to, one of a few around its guide.
    uint sub = uint(guide.x) * 16u + uint(strand_random(id, 5u) * 4.0);
    float shorter = 0.6 * strand_random(sub, 9u) + 0.4 * strand_random(id, 9u);
    float u = t * (1.0 - stray.y * shorter) * (fly ? 0.35 + 0.65 * strand_random(id, 16u) : 1.0) * length_left(id, place.w, guide.w);
    mat3 turned = mat3(head_to_world);
    vec3 between = turned * place.xyz;
    for (int k = 0; k < 3; ++k) {
        if (weight[k] > 0.0) {
            between += weight[k] * curve(int(guide[k]), u);
        }
    }
    // Around one guide: a copy of its curve, shifted aside and along. Sub-locks wind
    // around one another, and each comes to a point.
    float arc = u * place.w;
    float wind = (strand_random(sub, 7u) * 2.0 - 1.0) * 60.0 * arc;
    vec3 first = vec3(strand_random(sub, 1u), strand_random(sub, 2u), strand_random(sub, 3u)) * 2.0 - 1.0;
    vec3 second = vec3(strand_random(sub, 4u), strand_random(sub, 5u), strand_random(sub, 6u)) * 2.0 - 1.0;
    float tip = smoothstep(0.3, 1.0, u);
    float wide = (0.7 + 0.6 * strand_random(sub, 8u)) * (1.0 - 0.4 * tip);
    vec3 off = vec3(strand_random(id, 1u), strand_random(id, 2u), strand_random(id, 3u)) * 2.0 - 1.0;
    vec3 aside = ((first * cos(wind) + second * sin(wind)) * wide + off * (0.5 - 0.42 * tip)) * spread.y;
    float out_of_step = 0.75 * strand_random(sub, 10u) + 0.25 * strand_random(id, 4u);
    float along = stray.x * (out_of_step * 2.0 - 1.0) / max(place.w, 1e-3);
    vec3 gathered = curve(int(guide.x), u + along * smoothstep(0.0, 0.3, u)) + turned * aside;
    float clump = spread.x * smoothstep(0.03, 0.45, u) * (0.8 + 0.4 * strand_random(id, 6u)) * (fly ? 0.35 : 1.0);
    vec3 p = mix(between, gathered, clamp(clump, 0.0, 1.0));
    // Frizz: waves whose lengths have no common measure.
    vec3 phase = 6.2832 * vec3(strand_random(id, 11u), strand_random(id, 12u), strand_random(id, 13u));
    vec3 pace = vec3(238.0, 381.0, 609.0) * (0.7 + 0.6 * strand_random(id, 14u)) * arc;
    vec3 slow = sin(vec3(pace.x, 0.83 * pace.x, 1.13 * pace.x) + phase);
    vec3 fast = sin(vec3(pace.y, pace.z, 1.3 * pace.y) + phase.zxy);
    float strength = spread.z * smoothstep(0.0, 0.25, u) * (0.35 + 0.65 * strand_random(id, 15u));
    p += turned * (strength * (0.75 * slow + 0.25 * fast));
    grown = vec4(fly ? p + stand_off(p, id, place.w, u) : p, t);
}
