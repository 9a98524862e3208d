// Circuits for bit planes: GOST R 34.12-2015, GOST R 34.11-2012, RFC 4357 and RFC 7836. Written by cargo run -p asmgen,
// from the circuits of the library and the matrices of the standards. device.h has the gates.

// Magma and GOST 28147-89: y ^= S(x), box by box.
#if TERNARY
// Test
#define BOX_0_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0x28); u32 gf = LUT3(d, c, b, 0x3a); u32 gg = LUT3(ge, c, b, 0x56); u32 gh = LUT3(gg, c, a, 0x64); u32 gi = LUT3(gg, gf, a, 0x3e); u32 gj = LUT3(gi, gg, ge, 0x54); y0 = LUT3(y0, gg, c, 0x3c); y1 = LUT3(y1, gj, gh, 0x96); y2 = LUT3(y2, gi, d, 0x69); y3 = LUT3(y3, gh, gf, 0x96); }
#define BOX_0_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x78); u32 gf = LUT3(ge, c, a, 0x58); u32 gg = LUT3(gf, d, b, 0x5e); u32 gh = LUT3(gf, d, c, 0xc4); u32 gi = LUT3(gh, gg, a, 0xd6); u32 gj = LUT3(gh, gg, a, 0x62); y0 = LUT3(y0, gi, gf, 0x96); y1 = LUT3(y1, gh, b, 0x96); y2 = LUT3(y2, gj, c, 0x69); y3 = LUT3(y3, gg, b, 0x69); }
#define BOX_0_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xb4); u32 gf = LUT3(d, c, b, 0xc4); u32 gg = LUT3(gf, c, b, 0x02); u32 gh = LUT3(gf, d, a, 0x42); u32 gi = LUT3(gh, gf, d, 0x0a); u32 gj = LUT3(gi, b, a, 0x9e); y0 = LUT3(y0, gh, gg, 0xe1); y1 = LUT3(y1, gi, ge, 0x5a); y2 = LUT3(y2, gj, gg, 0x69); y3 = LUT3(y3, gi, gf, 0x69); }
#define BOX_0_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x8e); u32 gf = LUT3(c, b, a, 0x78); u32 gg = LUT3(d, c, a, 0x98); u32 gh = LUT3(d, c, a, 0x70); u32 gi = LUT3(gf, d, b, 0xb8); u32 gj = LUT3(gi, ge, b, 0x16); y0 = LUT3(y0, gi, ge, 0x96); y1 = LUT3(y1, gj, gg, 0x69); y2 = LUT3(y2, gh, ge, 0x69); y3 = LUT3(y3, gi, gg, 0x69); }
#define BOX_0_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0x56); u32 gf = LUT3(ge, d, c, 0xca); u32 gg = LUT3(gf, ge, b, 0xa6); u32 gh = LUT3(gf, ge, b, 0x9c); u32 gi = LUT3(gg, ge, d, 0x6e); u32 gj = LUT3(gi, gg, a, 0x78); y0 = LUT3(y0, gj, a, 0x69); y1 = LUT3(y1, gh, gg, 0x69); y2 = LUT3(y2, gg, a, 0x3c); y3 = LUT3(y3, gi, c, 0x96); }
#define BOX_0_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x9e); u32 gf = LUT3(d, b, a, 0x8e); u32 gg = LUT3(gf, c, a, 0xac); u32 gh = LUT3(gf, ge, c, 0x56); u32 gi = LUT3(gh, gg, d, 0xc2); u32 gj = LUT3(gi, ge, b, 0x86); y0 = LUT3(y0, gg, d, 0x96); y1 = LUT3(y1, gh, a, 0x3c); y2 = LUT3(y2, gi, b, 0x96); y3 = LUT3(y3, gj, b, 0x69); }
#define BOX_0_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0xb2); u32 gf = LUT3(ge, d, b, 0x96); u32 gg = LUT3(gf, d, a, 0xe0); u32 gh = LUT3(gg, d, a, 0x16); u32 gi = LUT3(gh, ge, c, 0x12); u32 gj = LUT3(gi, gf, a, 0x06); y0 = LUT3(y0, gj, gh, 0xe1); y1 = LUT3(y1, gg, c, 0x96); y2 = LUT3(y2, gh, b, 0x96); y3 = LUT3(y3, gi, gh, 0x69); }
#define BOX_0_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x60); u32 gf = LUT3(d, c, a, 0xda); u32 gg = LUT3(d, c, a, 0x76); u32 gh = LUT3(d, c, b, 0xea); u32 gi = LUT3(gh, gg, gf, 0x6a); u32 gj = LUT3(gi, gg, d, 0xa6); y0 = LUT3(y0, gj, gh, 0x96); y1 = LUT3(y1, gg, ge, 0xb4); y2 = LUT3(y2, gj, ge, 0x69); y3 = LUT3(y3, gi, b, 0x69); }
// CryptoPro-A
#define BOX_1_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xd6); u32 gf = LUT3(d, c, a, 0x1e); u32 gg = LUT3(ge, d, b, 0xf6); u32 gh = LUT3(gf, c, b, 0x8a); u32 gi = LUT3(gg, d, a, 0x18); u32 gj = LUT3(gh, d, a, 0xba); y0 = LUT3(y0, gh, gg, 0x2d); y1 = LUT3(y1, gi, gf, 0x96); y2 = LUT3(y2, gi, ge, 0x96); y3 = LUT3(y3, gj, gg, 0x87); }
#define BOX_1_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0x9a); u32 gf = LUT3(ge, b, a, 0x7c); u32 gg = LUT3(ge, d, b, 0x8e); u32 gh = LUT3(ge, d, c, 0x8e); u32 gi = LUT3(gh, d, b, 0x7e); u32 gj = LUT3(gh, gf, c, 0xe6); y0 = LUT3(y0, gg, c, 0x69); y1 = LUT3(y1, gi, gg, 0x69); y2 = LUT3(y2, gj, gf, 0x78); y3 = LUT3(y3, gj, ge, 0x96); }
#define BOX_1_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0xb4); u32 gf = LUT3(ge, b, a, 0x96); u32 gg = LUT3(gf, c, a, 0xf6); u32 gh = LUT3(gf, ge, c, 0x5c); u32 gi = LUT3(gh, gg, b, 0xa6); u32 gj = LUT3(gi, d, a, 0x7e); y0 = LUT3(y0, gh, gf, 0x96); y1 = LUT3(y1, gi, gf, 0x69); y2 = LUT3(y2, gj, gh, 0x69); y3 = LUT3(y3, gg, ge, 0x69); }
#define BOX_1_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x9a); u32 gf = LUT3(d, b, a, 0x2e); u32 gg = LUT3(d, c, a, 0x12); u32 gh = LUT3(d, c, a, 0x96); u32 gi = LUT3(gh, gf, b, 0xa6); u32 gj = LUT3(gi, gf, ge, 0x78); y0 = LUT3(y0, gi, ge, 0x96); y1 = LUT3(y1, gj, gh, 0x69); y2 = LUT3(y2, gg, gf, 0x69); y3 = LUT3(y3, gi, gg, 0x69); }
#define BOX_1_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x86); u32 gf = LUT3(ge, d, a, 0x68); u32 gg = LUT3(gf, ge, b, 0x5e); u32 gh = LUT3(gg, ge, a, 0x2a); u32 gi = LUT3(gg, ge, d, 0x16); u32 gj = LUT3(gi, d, c, 0xde); y0 = LUT3(y0, gj, gh, 0x69); y1 = LUT3(y1, gg, c, 0x69); y2 = LUT3(y2, gi, a, 0x96); y3 = LUT3(y3, gf, ge, 0xe1); }
#define BOX_1_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x9a); u32 gf = LUT3(ge, c, a, 0x74); u32 gg = LUT3(ge, d, b, 0x56); u32 gh = LUT3(gg, gf, b, 0xc6); u32 gi = LUT3(gg, gf, c, 0x56); u32 gj = LUT3(gi, gh, d, 0xb2); y0 = LUT3(y0, gj, gg, 0x69); y1 = LUT3(y1, gi, gh, 0x69); y2 = LUT3(y2, gj, gg, 0x3c); y3 = LUT3(y3, gi, d, 0x96); }
#define BOX_1_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x16); u32 gf = LUT3(ge, d, c, 0xd6); u32 gg = LUT3(gf, d, a, 0x98); u32 gh = LUT3(gg, ge, b, 0x6c); u32 gi = LUT3(gh, d, c, 0xb6); u32 gj = LUT3(gh, gf, b, 0x08); y0 = LUT3(y0, gi, ge, 0x69); y1 = LUT3(y1, gj, c, 0x96); y2 = LUT3(y2, gh, d, 0x3c); y3 = LUT3(y3, gf, b, 0x96); }
#define BOX_1_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0x7a); u32 gf = LUT3(d, c, a, 0x42); u32 gg = LUT3(ge, b, a, 0x96); u32 gh = LUT3(gf, d, b, 0xd4); u32 gi = LUT3(gg, c, a, 0x24); u32 gj = LUT3(gh, gf, a, 0x42); y0 = LUT3(y0, gh, c, 0x69); y1 = LUT3(y1, gj, gi, 0xe1); y2 = LUT3(y2, gj, gg, 0x96); y3 = LUT3(y3, gi, d, 0x69); }
// CryptoPro-B
#define BOX_2_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x7a); u32 gf = LUT3(c, b, a, 0xe4); u32 gg = LUT3(d, b, a, 0x52); u32 gh = LUT3(d, c, b, 0x1c); u32 gi = LUT3(gf, ge, d, 0x36); u32 gj = LUT3(gg, d, c, 0xbc); y0 = LUT3(y0, gi, gg, 0x96); y1 = LUT3(y1, gh, gf, 0x96); y2 = LUT3(y2, gj, a, 0x3c); y3 = LUT3(y3, gi, gf, 0x69); }
#define BOX_2_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x9c); u32 gf = LUT3(ge, b, a, 0x58); u32 gg = LUT3(ge, d, a, 0x4c); u32 gh = LUT3(ge, d, a, 0xf8); u32 gi = LUT3(gf, b, a, 0x42); u32 gj = LUT3(gh, gg, b, 0x42); y0 = LUT3(y0, gi, gg, 0x96); y1 = LUT3(y1, gj, d, 0x96); y2 = LUT3(y2, gj, gh, 0xd2); y3 = LUT3(y3, gf, c, 0x96); }
#define BOX_2_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x24); u32 gf = LUT3(d, c, a, 0x7c); u32 gg = LUT3(d, c, a, 0xc8); u32 gh = LUT3(gf, d, b, 0xb6); u32 gi = LUT3(gh, d, a, 0x4c); u32 gj = LUT3(gi, gg, b, 0x12); y0 = LUT3(y0, gf, ge, 0xb4); y1 = LUT3(y1, gh, a, 0x69); y2 = LUT3(y2, gj, gf, 0x69); y3 = LUT3(y3, gi, ge, 0x69); }
#define BOX_2_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x56); u32 gf = LUT3(ge, b, a, 0x90); u32 gg = LUT3(ge, c, a, 0x0e); u32 gh = LUT3(ge, d, a, 0xa8); u32 gi = LUT3(gf, d, c, 0x9a); u32 gj = LUT3(gi, b, a, 0x7e); y0 = LUT3(y0, gj, gg, 0x69); y1 = LUT3(y1, gj, gh, 0x69); y2 = LUT3(y2, gi, ge, 0x69); y3 = LUT3(y3, gf, d, 0x96); }
#define BOX_2_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x86); u32 gf = LUT3(ge, c, a, 0x94); u32 gg = LUT3(ge, c, a, 0xb6); u32 gh = LUT3(ge, c, b, 0x0e); u32 gi = LUT3(gh, gf, d, 0x68); u32 gj = LUT3(gh, gg, b, 0xf4); y0 = LUT3(y0, gj, d, 0x96); y1 = LUT3(y1, gf, d, 0x69); y2 = LUT3(y2, gi, gg, 0xd2); y3 = LUT3(y3, gi, b, 0x96); }
#define BOX_2_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x78); u32 gf = LUT3(d, c, a, 0x48); u32 gg = LUT3(d, c, a, 0xec); u32 gh = LUT3(d, c, a, 0x2c); u32 gi = LUT3(gh, b, a, 0x3e); u32 gj = LUT3(gi, gh, ge, 0x20); y0 = LUT3(y0, gj, a, 0x96); y1 = LUT3(y1, gi, gg, 0x96); y2 = LUT3(y2, gg, ge, 0x96); y3 = LUT3(y3, gi, gf, 0x4b); }
#define BOX_2_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x98); u32 gf = LUT3(d, c, b, 0x9e); u32 gg = LUT3(ge, c, a, 0x4e); u32 gh = LUT3(gg, d, c, 0x5e); u32 gi = LUT3(gh, ge, d, 0x7c); u32 gj = LUT3(gi, gf, a, 0xe6); u32 gk = LUT3(gj, gg, d, 0x46); y0 = LUT3(y0, gi, b, 0x69); y1 = LUT3(y1, gg, gf, 0x96); y2 = LUT3(y2, gk, b, 0x69); y3 = LUT3(y3, gj, gh, 0x96); }
#define BOX_2_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x9c); u32 gf = LUT3(ge, c, a, 0x6c); u32 gg = LUT3(ge, d, a, 0xe4); u32 gh = LUT3(gg, ge, b, 0xc6); u32 gi = LUT3(gh, gf, d, 0x9e); u32 gj = LUT3(gi, c, a, 0x2e); y0 = LUT3(y0, gj, gi, 0xd2); y1 = LUT3(y1, gg, b, 0x96); y2 = LUT3(y2, gj, gf, 0x96); y3 = LUT3(y3, gi, ge, 0x96); }
// CryptoPro-C
#define BOX_3_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x94); u32 gf = LUT3(d, b, a, 0x82); u32 gg = LUT3(d, b, a, 0xdc); u32 gh = LUT3(gg, c, a, 0xbc); u32 gi = LUT3(gh, gf, d, 0x42); u32 gj = LUT3(gh, gg, d, 0xba); y0 = LUT3(y0, gh, c, 0x69); y1 = LUT3(y1, gi, a, 0x96); y2 = LUT3(y2, gj, ge, 0x96); y3 = LUT3(y3, gf, ge, 0x96); }
#define BOX_3_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0x68); u32 gf = LUT3(ge, b, a, 0x34); u32 gg = LUT3(gf, c, a, 0x06); u32 gh = LUT3(gg, ge, b, 0xd2); u32 gi = LUT3(gh, d, a, 0x6c); u32 gj = LUT3(gi, c, a, 0x42); y0 = LUT3(y0, gj, gh, 0x96); y1 = LUT3(y1, gf, c, 0x96); y2 = LUT3(y2, gj, gf, 0x96); y3 = LUT3(y3, gi, gg, 0x96); }
#define BOX_3_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x92); u32 gf = LUT3(ge, d, c, 0xd6); u32 gg = LUT3(gf, d, b, 0x64); u32 gh = LUT3(gg, gf, c, 0x4a); u32 gi = LUT3(gh, b, a, 0x82); u32 gj = LUT3(gh, b, a, 0xb6); u32 gk = LUT3(gj, d, a, 0x18); y0 = LUT3(y0, gk, gh, 0x96); y1 = LUT3(y1, gi, gg, 0x1e); y2 = LUT3(y2, gj, ge, 0x96); y3 = LUT3(y3, gf, b, 0x69); }
#define BOX_3_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x22); u32 gf = LUT3(c, b, a, 0xd6); u32 gg = LUT3(d, c, a, 0xbc); u32 gh = LUT3(d, c, b, 0x24); u32 gi = LUT3(gg, b, a, 0x8c); u32 gj = LUT3(gh, gf, d, 0x68); y0 = LUT3(y0, gh, gf, 0x2d); y1 = LUT3(y1, gi, gh, 0x69); y2 = LUT3(y2, gj, ge, 0x96); y3 = LUT3(y3, gj, gg, 0x96); }
#define BOX_3_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xbe); u32 gf = LUT3(d, b, a, 0x68); u32 gg = LUT3(d, c, a, 0x8a); u32 gh = LUT3(d, c, b, 0x1a); u32 gi = LUT3(gh, gf, c, 0xe2); u32 gj = LUT3(gh, gf, c, 0x94); y0 = LUT3(y0, gh, gg, 0x96); y1 = LUT3(y1, gj, d, 0x96); y2 = LUT3(y2, gh, ge, 0xd2); y3 = LUT3(y3, gi, b, 0xc3); }
#define BOX_3_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xc6); u32 gf = LUT3(d, b, a, 0x28); u32 gg = LUT3(d, b, a, 0x06); u32 gh = LUT3(gf, c, b, 0x74); u32 gi = LUT3(gf, ge, d, 0x7e); u32 gj = LUT3(gh, d, c, 0x16); y0 = LUT3(y0, gj, ge, 0x96); y1 = LUT3(y1, gi, a, 0x96); y2 = LUT3(y2, gh, gg, 0x69); y3 = LUT3(y3, gj, gf, 0xe1); }
#define BOX_3_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0x86); u32 gf = LUT3(d, c, a, 0xb0); u32 gg = LUT3(ge, b, a, 0x16); u32 gh = LUT3(ge, d, b, 0x84); u32 gi = LUT3(gf, ge, b, 0xb4); u32 gj = LUT3(gi, b, a, 0xb8); y0 = LUT3(y0, gi, gf, 0x1e); y1 = LUT3(y1, gj, d, 0x69); y2 = LUT3(y2, gh, gg, 0x96); y3 = LUT3(y3, gg, c, 0x69); }
#define BOX_3_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x6c); u32 gf = LUT3(d, c, b, 0xd4); u32 gg = LUT3(gf, d, a, 0x52); u32 gh = LUT3(gg, c, b, 0xea); u32 gi = LUT3(gh, ge, c, 0x96); u32 gj = LUT3(gh, gg, d, 0x9e); u32 gk = LUT3(gj, gi, b, 0x3e); y0 = LUT3(y0, gj, c, 0x69); y1 = LUT3(y1, gk, gi, 0x4b); y2 = LUT3(y2, gk, gg, 0x69); y3 = LUT3(y3, gi, gf, 0x96); }
// CryptoPro-D
#define BOX_4_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x9e); u32 gf = LUT3(d, c, b, 0x92); u32 gg = LUT3(ge, c, b, 0x74); u32 gh = LUT3(gf, ge, a, 0x52); u32 gi = LUT3(gg, d, a, 0xc6); u32 gj = LUT3(gi, gf, c, 0x60); y0 = LUT3(y0, gi, gg, 0x69); y1 = LUT3(y1, gf, ge, 0x69); y2 = LUT3(y2, gj, gf, 0x69); y3 = LUT3(y3, gh, c, 0x69); }
#define BOX_4_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xd2); u32 gf = LUT3(d, b, a, 0x18); u32 gg = LUT3(gf, ge, d, 0x56); u32 gh = LUT3(gg, ge, c, 0xc6); u32 gi = LUT3(gh, gg, b, 0xbc); u32 gj = LUT3(gi, d, a, 0x56); y0 = LUT3(y0, gg, b, 0xc3); y1 = LUT3(y1, gi, c, 0x69); y2 = LUT3(y2, gh, gf, 0x96); y3 = LUT3(y3, gj, b, 0x69); }
#define BOX_4_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x78); u32 gf = LUT3(d, c, a, 0xac); u32 gg = LUT3(ge, d, a, 0x7e); u32 gh = LUT3(gf, c, b, 0xac); u32 gi = LUT3(gf, d, a, 0x6e); u32 gj = LUT3(gf, d, b, 0x86); y0 = LUT3(y0, gi, gh, 0x69); y1 = LUT3(y1, gj, ge, 0x96); y2 = LUT3(y2, gj, gg, 0xd2); y3 = LUT3(y3, gg, b, 0x96); }
#define BOX_4_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x38); u32 gf = LUT3(c, b, a, 0x68); u32 gg = LUT3(d, b, a, 0x0c); u32 gh = LUT3(d, c, a, 0x92); u32 gi = LUT3(gf, d, c, 0xb6); u32 gj = LUT3(gg, gf, b, 0x3e); y0 = LUT3(y0, gj, gi, 0x69); y1 = LUT3(y1, gi, gg, 0x96); y2 = LUT3(y2, gj, gh, 0x96); y3 = LUT3(y3, gj, ge, 0x96); }
#define BOX_4_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x90); u32 gf = LUT3(d, c, b, 0x1e); u32 gg = LUT3(d, c, b, 0x60); u32 gh = LUT3(ge, b, a, 0x72); u32 gi = LUT3(gf, b, a, 0x16); u32 gj = LUT3(gf, b, a, 0x98); u32 gk = LUT3(gi, gg, c, 0x0e); y0 = LUT3(y0, gj, ge, 0x1e); y1 = LUT3(y1, gk, d, 0x96); y2 = LUT3(y2, gi, gg, 0x1e); y3 = LUT3(y3, gh, gf, 0x96); }
#define BOX_4_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0xd6); u32 gf = LUT3(d, c, a, 0x68); u32 gg = LUT3(d, c, b, 0xee); u32 gh = LUT3(d, c, b, 0x52); u32 gi = LUT3(gg, ge, a, 0x74); u32 gj = LUT3(gi, gf, d, 0x90); y0 = LUT3(y0, gh, gf, 0x96); y1 = LUT3(y1, gi, d, 0x96); y2 = LUT3(y2, gg, ge, 0x78); y3 = LUT3(y3, gj, ge, 0x69); }
#define BOX_4_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x0c); u32 gf = LUT3(c, b, a, 0x38); u32 gg = LUT3(c, b, a, 0x42); u32 gh = LUT3(d, b, a, 0x2a); u32 gi = LUT3(d, c, a, 0x34); u32 gj = LUT3(gh, gf, d, 0x42); y0 = LUT3(y0, gh, ge, 0x69); y1 = LUT3(y1, gi, gg, 0xe1); y2 = LUT3(y2, gj, ge, 0x1e); y3 = LUT3(y3, gi, gf, 0x96); }
#define BOX_4_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x8a); u32 gf = LUT3(d, c, a, 0x9e); u32 gg = LUT3(d, c, b, 0xec); u32 gh = LUT3(ge, d, b, 0x2e); u32 gi = LUT3(gf, c, b, 0x76); u32 gj = LUT3(gi, d, b, 0x82); y0 = LUT3(y0, gi, gg, 0x69); y1 = LUT3(y1, gh, gf, 0x96); y2 = LUT3(y2, gi, ge, 0x96); y3 = LUT3(y3, gj, gf, 0x96); }
// tc26-Z
#define BOX_5_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x56); u32 gf = LUT3(ge, d, c, 0x4a); u32 gg = LUT3(gf, d, b, 0x16); u32 gh = LUT3(gg, c, b, 0x8e); u32 gi = LUT3(gg, ge, c, 0xb2); u32 gj = LUT3(gi, d, a, 0x9a); y0 = LUT3(y0, gi, gh, 0x5a); y1 = LUT3(y1, gf, b, 0x96); y2 = LUT3(y2, gi, c, 0xc3); y3 = LUT3(y3, gj, gg, 0x69); }
#define BOX_5_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x42); u32 gf = LUT3(c, b, a, 0x28); u32 gg = LUT3(ge, d, c, 0xf2); u32 gh = LUT3(gf, d, b, 0x26); u32 gi = LUT3(gf, d, c, 0xa4); u32 gj = LUT3(gh, gg, b, 0xd4); y0 = LUT3(y0, gj, a, 0x96); y1 = LUT3(y1, gi, gg, 0x69); y2 = LUT3(y2, gh, gg, 0x69); y3 = LUT3(y3, ge, c, 0x96); }
#define BOX_5_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x56); u32 gf = LUT3(d, b, a, 0x3e); u32 gg = LUT3(d, b, a, 0x2c); u32 gh = LUT3(d, c, b, 0x2e); u32 gi = LUT3(gf, c, a, 0x4a); u32 gj = LUT3(gf, ge, c, 0x98); y0 = LUT3(y0, gj, gi, 0xe1); y1 = LUT3(y1, gi, gg, 0x69); y2 = LUT3(y2, gj, gh, 0x96); y3 = LUT3(y3, gi, ge, 0x69); }
#define BOX_5_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x9e); u32 gf = LUT3(d, c, a, 0x84); u32 gg = LUT3(ge, c, a, 0x38); u32 gh = LUT3(ge, c, a, 0x26); u32 gi = LUT3(gh, d, b, 0xa4); u32 gj = LUT3(gh, gf, b, 0x18); y0 = LUT3(y0, gi, gf, 0x96); y1 = LUT3(y1, gi, b, 0x96); y2 = LUT3(y2, gg, d, 0x69); y3 = LUT3(y3, gj, ge, 0x69); }
#define BOX_5_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x46); u32 gf = LUT3(ge, c, a, 0x94); u32 gg = LUT3(gf, c, a, 0x1e); u32 gh = LUT3(gf, d, b, 0xa4); u32 gi = LUT3(gg, ge, d, 0xe8); u32 gj = LUT3(gi, gh, gf, 0x32); y0 = LUT3(y0, gi, gh, 0x69); y1 = LUT3(y1, gh, c, 0x69); y2 = LUT3(y2, gj, d, 0x69); y3 = LUT3(y3, gg, gf, 0xb4); }
#define BOX_5_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xd8); u32 gf = LUT3(d, c, a, 0xb4); u32 gg = LUT3(d, c, a, 0x98); u32 gh = LUT3(d, c, b, 0xae); u32 gi = LUT3(d, c, b, 0x24); u32 gj = LUT3(gg, gf, b, 0xde); y0 = LUT3(y0, gi, ge, 0x69); y1 = LUT3(y1, gh, gf, 0x96); y2 = LUT3(y2, gi, gg, 0xe1); y3 = LUT3(y3, gj, a, 0x96); }
#define BOX_5_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xda); u32 gf = LUT3(d, c, b, 0x7a); u32 gg = LUT3(d, c, b, 0x4e); u32 gh = LUT3(gg, gf, a, 0x94); u32 gi = LUT3(gh, d, c, 0xe8); u32 gj = LUT3(gi, gg, b, 0x56); y0 = LUT3(y0, gh, c, 0x96); y1 = LUT3(y1, gf, ge, 0x96); y2 = LUT3(y2, gj, a, 0x96); y3 = LUT3(y3, gi, gf, 0x69); }
#define BOX_5_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x7e); u32 gf = LUT3(c, b, a, 0x86); u32 gg = LUT3(d, b, a, 0xc0); u32 gh = LUT3(d, b, a, 0x7c); u32 gi = LUT3(d, c, a, 0x54); u32 gj = LUT3(gf, ge, d, 0xd6); y0 = LUT3(y0, gj, a, 0x69); y1 = LUT3(y1, gg, gf, 0x1e); y2 = LUT3(y2, gi, ge, 0x96); y3 = LUT3(y3, gh, ge, 0x78); }
// GOST R 34.11-94 Test
#define BOX_6_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x96); u32 gf = LUT3(d, c, a, 0x5c); u32 gg = LUT3(ge, d, a, 0x92); u32 gh = LUT3(ge, d, a, 0xd0); u32 gi = LUT3(gg, b, a, 0xb6); u32 gj = LUT3(gh, d, c, 0x38); y0 = LUT3(y0, gj, gh, 0x1e); y1 = LUT3(y1, gi, gf, 0x96); y2 = LUT3(y2, gj, gi, 0x69); y3 = LUT3(y3, gi, b, 0x96); }
#define BOX_6_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x78); u32 gf = LUT3(ge, b, a, 0xec); u32 gg = LUT3(ge, d, a, 0xca); u32 gh = LUT3(gf, d, c, 0x28); u32 gi = LUT3(gh, ge, d, 0xd6); u32 gj = LUT3(gi, c, a, 0x1c); y0 = LUT3(y0, gh, gg, 0x96); y1 = LUT3(y1, gh, b, 0x69); y2 = LUT3(y2, gj, gg, 0x69); y3 = LUT3(y3, gi, gf, 0x69); }
#define BOX_6_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x9e); u32 gf = LUT3(ge, d, c, 0xa6); u32 gg = LUT3(ge, d, c, 0xda); u32 gh = LUT3(gg, gf, a, 0x96); u32 gi = LUT3(gh, gg, d, 0x56); u32 gj = LUT3(gi, gf, b, 0x62); y0 = LUT3(y0, gg, b, 0x69); y1 = LUT3(y1, gi, ge, 0x96); y2 = LUT3(y2, gj, a, 0x69); y3 = LUT3(y3, gi, gh, 0x96); }
#define BOX_6_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0xb4); u32 gf = LUT3(ge, c, b, 0xc6); u32 gg = LUT3(gf, ge, c, 0x8a); u32 gh = LUT3(gg, b, a, 0xc6); u32 gi = LUT3(gg, d, b, 0x8c); u32 gj = LUT3(gh, gf, ge, 0x6a); y0 = LUT3(y0, gj, gf, 0xc3); y1 = LUT3(y1, gg, a, 0x69); y2 = LUT3(y2, gf, ge, 0xc3); y3 = LUT3(y3, gi, gh, 0x96); }
#define BOX_6_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, b, a, 0x68); u32 gf = LUT3(ge, d, c, 0xc8); u32 gg = LUT3(gf, b, a, 0x44); u32 gh = LUT3(gf, ge, c, 0x96); u32 gi = LUT3(gh, gf, b, 0xe8); u32 gj = LUT3(gi, gh, a, 0xe6); y0 = LUT3(y0, gh, gg, 0x1e); y1 = LUT3(y1, gj, d, 0x69); y2 = LUT3(y2, gf, ge, 0xe1); y3 = LUT3(y3, gi, a, 0x96); }
#define BOX_6_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x16); u32 gf = LUT3(d, c, a, 0x3e); u32 gg = LUT3(ge, c, b, 0x7c); u32 gh = LUT3(gf, d, a, 0xa6); u32 gi = LUT3(gg, ge, a, 0x6c); u32 gj = LUT3(gi, d, b, 0x16); y0 = LUT3(y0, gj, gh, 0x96); y1 = LUT3(y1, gf, b, 0x96); y2 = LUT3(y2, gj, ge, 0x69); y3 = LUT3(y3, gj, gg, 0xd2); }
#define BOX_6_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0xde); u32 gf = LUT3(ge, d, b, 0x62); u32 gg = LUT3(ge, d, b, 0x0a); u32 gh = LUT3(gf, c, a, 0x74); u32 gi = LUT3(gf, c, a, 0xb6); u32 gj = LUT3(gi, gh, d, 0x36); y0 = LUT3(y0, gg, d, 0x69); y1 = LUT3(y1, gj, c, 0x96); y2 = LUT3(y2, gi, gg, 0x69); y3 = LUT3(y3, gh, gg, 0xe1); }
#define BOX_6_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x9e); u32 gf = LUT3(ge, b, a, 0x4a); u32 gg = LUT3(ge, b, a, 0xd8); u32 gh = LUT3(gg, gf, c, 0x8e); u32 gi = LUT3(gg, gf, d, 0x46); u32 gj = LUT3(gi, gh, ge, 0x7e); y0 = LUT3(y0, gh, a, 0x69); y1 = LUT3(y1, gj, gg, 0x96); y2 = LUT3(y2, gf, c, 0x96); y3 = LUT3(y3, gi, d, 0x96); }
// GOST R 34.11-94 CryptoPro
#define BOX_7_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0xda); u32 gf = LUT3(ge, c, a, 0xd8); u32 gg = LUT3(gf, b, a, 0x78); u32 gh = LUT3(gg, d, a, 0x7e); u32 gi = LUT3(gh, gg, c, 0x78); u32 gj = LUT3(gi, gf, b, 0xda); y0 = LUT3(y0, gh, gf, 0x78); y1 = LUT3(y1, gj, c, 0x69); y2 = LUT3(y2, gi, gh, 0x78); y3 = LUT3(y3, gh, d, 0x69); }
#define BOX_7_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, a, 0xd2); u32 gf = LUT3(ge, b, a, 0x9e); u32 gg = LUT3(gf, d, c, 0x9e); u32 gh = LUT3(gg, d, a, 0xf6); u32 gi = LUT3(gg, ge, c, 0xb6); u32 gj = LUT3(gi, gg, d, 0x68); y0 = LUT3(y0, gh, gg, 0xa5); y1 = LUT3(y1, gh, gf, 0x96); y2 = LUT3(y2, gj, b, 0x69); y3 = LUT3(y3, gj, gi, 0xd2); }
#define BOX_7_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xb2); u32 gf = LUT3(c, b, a, 0x58); u32 gg = LUT3(c, b, a, 0xf4); u32 gh = LUT3(d, b, a, 0x38); u32 gi = LUT3(gg, d, b, 0x48); u32 gj = LUT3(gg, gf, d, 0x94); y0 = LUT3(y0, gj, gi, 0xe1); y1 = LUT3(y1, gi, gg, 0x2d); y2 = LUT3(y2, gh, gf, 0x69); y3 = LUT3(y3, gj, ge, 0x96); }
#define BOX_7_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x62); u32 gf = LUT3(ge, c, a, 0x60); u32 gg = LUT3(ge, d, a, 0xa6); u32 gh = LUT3(gg, gf, d, 0xd2); u32 gi = LUT3(gh, c, b, 0x9c); u32 gj = LUT3(gi, gg, ge, 0x06); y0 = LUT3(y0, gj, d, 0x96); y1 = LUT3(y1, gg, b, 0x96); y2 = LUT3(y2, gi, gf, 0x4b); y3 = LUT3(y3, gh, d, 0x96); }
#define BOX_7_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xd0); u32 gf = LUT3(c, b, a, 0x68); u32 gg = LUT3(d, b, a, 0x9e); u32 gh = LUT3(d, c, b, 0x46); u32 gi = LUT3(gf, d, c, 0x1c); u32 gj = LUT3(gi, gf, a, 0xec); y0 = LUT3(y0, gi, gg, 0x69); y1 = LUT3(y1, gi, gh, 0x69); y2 = LUT3(y2, gi, ge, 0x69); y3 = LUT3(y3, gj, ge, 0x96); }
#define BOX_7_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0x36); u32 gf = LUT3(d, b, a, 0x10); u32 gg = LUT3(ge, d, a, 0x36); u32 gh = LUT3(gg, ge, c, 0x86); u32 gi = LUT3(gh, gg, c, 0x46); u32 gj = LUT3(gi, gg, ge, 0x4e); y0 = LUT3(y0, gj, ge, 0x69); y1 = LUT3(y1, gj, gf, 0x69); y2 = LUT3(y2, gi, a, 0x69); y3 = LUT3(y3, gh, d, 0x96); }
#define BOX_7_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(c, b, a, 0xbc); u32 gf = LUT3(c, b, a, 0x68); u32 gg = LUT3(d, b, a, 0xb6); u32 gh = LUT3(gf, d, a, 0xd6); u32 gi = LUT3(gh, d, c, 0x68); u32 gj = LUT3(gi, gg, c, 0x92); y0 = LUT3(y0, gi, gg, 0x69); y1 = LUT3(y1, gj, gh, 0x96); y2 = LUT3(y2, gi, gf, 0x69); y3 = LUT3(y3, gi, ge, 0x69); }
#define BOX_7_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = LUT3(d, c, b, 0x9e); u32 gf = LUT3(ge, d, a, 0x9e); u32 gg = LUT3(gf, b, a, 0x9a); u32 gh = LUT3(gg, d, a, 0x56); u32 gi = LUT3(gh, ge, c, 0xa4); u32 gj = LUT3(gi, gf, d, 0x42); y0 = LUT3(y0, gh, gf, 0x69); y1 = LUT3(y1, gf, c, 0x96); y2 = LUT3(y2, gi, b, 0x96); y3 = LUT3(y3, gj, gg, 0x96); }
#else
// Test
#define BOX_0_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & d; u32 gf = c | ge; u32 gg = b ^ gf; u32 gh = d & gg; u32 gi = c ^ gh; u32 gj = a ^ gg; u32 gk = gj & ~gi; u32 gl = d ^ gk; u32 gm = gl & ~gg; u32 gn = gj ^ gm; u32 go = a & gm; u32 gp = gi ^ go; y0 ^= gg; y1 ^= gl; y2 ^= ~gp; y3 ^= gn; }
#define BOX_0_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = c ^ d; u32 gf = a ^ b; u32 gg = gf & ~ge; u32 gh = d & ~gg; u32 gi = b ^ gh; u32 gj = d & ~gi; u32 gk = gf ^ gj; u32 gl = c ^ gf; u32 gm = gk & ~gl; u32 gn = d ^ gm; u32 go = gi & ~a; u32 gp = gn | go; u32 gq = gl ^ gp; y0 ^= gk; y1 ^= gi; y2 ^= ~gq; y3 ^= ~gn; }
#define BOX_0_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = b & ~a; u32 gf = c ^ ge; u32 gg = a ^ gf; u32 gh = b ^ gg; u32 gi = d ^ gf; u32 gj = gh & gi; u32 gk = gg ^ gj; u32 gl = gf & gk; u32 gm = gi ^ gl; u32 gn = gk & ~gf; u32 go = gm & ~gn; u32 gp = gh ^ go; y0 ^= ~gk; y1 ^= gf; y2 ^= ~gp; y3 ^= ~gm; }
#define BOX_0_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ c; u32 gf = a & c; u32 gg = d & ~gf; u32 gh = b ^ ge; u32 gi = b & ~c; u32 gj = a & gh; u32 gk = gg ^ gj; u32 gl = gi ^ gk; u32 gm = b ^ gj; u32 gn = d | gm; u32 go = gh ^ gn; u32 gp = gl & ~ge; u32 gq = a ^ gp; u32 gr = go ^ gq; u32 gs = go | gp; u32 gt = gm ^ gs; y0 ^= gr; y1 ^= ~gt; y2 ^= ~gl; y3 ^= ~go; }
#define BOX_0_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ c; u32 gf = ge & ~d; u32 gg = b ^ gf; u32 gh = a & c; u32 gi = d & ~a; u32 gj = b & ~gi; u32 gk = gh | gj; u32 gl = d ^ gj; u32 gm = gg ^ gl; u32 gn = c ^ gm; u32 go = a | gg; u32 gp = gl ^ go; y0 ^= ~gp; y1 ^= ~gk; y2 ^= gg; y3 ^= gn; }
#define BOX_0_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ c; u32 gf = c & ge; u32 gg = b ^ gf; u32 gh = d | gg; u32 gi = ge ^ gh; u32 gj = gg & ~gf; u32 gk = ge & ~gi; u32 gl = gj ^ gk; u32 gm = ge & ~gl; u32 gn = c ^ d; u32 go = gm ^ gn; u32 gp = a & gh; u32 gq = gm ^ gp; u32 gr = b ^ gq; y0 ^= go; y1 ^= gr; y2 ^= gi; y3 ^= ~gl; }
#define BOX_0_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ d; u32 gf = a ^ d; u32 gg = c ^ ge; u32 gh = gf & gg; u32 gi = b ^ gh; u32 gj = a & d; u32 gk = c & ~gj; u32 gl = gh | gk; u32 gm = gi & ~gj; u32 gn = a ^ gg; u32 go = gm ^ gn; u32 gp = b & ~gk; u32 gq = gj ^ gp; u32 gr = gh | gq; y0 ^= ~gr; y1 ^= go; y2 ^= gi; y3 ^= ~gl; }
#define BOX_0_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & d; u32 gf = c | ge; u32 gg = b ^ d; u32 gh = a | d; u32 gi = gg & gh; u32 gj = gf ^ gi; u32 gk = gg & ~a; u32 gl = c & ~gk; u32 gm = gh ^ gl; u32 gn = c ^ ge; u32 go = gg | gm; u32 gp = gn ^ go; u32 gq = gj | gp; u32 gr = gm | gq; u32 gs = a ^ gr; y0 ^= gs; y1 ^= gm; y2 ^= ~gj; y3 ^= ~gp; }
// CryptoPro-A
#define BOX_1_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & ~d; u32 gf = b ^ d; u32 gg = a ^ gf; u32 gh = b | gg; u32 gi = gh & ~c; u32 gj = ge | gi; u32 gk = gf ^ gj; u32 gl = a | b; u32 gm = c & gl; u32 gn = gk ^ gm; u32 go = c | d; u32 gp = a | gm; u32 gq = gh & gp; u32 gr = go ^ gq; u32 gs = gi | gk; u32 gt = gs & ~gr; u32 gu = a ^ gt; y0 ^= ~gr; y1 ^= gj; y2 ^= gn; y3 ^= ~gu; }
#define BOX_1_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ d; u32 gf = c ^ d; u32 gg = a & gf; u32 gh = c & ~gg; u32 gi = ge & ~gh; u32 gj = b ^ gg; u32 gk = gi | gj; u32 gl = a ^ gk; u32 gm = ge & gl; u32 gn = gf ^ gm; u32 go = gm | gn; u32 gp = gj ^ go; u32 gq = gj & ~gl; u32 gr = ge ^ gp; u32 gs = gq ^ gr; y0 ^= ~gn; y1 ^= ~gp; y2 ^= gl; y3 ^= gs; }
#define BOX_1_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ c; u32 gf = b ^ d; u32 gg = ge & ~gf; u32 gh = b ^ c; u32 gi = gg ^ gh; u32 gj = a | ge; u32 gk = a ^ b; u32 gl = c & ~gf; u32 gm = gk & ~gl; u32 gn = gj & ~gm; u32 go = c | d; u32 gp = gk & go; u32 gq = gl | gp; u32 gr = d | gi; u32 gs = gr & ~gq; u32 gt = b ^ gs; y0 ^= gq; y1 ^= ~gt; y2 ^= ~gn; y3 ^= ~gi; }
#define BOX_1_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ b; u32 gf = a ^ d; u32 gg = b ^ c; u32 gh = gf & ~gg; u32 gi = ge ^ gh; u32 gj = gg | gi; u32 gk = b & gi; u32 gl = c ^ gj; u32 gm = a & gf; u32 gn = gl ^ gm; u32 go = gk ^ gn; u32 gp = gf ^ gg; u32 gq = gp & ~gk; u32 gr = gm ^ gq; u32 gs = c & gp; u32 gt = go ^ gs; u32 gu = d ^ gt; y0 ^= gu; y1 ^= ~gr; y2 ^= ~gi; y3 ^= ~go; }
#define BOX_1_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & b; u32 gf = d ^ ge; u32 gg = b ^ c; u32 gh = gg & ~gf; u32 gi = b & ~c; u32 gj = a & ~gh; u32 gk = gi ^ gj; u32 gl = c ^ d; u32 gm = b & ~gl; u32 gn = gk & ~gm; u32 go = gg ^ gn; u32 gp = a ^ gm; u32 gq = gf | gp; u32 gr = b ^ gq; u32 gs = gh ^ gq; u32 gt = a & ~gl; u32 gu = gs ^ gt; y0 ^= ~gu; y1 ^= ~go; y2 ^= gr; y3 ^= ~gk; }
#define BOX_1_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = a | d; u32 gf = b ^ ge; u32 gg = a ^ d; u32 gh = a ^ c; u32 gi = gf & ~gh; u32 gj = gg ^ gi; u32 gk = d ^ gf; u32 gl = gj & gk; u32 gm = gh ^ gl; u32 gn = gj & gm; u32 go = gk ^ gn; u32 gp = d ^ gn; y0 ^= ~go; y1 ^= ~gm; y2 ^= gp; y3 ^= gj; }
#define BOX_1_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = c ^ d; u32 gf = b ^ c; u32 gg = d & ~gf; u32 gh = a ^ gf; u32 gi = b & gh; u32 gj = gi & ~d; u32 gk = c ^ gj; u32 gl = b & ge; u32 gm = gh | gl; u32 gn = gj ^ gm; u32 go = a ^ d; u32 gp = go & ~gl; u32 gq = gg | gp; u32 gr = gf & ~go; u32 gs = ge & ~gr; u32 gt = gi | gs; y0 ^= ~gt; y1 ^= gk; y2 ^= gn; y3 ^= gq; }
#define BOX_1_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ d; u32 gf = c & ~ge; u32 gg = b & ~c; u32 gh = a & ~ge; u32 gi = c ^ d; u32 gj = gh | gi; u32 gk = gj & ~gg; u32 gl = a | gg; u32 gm = gf ^ gl; u32 gn = gj ^ gm; u32 go = a ^ gg; u32 gp = gm & ~go; u32 gq = d ^ gp; u32 gr = c & ~gn; u32 gs = gp | gr; u32 gt = gf | gs; y0 ^= ~gk; y1 ^= ~gt; y2 ^= gn; y3 ^= ~gq; }
// CryptoPro-B
#define BOX_2_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ c; u32 gf = ge & ~d; u32 gg = b & ~gf; u32 gh = a ^ gg; u32 gi = ge & ~gh; u32 gj = d ^ gi; u32 gk = c ^ gf; u32 gl = gj & ~gk; u32 gm = gh ^ gl; u32 gn = a | gk; u32 go = b & ~d; u32 gp = gn ^ go; u32 gq = ge ^ go; u32 gr = gm & gq; u32 gs = gk ^ gr; y0 ^= gs; y1 ^= gj; y2 ^= gp; y3 ^= ~gm; }
#define BOX_2_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = c & ~d; u32 gf = c & ~b; u32 gg = c ^ d; u32 gh = b | c; u32 gi = b | gg; u32 gj = gi & ~a; u32 gk = gh ^ gj; u32 gl = gk & ~a; u32 gm = gi & ~ge; u32 gn = gl ^ gm; u32 go = a ^ gf; u32 gp = go & ~gm; u32 gq = gg ^ gp; u32 gr = a & d; u32 gs = c | gr; u32 gt = gi & gs; y0 ^= gq; y1 ^= gn; y2 ^= gt; y3 ^= gk; }
#define BOX_2_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = d & ~a; u32 gf = a & d; u32 gg = b ^ gf; u32 gh = a ^ gg; u32 gi = b ^ c; u32 gj = gh & gi; u32 gk = d ^ gj; u32 gl = c | gj; u32 gm = gl & ~ge; u32 gn = gk ^ gm; u32 go = c & gh; u32 gp = gm ^ go; u32 gq = gi | gp; u32 gr = gq & ~gf; u32 gs = c & ~gp; u32 gt = a | gs; u32 gu = gq ^ gt; y0 ^= gn; y1 ^= ~gu; y2 ^= ~gr; y3 ^= ~gk; }
#define BOX_2_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = c | d; u32 gf = b ^ c; u32 gg = b & ge; u32 gh = b ^ ge; u32 gi = a ^ ge; u32 gj = gh & gi; u32 gk = d ^ gj; u32 gl = ge ^ gk; u32 gm = d | gl; u32 gn = gf ^ gm; u32 go = a & ~gg; u32 gp = gn | go; u32 gq = gi ^ gp; u32 gr = gq & ~gl; u32 gs = b ^ gr; u32 gt = gn & ~gs; u32 gu = gi ^ gt; y0 ^= ~gq; y1 ^= ~gu; y2 ^= ~gn; y3 ^= gk; }
#define BOX_2_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = b & ~d; u32 gf = d & ~c; u32 gg = a ^ c; u32 gh = c & ~d; u32 gi = ge | gg; u32 gj = gh ^ gi; u32 gk = gj & ~b; u32 gl = a & ~b; u32 gm = gi ^ gl; u32 gn = gm & ~gk; u32 go = gf | gn; u32 gp = go & ~b; u32 gq = a ^ gp; u32 gr = gj & ~gg; u32 gs = gf ^ gr; u32 gt = gp | gs; y0 ^= gq; y1 ^= ~gt; y2 ^= gj; y3 ^= gn; }
#define BOX_2_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = d & ~c; u32 gf = b ^ ge; u32 gg = a & gf; u32 gh = c ^ d; u32 gi = gg ^ gh; u32 gj = a & ~gh; u32 gk = gf | gj; u32 gl = d ^ gk; u32 gm = gi | gl; u32 gn = gf ^ gi; u32 go = gm & gn; u32 gp = a ^ go; u32 gq = gi ^ gl; u32 gr = gp & gq; u32 gs = gn ^ gr; y0 ^= gs; y1 ^= gl; y2 ^= gi; y3 ^= ~gp; }
#define BOX_2_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = b & c; u32 gf = b & ~a; u32 gg = b | c; u32 gh = a ^ c; u32 gi = d ^ gh; u32 gj = gf | gi; u32 gk = gg & gj; u32 gl = gg & ~a; u32 gm = ge | gi; u32 gn = gl ^ gm; u32 go = b ^ gn; u32 gp = gj & ~go; u32 gq = gh ^ gp; u32 gr = gg ^ gq; u32 gs = gn | gr; u32 gt = d ^ gs; y0 ^= ~gq; y1 ^= gn; y2 ^= ~gt; y3 ^= gk; }
#define BOX_2_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & ~c; u32 gf = a ^ b; u32 gg = d ^ ge; u32 gh = b & d; u32 gi = gf | gh; u32 gj = gg ^ gi; u32 gk = c ^ gi; u32 gl = gj & ~b; u32 gm = gk | gl; u32 gn = a ^ gm; u32 go = gg ^ gh; u32 gp = gn & ~go; u32 gq = c ^ gp; u32 gr = gn & ~c; u32 gs = gi ^ gl; u32 gt = gr ^ gs; y0 ^= gq; y1 ^= gj; y2 ^= gt; y3 ^= gn; }
// CryptoPro-C
#define BOX_3_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = c | d; u32 gf = a ^ ge; u32 gg = b & ~gf; u32 gh = a & ~d; u32 gi = a | d; u32 gj = c ^ gh; u32 gk = gg | gj; u32 gl = gi & gk; u32 gm = c & ~gf; u32 gn = b | gm; u32 go = gj ^ gn; u32 gp = gi & ~a; u32 gq = gn | gp; u32 gr = gm ^ gq; u32 gs = go & gq; u32 gt = d & ~gg; u32 gu = gs ^ gt; y0 ^= ~gr; y1 ^= gl; y2 ^= gu; y3 ^= go; }
#define BOX_3_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = b & d; u32 gf = a ^ c; u32 gg = b & gf; u32 gh = c ^ d; u32 gi = ge ^ gh; u32 gj = a & gi; u32 gk = b ^ gj; u32 gl = c | gg; u32 gm = d & ~a; u32 gn = gl & ~gm; u32 go = gk ^ gn; u32 gp = gk & ~gn; u32 gq = ge | gp; u32 gr = gf ^ gq; u32 gs = c | gm; u32 gt = gg ^ gs; u32 gu = gj ^ gt; y0 ^= gr; y1 ^= go; y2 ^= gk; y3 ^= gu; }
#define BOX_3_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = a | c; u32 gf = b ^ ge; u32 gg = ge & ~d; u32 gh = b ^ c; u32 gi = gf & ~gg; u32 gj = a | d; u32 gk = gf & gh; u32 gl = gg ^ gj; u32 gm = gk ^ gl; u32 gn = gj & ~gh; u32 go = gl & ~gn; u32 gp = gi | go; u32 gq = b & ~a; u32 gr = gi | gn; u32 gs = gq ^ gr; u32 gt = b & d; u32 gu = gn | gt; u32 gv = gf ^ gu; u32 gw = a ^ gv; y0 ^= gm; y1 ^= gs; y2 ^= gp; y3 ^= ~gw; }
#define BOX_3_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & b; u32 gf = c ^ ge; u32 gg = c ^ d; u32 gh = gf & gg; u32 gi = b ^ gh; u32 gj = gi & ~d; u32 gk = a | gj; u32 gl = gf ^ gk; u32 gm = a ^ gj; u32 gn = gg | gl; u32 go = gm ^ gn; u32 gp = c ^ gi; u32 gq = gk & ~d; u32 gr = gp | gq; u32 gs = b ^ gr; y0 ^= ~gl; y1 ^= ~gi; y2 ^= gs; y3 ^= go; }
#define BOX_3_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ d; u32 gf = b & ge; u32 gg = b ^ c; u32 gh = a ^ b; u32 gi = c | gf; u32 gj = d & gh; u32 gk = gi ^ gj; u32 gl = d & ~gg; u32 gm = gh | gl; u32 gn = gm & ~gf; u32 go = b ^ gl; u32 gp = gk | gn; u32 gq = go ^ gp; u32 gr = gg ^ gh; u32 gs = go & ~gr; u32 gt = d ^ gs; y0 ^= gn; y1 ^= gt; y2 ^= gq; y3 ^= ~gk; }
#define BOX_3_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & ~c; u32 gf = d ^ ge; u32 gg = b | gf; u32 gh = a ^ gg; u32 gi = ge ^ gg; u32 gj = c ^ d; u32 gk = b ^ gj; u32 gl = gi & gk; u32 gm = ge | gl; u32 gn = gi & ~gh; u32 go = b | gn; u32 gp = gl ^ go; u32 gq = gj & ~a; u32 gr = gl | gq; u32 gs = gf ^ gr; y0 ^= gm; y1 ^= gh; y2 ^= ~gs; y3 ^= ~gp; }
#define BOX_3_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = d & ~a; u32 gf = b & ~d; u32 gg = a & d; u32 gh = c ^ gg; u32 gi = b | gh; u32 gj = a ^ gf; u32 gk = gi ^ gj; u32 gl = gh & ~gg; u32 gm = ge ^ gl; u32 gn = gj ^ gm; u32 go = gn & ~gf; u32 gp = gn & ~c; u32 gq = gk | gp; u32 gr = a ^ gq; u32 gs = gn ^ gq; u32 gt = gg ^ gs; u32 gu = b ^ gt; y0 ^= go; y1 ^= ~gk; y2 ^= gr; y3 ^= ~gu; }
#define BOX_3_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = a | b; u32 gf = d & ~a; u32 gg = c ^ gf; u32 gh = ge & ~gg; u32 gi = d ^ gh; u32 gj = b ^ gg; u32 gk = ge ^ gi; u32 gl = gj & gk; u32 gm = c ^ gl; u32 gn = c & gk; u32 go = gj & ~gn; u32 gp = a ^ go; u32 gq = gm ^ gp; u32 gr = gi & ~gq; u32 gs = gj ^ gr; y0 ^= ~gp; y1 ^= ~gi; y2 ^= ~gs; y3 ^= gm; }
// CryptoPro-D
#define BOX_4_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ b; u32 gf = c ^ ge; u32 gg = a & d; u32 gh = c & d; u32 gi = gf ^ gh; u32 gj = a | gi; u32 gk = gg ^ gj; u32 gl = b ^ d; u32 gm = gj & gl; u32 gn = gh | gm; u32 go = gi & ~b; u32 gp = gg | go; u32 gq = c ^ gp; u32 gr = gq & ~gn; u32 gs = gi ^ gr; u32 gt = d ^ gs; y0 ^= ~gk; y1 ^= ~gq; y2 ^= ~gn; y3 ^= ~gt; }
#define BOX_4_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = c | d; u32 gf = d & ~a; u32 gg = a ^ d; u32 gh = b & ge; u32 gi = c ^ gf; u32 gj = b ^ gi; u32 gk = c ^ gg; u32 gl = gj & gk; u32 gm = d ^ gl; u32 gn = gg | gm; u32 go = gh ^ gn; u32 gp = gk & go; u32 gq = gj | gp; u32 gr = c ^ gq; u32 gs = go | gr; u32 gt = gj ^ gm; u32 gu = gs ^ gt; y0 ^= ~gu; y1 ^= ~gm; y2 ^= go; y3 ^= ~gr; }
#define BOX_4_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = b & c; u32 gf = b | c; u32 gg = c & ~d; u32 gh = b ^ d; u32 gi = a ^ ge; u32 gj = gh & ~gi; u32 gk = c ^ gj; u32 gl = a ^ gf; u32 gm = gl & ~gj; u32 gn = gg | gm; u32 go = d ^ gi; u32 gp = gn | go; u32 gq = b ^ gp; u32 gr = gq & ~gk; u32 gs = gr & ~gm; u32 gt = go ^ gs; y0 ^= ~gt; y1 ^= gk; y2 ^= gn; y3 ^= gq; }
#define BOX_4_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = c ^ d; u32 gf = a ^ ge; u32 gg = d & ~gf; u32 gh = c & ~a; u32 gi = b & ~gg; u32 gj = gh ^ gi; u32 gk = c & ~gj; u32 gl = ge & ~gk; u32 gm = gi ^ gl; u32 gn = b | gf; u32 go = gn & ~gk; u32 gp = a ^ go; u32 gq = gj & ~gm; u32 gr = gn ^ gq; u32 gs = c ^ gr; y0 ^= ~gm; y1 ^= gp; y2 ^= gs; y3 ^= gj; }
#define BOX_4_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = d & ~c; u32 gf = a ^ b; u32 gg = b ^ ge; u32 gh = d ^ gg; u32 gi = c ^ gf; u32 gj = gh | gi; u32 gk = gg ^ gj; u32 gl = b | gi; u32 gm = gk & gl; u32 gn = gh ^ gm; u32 go = a & gl; u32 gp = gk & ~gh; u32 gq = go ^ gp; u32 gr = gf | gp; u32 gs = gi & gn; u32 gt = gr ^ gs; y0 ^= gq; y1 ^= gt; y2 ^= gk; y3 ^= gn; }
#define BOX_4_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = a & ~d; u32 gf = a | c; u32 gg = a ^ gf; u32 gh = c ^ d; u32 gi = a ^ c; u32 gj = gi & ~gh; u32 gk = b | gj; u32 gl = ge ^ gk; u32 gm = gf & ~gk; u32 gn = gj | gm; u32 go = d ^ gn; u32 gp = b ^ gi; u32 gq = d | go; u32 gr = gp ^ gq; u32 gs = b & ~gg; u32 gt = gh & ~gr; u32 gu = gs ^ gt; y0 ^= gr; y1 ^= gu; y2 ^= gl; y3 ^= ~go; }
#define BOX_4_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = a | c; u32 gf = b & ~d; u32 gg = b ^ d; u32 gh = a & ~gf; u32 gi = a ^ c; u32 gj = b & ~gi; u32 gk = gh ^ gj; u32 gl = ge & ~gg; u32 gm = d | gi; u32 gn = gl ^ gm; u32 go = gn & ~a; u32 gp = gi & ~gf; u32 gq = go ^ gp; u32 gr = ge ^ gm; u32 gs = b & ~go; u32 gt = gr ^ gs; y0 ^= ~gk; y1 ^= ~gq; y2 ^= gt; y3 ^= gn; }
#define BOX_4_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = c & ~d; u32 gf = a & ~ge; u32 gg = c ^ d; u32 gh = gg & ~b; u32 gi = gf ^ gh; u32 gj = b | c; u32 gk = b ^ gf; u32 gl = b & d; u32 gm = gk & ~gl; u32 gn = c ^ gm; u32 go = gg & gj; u32 gp = gi & ~c; u32 gq = b | gp; u32 gr = gl & go; u32 gs = gq ^ gr; u32 gt = gl ^ gn; u32 gu = gp | gt; u32 gv = a ^ gu; y0 ^= ~gs; y1 ^= gn; y2 ^= gv; y3 ^= gi; }
// tc26-Z
#define BOX_5_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ c; u32 gf = b | d; u32 gg = a | c; u32 gh = a ^ ge; u32 gi = b ^ d; u32 gj = gh & gi; u32 gk = a ^ gj; u32 gl = gk & ~d; u32 gm = gh & ~gl; u32 gn = gf ^ gm; u32 go = gi | gm; u32 gp = gg & go; u32 gq = gh ^ gp; u32 gr = b | gq; u32 gs = gl ^ gr; y0 ^= gs; y1 ^= gn; y2 ^= ~gp; y3 ^= ~gk; }
#define BOX_5_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ b; u32 gf = c & ~ge; u32 gg = ge & ~b; u32 gh = gf ^ gg; u32 gi = c & ~b; u32 gj = b ^ c; u32 gk = d & ~gf; u32 gl = gg | gj; u32 gm = gk ^ gl; u32 gn = d ^ gi; u32 go = gm | gn; u32 gp = ge ^ go; u32 gq = gp & ~gi; u32 gr = gn | gq; u32 gs = a ^ gr; y0 ^= gp; y1 ^= ~gs; y2 ^= ~gm; y3 ^= gh; }
#define BOX_5_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ b; u32 gf = ge & ~c; u32 gg = d & ~ge; u32 gh = a & ~gf; u32 gi = c ^ gh; u32 gj = gg | gi; u32 gk = b ^ d; u32 gl = gj & ~gk; u32 gm = gf ^ gl; u32 gn = c & gj; u32 go = gk & ~gn; u32 gp = gg ^ go; u32 gq = c | gp; u32 gr = gq & ~gi; u32 gs = d ^ gr; y0 ^= ~gj; y1 ^= ~gp; y2 ^= gs; y3 ^= ~gm; }
#define BOX_5_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = b | c; u32 gf = c ^ d; u32 gg = a ^ ge; u32 gh = b ^ d; u32 gi = gf | gh; u32 gj = gi & ~gg; u32 gk = c ^ gj; u32 gl = gf ^ gg; u32 gm = gk & ~gl; u32 gn = gg ^ gm; u32 go = gn & ~gl; u32 gp = gh ^ go; u32 gq = gn & ~gp; u32 gr = gl ^ gq; y0 ^= gk; y1 ^= gp; y2 ^= ~gn; y3 ^= ~gr; }
#define BOX_5_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = c & ~b; u32 gf = a ^ ge; u32 gg = d ^ ge; u32 gh = c ^ gg; u32 gi = gh & ~gg; u32 gj = b ^ gi; u32 gk = gf & gj; u32 gl = gg ^ gk; u32 gm = gf & gh; u32 gn = gl | gm; u32 go = gj ^ gn; u32 gp = gh | go; u32 gq = gp & ~a; u32 gr = gj ^ gq; y0 ^= ~gr; y1 ^= ~go; y2 ^= ~gl; y3 ^= gf; }
#define BOX_5_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ d; u32 gf = ge & ~a; u32 gg = d ^ gf; u32 gh = c ^ ge; u32 gi = gg | gh; u32 gj = a ^ gi; u32 gk = gg ^ gj; u32 gl = c & ~gk; u32 gm = ge ^ gl; u32 gn = gh ^ gj; u32 go = b & gn; u32 gp = gl | go; u32 gq = gn & ~c; u32 gr = a | gk; u32 gs = gq ^ gr; y0 ^= ~gp; y1 ^= gm; y2 ^= ~gs; y3 ^= gj; }
#define BOX_5_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = d & ~a; u32 gf = c ^ d; u32 gg = a ^ b; u32 gh = d ^ gg; u32 gi = gf & ~gh; u32 gj = b ^ gi; u32 gk = d ^ gj; u32 gl = c | gk; u32 gm = gg ^ gl; u32 gn = gf ^ gg; u32 go = gn & ~ge; u32 gp = gl & ~go; u32 gq = ge ^ gk; u32 gr = b & ~gq; u32 gs = gn ^ gr; y0 ^= gp; y1 ^= gs; y2 ^= gm; y3 ^= ~gj; }
#define BOX_5_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ d; u32 gf = b & ~ge; u32 gg = a ^ gf; u32 gh = a ^ c; u32 gi = gg & gh; u32 gj = b ^ gi; u32 gk = ge & ~gi; u32 gl = c | gf; u32 gm = gk ^ gl; u32 gn = gh | gj; u32 go = c | gk; u32 gp = gn ^ go; u32 gq = c | gj; u32 gr = ge & gq; u32 gs = gg ^ gr; y0 ^= ~gm; y1 ^= gj; y2 ^= gp; y3 ^= gs; }
// GOST R 34.11-94 Test
#define BOX_6_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ b; u32 gf = a ^ c; u32 gg = d & ~ge; u32 gh = a ^ gg; u32 gi = b ^ c; u32 gj = gi & ~a; u32 gk = gg & ~c; u32 gl = d | gj; u32 gm = gk ^ gl; u32 gn = gi ^ gm; u32 go = gn & ~gf; u32 gp = gh ^ go; u32 gq = b | d; u32 gr = gn ^ gq; u32 gs = gp ^ gr; u32 gt = d | gf; u32 gu = ge ^ gt; u32 gv = gp ^ gu; y0 ^= gm; y1 ^= gp; y2 ^= ~gs; y3 ^= gv; }
#define BOX_6_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ b; u32 gf = b & ~d; u32 gg = ge | gf; u32 gh = c & ~a; u32 gi = b & ~gh; u32 gj = gg ^ gi; u32 gk = c & gg; u32 gl = d | gj; u32 gm = gk ^ gl; u32 gn = c & ~d; u32 go = gi ^ gn; u32 gp = gh ^ go; u32 gq = c ^ ge; u32 gr = go & gq; u32 gs = d ^ gr; y0 ^= gj; y1 ^= ~gp; y2 ^= ~gm; y3 ^= ~gs; }
#define BOX_6_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = c ^ d; u32 gf = a ^ b; u32 gg = c | gf; u32 gh = a | d; u32 gi = gh & ~b; u32 gj = ge & gg; u32 gk = gi ^ gj; u32 gl = ge ^ gg; u32 gm = gk | gl; u32 gn = gf ^ gm; u32 go = c ^ gj; u32 gp = gm ^ go; u32 gq = b ^ gp; u32 gr = go & ~gk; u32 gs = gn & ~gr; u32 gt = gl ^ gs; y0 ^= ~gk; y1 ^= gn; y2 ^= ~gt; y3 ^= gq; }
#define BOX_6_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = b & c; u32 gf = a & ~ge; u32 gg = d ^ gf; u32 gh = b ^ gg; u32 gi = gg & gh; u32 gj = c & ~gi; u32 gk = a ^ gj; u32 gl = gg ^ gk; u32 gm = b & ~gl; u32 gn = c ^ gm; u32 go = d | gh; u32 gp = gn & go; u32 gq = gl ^ gp; y0 ^= ~gq; y1 ^= ~gk; y2 ^= ~gn; y3 ^= gh; }
#define BOX_6_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = c & ~a; u32 gf = a ^ b; u32 gg = b | c; u32 gh = d ^ gf; u32 gi = c ^ gh; u32 gj = gg & ~ge; u32 gk = gi & gj; u32 gl = gf ^ gk; u32 gm = c & ~gl; u32 gn = gh | gm; u32 go = gj ^ gn; u32 gp = gl | go; u32 gq = gp & ~gh; u32 gr = gm ^ gq; u32 gs = gh | gl; u32 gt = gs & ~gf; u32 gu = gg & ~gt; y0 ^= gu; y1 ^= ~go; y2 ^= ~gr; y3 ^= gl; }
#define BOX_6_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ b; u32 gf = d | ge; u32 gg = b ^ d; u32 gh = a & ~d; u32 gi = c | gh; u32 gj = gg ^ gi; u32 gk = gg & ~b; u32 gl = c | gk; u32 gm = a & gf; u32 gn = gl ^ gm; u32 go = gj ^ gm; u32 gp = gl & ~go; u32 gq = ge ^ gp; u32 gr = gn & ~b; u32 gs = gq ^ gr; u32 gt = gi ^ gs; y0 ^= gn; y1 ^= gj; y2 ^= ~gt; y3 ^= gq; }
#define BOX_6_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = c ^ d; u32 gf = a | ge; u32 gg = b ^ gf; u32 gh = c | gg; u32 gi = a ^ gh; u32 gj = c ^ gi; u32 gk = gj & ~d; u32 gl = gg ^ gk; u32 gm = a ^ gk; u32 gn = gi & gm; u32 go = d ^ gn; u32 gp = gl | go; u32 gq = gj ^ gp; y0 ^= ~go; y1 ^= gq; y2 ^= ~gl; y3 ^= ~gi; }
#define BOX_6_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = a ^ d; u32 gf = c & ge; u32 gg = a | b; u32 gh = a & c; u32 gi = b ^ gf; u32 gj = gh | gi; u32 gk = ge ^ gj; u32 gl = c ^ gi; u32 gm = d & ~gl; u32 gn = gk & ~gm; u32 go = c ^ gn; u32 gp = d & gj; u32 gq = gg & ~gl; u32 gr = gp ^ gq; u32 gs = ge & ~gm; u32 gt = gh | gs; u32 gu = gr ^ gt; y0 ^= ~gu; y1 ^= gr; y2 ^= go; y3 ^= gk; }
// GOST R 34.11-94 CryptoPro
#define BOX_7_0(a, b, c, d, y0, y1, y2, y3) { u32 ge = c | d; u32 gf = b | d; u32 gg = a ^ gf; u32 gh = b ^ ge; u32 gi = gg | gh; u32 gj = c ^ gi; u32 gk = gj & ~gh; u32 gl = gg ^ gk; u32 gm = gg | gj; u32 gn = d ^ gm; u32 go = gn & ~gl; u32 gp = gh ^ go; y0 ^= gl; y1 ^= ~gp; y2 ^= gj; y3 ^= ~gn; }
#define BOX_7_1(a, b, c, d, y0, y1, y2, y3) { u32 ge = b | c; u32 gf = c | d; u32 gg = b | d; u32 gh = a ^ c; u32 gi = gh & ~gg; u32 gj = c ^ gi; u32 gk = gg ^ gh; u32 gl = gk & ~gj; u32 gm = b ^ gl; u32 gn = d ^ gj; u32 go = gn & ~gl; u32 gp = ge & ~go; u32 gq = gf ^ gm; u32 gr = gp & gq; u32 gs = gh ^ gr; y0 ^= ~gp; y1 ^= gs; y2 ^= ~gm; y3 ^= gj; }
#define BOX_7_2(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ d; u32 gf = d & ge; u32 gg = b & ~a; u32 gh = c | gg; u32 gi = gh & ~gf; u32 gj = d & ~gg; u32 gk = a & ~b; u32 gl = c & ~gk; u32 gm = gj ^ gl; u32 gn = c ^ ge; u32 go = gn & ~gf; u32 gp = gk ^ go; u32 gq = d | gm; u32 gr = gq & ~gg; u32 gs = gn ^ gr; y0 ^= ~gs; y1 ^= ~gi; y2 ^= ~gm; y3 ^= gp; }
#define BOX_7_3(a, b, c, d, y0, y1, y2, y3) { u32 ge = c & d; u32 gf = a ^ ge; u32 gg = b | d; u32 gh = gf ^ gg; u32 gi = gf & ~b; u32 gj = c ^ gi; u32 gk = gh & ~gj; u32 gl = d ^ gk; u32 gm = d & ~gj; u32 gn = gh | gm; u32 go = b ^ gn; y0 ^= gl; y1 ^= gh; y2 ^= ~gj; y3 ^= go; }
#define BOX_7_4(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ c; u32 gf = d ^ ge; u32 gg = c ^ d; u32 gh = gg & ~ge; u32 gi = a & d; u32 gj = a & ~gh; u32 gk = b | d; u32 gl = gk & ~gj; u32 gm = c ^ gl; u32 gn = gg & ~gj; u32 go = gf & ~gm; u32 gp = gn ^ go; u32 gq = b | gi; u32 gr = d & ~gm; u32 gs = gq & ~gr; u32 gt = gj ^ gs; u32 gu = a ^ gh; u32 gv = gt & ~gu; u32 gw = ge ^ gv; y0 ^= ~gt; y1 ^= ~gm; y2 ^= ~gp; y3 ^= gw; }
#define BOX_7_5(a, b, c, d, y0, y1, y2, y3) { u32 ge = b ^ c; u32 gf = a ^ d; u32 gg = a ^ b; u32 gh = ge & gg; u32 gi = gf ^ gh; u32 gj = c | gg; u32 gk = gj & ~gi; u32 gl = d ^ gk; u32 gm = c & ~ge; u32 gn = gi & ~gm; u32 go = a ^ gn; u32 gp = ge & gf; u32 gq = gk | gp; u32 gr = gm ^ gq; y0 ^= ~gi; y1 ^= ~gr; y2 ^= ~go; y3 ^= gl; }
#define BOX_7_6(a, b, c, d, y0, y1, y2, y3) { u32 ge = b & ~a; u32 gf = c & d; u32 gg = a ^ b; u32 gh = b & c; u32 gi = gf | gg; u32 gj = gh ^ gi; u32 gk = c ^ d; u32 gl = ge | gk; u32 gm = gi ^ gl; u32 gn = a ^ d; u32 go = gm & ~gl; u32 gp = gn ^ go; u32 gq = a ^ gm; u32 gr = gg & ~gn; u32 gs = gq ^ gr; y0 ^= ~gj; y1 ^= gm; y2 ^= ~gp; y3 ^= ~gs; }
#define BOX_7_7(a, b, c, d, y0, y1, y2, y3) { u32 ge = c & ~d; u32 gf = b ^ ge; u32 gg = c ^ gf; u32 gh = gg & ~a; u32 gi = d ^ gh; u32 gj = gg & gi; u32 gk = a & ~gj; u32 gl = gf & ~ge; u32 gm = gk ^ gl; u32 gn = d & ~gj; u32 go = gk | gn; u32 gp = go & ~ge; u32 gq = gm ^ gp; u32 gr = a ^ gi; u32 gs = gf | gp; u32 gt = gr ^ gs; y0 ^= ~gi; y1 ^= gm; y2 ^= gt; y3 ^= gq; }
#endif

// pi of Kuznyechik and Streebog, on eight planes, and its inverse. The result of PI is pi ^ PI_CONSTANT.
#if TERNARY
#define PI_CONSTANT 0xe8
#define PI(i0, i1, i2, i3, i4, i5, i6, i7, o0, o1, o2, o3, o4, o5, o6, o7) { \
  u32 pt0 = LUT3(i4, i7, i7, 0x3c); \
  u32 pt1 = LUT3(i2, i6, i6, 0x3c); \
  u32 pt2 = LUT3(i1, i3, i4, 0x96); \
  u32 pt3 = LUT3(pt2, i5, i5, 0x3c); \
  u32 pt4 = LUT3(pt1, pt2, pt0, 0xb9); \
  u32 pt5 = LUT3(i0, i6, i6, 0x3c); \
  u32 pt6 = LUT3(pt5, i1, i3, 0x96); \
  u32 pt7 = LUT3(pt1, pt0, pt3, 0x08); \
  u32 pt8 = LUT3(pt2, pt0, pt1, 0xa2); \
  u32 pt9 = LUT3(i5, pt0, pt8, 0xb9); \
  u32 pt10 = LUT3(i2, i5, i7, 0x96); \
  u32 pt11 = LUT3(pt5, pt10, pt10, 0xc3); \
  u32 pt12 = LUT3(pt2, i5, pt9, 0x02); \
  u32 pt13 = LUT3(pt10, i3, i1, 0x42); \
  u32 pt14 = LUT3(i3, pt5, pt10, 0x9b); \
  u32 pt15 = LUT3(pt3, pt1, pt1, 0x3c); \
  u32 pt16 = LUT3(pt5, pt13, pt12, 0x2a); \
  u32 pt17 = LUT3(i1, pt10, pt5, 0x45); \
  u32 pt18 = LUT3(i1, i3, pt10, 0x46); \
  u32 pt19 = LUT3(i1, pt5, pt12, 0xa2); \
  u32 pt20 = LUT3(i1, pt5, i3, 0x4e); \
  u32 pt21 = LUT3(pt0, pt1, pt2, 0xe7); \
  u32 pt22 = LUT3(pt7, pt8, pt8, 0xfc); \
  u32 pt23 = LUT3(pt10, i3, pt22, 0x28); \
  u32 pt24 = LUT3(pt13, pt12, pt14, 0x08); \
  u32 pt25 = LUT3(pt10, pt20, pt19, 0x8a); \
  u32 pt26 = LUT3(pt0, i5, pt21, 0x28); \
  u32 pt27 = LUT3(pt22, pt9, i3, 0x82); \
  u32 pt28 = LUT3(pt9, pt10, pt27, 0x59); \
  u32 pt29 = LUT3(pt1, pt3, pt26, 0x15); \
  u32 pt30 = LUT3(pt29, i1, i3, 0x06); \
  u32 pt31 = LUT3(pt29, pt22, pt22, 0xc3); \
  u32 pt32 = LUT3(pt29, i5, pt4, 0x59); \
  u32 pt33 = LUT3(pt32, pt29, pt29, 0xc3); \
  u32 pt34 = LUT3(pt10, i1, pt31, 0x28); \
  u32 pt35 = LUT3(pt11, pt9, pt32, 0x09); \
  u32 pt36 = LUT3(pt32, pt31, pt9, 0x69); \
  u32 pt37 = LUT3(pt32, pt5, pt5, 0xc0); \
  u32 pt38 = LUT3(pt37, pt30, pt30, 0x3c); \
  u32 pt39 = LUT3(pt5, i1, pt36, 0x28); \
  u32 pt40 = LUT3(pt38, pt28, pt28, 0x3c); \
  u32 pt41 = LUT3(pt33, pt6, pt37, 0x6a); \
  u32 pt42 = LUT3(pt38, pt34, pt35, 0x96); \
  u32 pt43 = LUT3(pt41, pt39, pt35, 0x96); \
  u32 pt44 = LUT3(pt43, pt42, pt40, 0xa8); \
  u32 pt45 = LUT3(pt40, pt42, pt42, 0xc3); \
  u32 pt46 = LUT3(pt41, pt27, pt23, 0x69); \
  u32 pt47 = LUT3(pt42, pt46, pt40, 0x45); \
  u32 pt48 = LUT3(pt43, pt46, pt46, 0x0c); \
  u32 pt49 = LUT3(pt46, pt43, pt43, 0x0c); \
  u32 pt50 = LUT3(pt46, pt45, pt49, 0x15); \
  u32 pt51 = LUT3(pt45, pt46, pt43, 0x71); \
  u32 pt52 = LUT3(pt25, pt48, pt45, 0x06); \
  u32 pt53 = LUT3(pt46, pt42, pt43, 0x86); \
  u32 pt54 = LUT3(pt42, pt46, pt43, 0x57); \
  u32 pt55 = LUT3(pt54, pt47, pt47, 0xc3); \
  u32 pt56 = LUT3(pt40, pt46, pt52, 0x58); \
  u32 pt57 = LUT3(pt40, pt48, pt24, 0x51); \
  u32 pt58 = LUT3(pt17, pt16, pt50, 0xa2); \
  u32 pt59 = LUT3(pt18, pt16, pt51, 0x51); \
  u32 pt60 = LUT3(pt53, pt57, pt59, 0x59); \
  u32 pt61 = LUT3(pt40, pt46, pt54, 0xa8); \
  u32 pt62 = LUT3(pt43, pt46, pt56, 0x54); \
  u32 pt63 = LUT3(pt57, pt49, pt44, 0x67); \
  u32 pt64 = LUT3(pt63, pt55, pt55, 0xc3); \
  u32 py5 = LUT3(pt60, pt58, pt58, 0x3c); \
  u32 pt65 = LUT3(pt42, pt40, pt61, 0x45); \
  u32 pt66 = LUT3(pt62, pt0, pt1, 0x06); \
  u32 pt67 = LUT3(pt62, pt63, pt1, 0x82); \
  u32 pt68 = LUT3(pt62, pt65, pt65, 0xc3); \
  u32 pt69 = LUT3(pt0, i5, pt64, 0x28); \
  u32 pt70 = LUT3(pt65, pt55, pt15, 0x82); \
  u32 pt71 = LUT3(pt68, pt64, pt3, 0x28); \
  u32 pt72 = LUT3(pt1, pt2, pt65, 0x28); \
  u32 pt73 = LUT3(pt0, pt2, pt68, 0x28); \
  u32 pt74 = LUT3(pt72, pt70, pt70, 0x3c); \
  u32 pt75 = LUT3(pt73, pt71, pt74, 0x96); \
  u32 pt76 = LUT3(pt55, i5, pt72, 0xa6); \
  u32 pt77 = LUT3(pt76, pt73, pt69, 0x69); \
  u32 pt78 = LUT3(pt63, pt0, pt74, 0x95); \
  u32 pt79 = LUT3(pt76, pt66, pt67, 0x69); \
  u32 pt80 = LUT3(pt78, pt67, pt67, 0x3c); \
  u32 pt81 = LUT3(pt79, pt80, pt77, 0x6e); \
  u32 pt82 = LUT3(pt77, pt79, pt75, 0x15); \
  u32 pt83 = LUT3(pt79, pt77, pt77, 0x03); \
  u32 py3 = LUT3(pt81, pt75, pt83, 0xea); \
  u32 py6 = LUT3(pt83, pt80, pt82, 0xa9); \
  u32 pt84 = LUT3(pt75, pt80, pt83, 0x54); \
  u32 pt85 = LUT3(pt77, pt80, pt84, 0x54); \
  u32 py2 = LUT3(py6, pt59, pt59, 0xc3); \
  u32 py0 = LUT3(pt79, pt75, pt84, 0x57); \
  u32 py7 = LUT3(pt79, pt75, pt85, 0xea); \
  u32 py4 = LUT3(py7, pt52, pt52, 0xc3); \
  u32 py1 = LUT3(py7, py3, pt58, 0x69); \
  o0 = py0; o1 = py1; o2 = py2; o3 = py3; o4 = py4; o5 = py5; o6 = py6; o7 = py7; }
#else
#define PI_CONSTANT 0
#define PI(i0, i1, i2, i3, i4, i5, i6, i7, o0, o1, o2, o3, o4, o5, o6, o7) { \
  u32 pt0 = i7 ^ i4; \
  u32 pt1 = pt0 ^ i5; \
  u32 pt2 = i6 ^ i0; \
  u32 pt3 = i5 & ~pt0; \
  u32 pt4 = i3 ^ i1; \
  u32 pt5 = i4 ^ i2; \
  u32 pt6 = pt5 ^ ~i6; \
  u32 pt7 = ~pt4 ^ i7; \
  u32 pt8 = pt7 & ~pt3; \
  u32 pt9 = pt6 ^ pt4; \
  u32 pt10 = pt6 ^ i7; \
  u32 pt11 = pt9 | ~pt10; \
  u32 pt12 = pt1 & ~pt11; \
  u32 pt13 = pt12 | pt8; \
  u32 pt14 = pt2 & ~pt13; \
  u32 pt15 = pt10 ^ pt0; \
  u32 pt16 = pt9 ^ ~i5; \
  u32 pt17 = pt16 | pt15; \
  u32 pt18 = pt10 & pt3; \
  u32 pt19 = pt0 & ~i5; \
  u32 pt20 = pt19 & ~pt9; \
  u32 pt21 = pt20 | pt18; \
  u32 pt22 = pt17 & ~pt21; \
  u32 pt23 = pt4 & ~pt22; \
  u32 pt24 = pt23 ^ pt14; \
  u32 pt25 = pt10 & pt9; \
  u32 pt26 = pt10 & ~pt0; \
  u32 pt27 = pt26 | pt3; \
  u32 pt28 = ~pt25 & ~pt27; \
  u32 pt29 = ~pt0 & ~pt10; \
  u32 pt30 = pt10 & pt0; \
  u32 pt31 = pt9 & pt30; \
  u32 pt32 = pt31 | pt29; \
  u32 pt33 = pt16 & ~pt10; \
  u32 pt34 = pt33 | pt32; \
  u32 pt35 = ~pt34 ^ pt28; \
  u32 pt36 = i3 & ~pt35; \
  u32 pt37 = i7 ^ i5; \
  u32 pt38 = ~pt37 ^ i2; \
  u32 pt39 = ~pt38 & pt28; \
  u32 pt40 = ~pt39 ^ pt36; \
  u32 pt41 = pt40 ^ pt24; \
  u32 pt42 = ~pt4 ^ pt2; \
  u32 pt43 = pt22 ^ pt13; \
  u32 pt44 = ~pt42 & pt43; \
  u32 pt45 = pt44 ^ pt14; \
  u32 pt46 = pt38 ^ pt2; \
  u32 pt47 = pt28 ^ pt13; \
  u32 pt48 = ~pt46 & ~pt47; \
  u32 pt49 = pt38 ^ i3; \
  u32 pt50 = pt49 ^ pt4; \
  u32 pt51 = pt50 ^ pt46; \
  u32 pt52 = ~pt34 ^ pt22; \
  u32 pt53 = pt47 ^ pt52; \
  u32 pt54 = pt51 & ~pt53; \
  u32 pt55 = pt54 ^ pt48; \
  u32 pt56 = pt55 ^ pt45; \
  u32 pt57 = ~pt49 & pt34; \
  u32 pt58 = pt57 ^ pt36; \
  u32 pt59 = pt58 ^ pt45; \
  u32 pt60 = ~pt59 & pt56; \
  u32 pt61 = ~pt60 | pt41; \
  u32 pt62 = ~pt59 | pt56; \
  u32 pt63 = pt62 & ~pt41; \
  u32 pt64 = ~pt63 & ~pt60; \
  u32 pt65 = ~pt64 & pt61; \
  u32 pt66 = pt41 & ~pt56; \
  u32 pt67 = pt61 & ~pt66; \
  u32 pt68 = pt52 & ~pt50; \
  u32 pt69 = pt48 ^ pt24; \
  u32 pt70 = ~pt69 ^ pt68; \
  u32 pt71 = pt41 | ~pt70; \
  u32 pt72 = pt70 & pt59; \
  u32 pt73 = pt62 & ~pt72; \
  u32 pt74 = pt71 & ~pt73; \
  u32 pt75 = pt67 & ~pt74; \
  u32 pt76 = pt66 & ~pt70; \
  u32 pt77 = pt76 | pt75; \
  u32 pt78 = ~pt65 & pt77; \
  u32 pt79 = pt1 & ~pt78; \
  u32 pt80 = pt70 ^ pt41; \
  u32 pt81 = pt70 & ~pt59; \
  u32 pt82 = ~pt80 & ~pt81; \
  u32 pt83 = pt72 | pt56; \
  u32 pt84 = ~pt83 | pt82; \
  u32 pt85 = ~pt84 & ~pt9; \
  u32 pt86 = i5 & ~pt75; \
  u32 pt87 = pt86 ^ pt85; \
  u32 pt88 = pt41 | ~pt59; \
  u32 pt89 = pt70 ^ pt56; \
  u32 pt90 = pt88 & ~pt89; \
  u32 pt91 = pt62 & ~pt90; \
  u32 pt92 = pt91 ^ pt84; \
  u32 pt93 = ~pt92 | pt7; \
  u32 pt94 = ~pt93 ^ pt87; \
  u32 pt95 = pt94 ^ pt79; \
  u32 pt96 = ~pt65 & ~pt76; \
  u32 pt97 = pt91 ^ pt96; \
  u32 pt98 = ~pt15 & pt97; \
  u32 pt99 = pt91 | pt10; \
  u32 pt100 = pt99 ^ pt98; \
  u32 pt101 = pt100 ^ pt87; \
  u32 pt102 = pt95 & ~pt101; \
  u32 pt103 = ~pt84 ^ pt75; \
  u32 pt104 = pt16 & ~pt103; \
  u32 pt105 = pt104 ^ pt85; \
  u32 pt106 = pt7 ^ pt1; \
  u32 pt107 = ~pt92 ^ pt78; \
  u32 pt108 = ~pt106 & pt107; \
  u32 pt109 = pt108 ^ pt93; \
  u32 pt110 = pt109 ^ ~pt105; \
  u32 pt111 = pt0 & ~pt96; \
  u32 pt112 = pt111 ^ pt105; \
  u32 pt113 = ~pt112 ^ ~pt98; \
  u32 pt114 = pt101 & ~pt113; \
  u32 pt115 = pt114 | pt110; \
  u32 pt116 = ~pt115 | pt102; \
  u32 pt117 = pt113 & pt95; \
  u32 pt118 = pt110 & ~pt117; \
  u32 pt119 = pt118 | pt102; \
  u32 pt120 = pt114 & ~pt95; \
  u32 pt121 = pt119 & ~pt120; \
  u32 pt122 = pt110 & pt101; \
  u32 pt123 = pt113 & ~pt110; \
  u32 pt124 = pt123 | pt102; \
  u32 pt125 = pt124 & ~pt117; \
  u32 pt126 = pt125 | pt122; \
  u32 pt127 = pt9 & ~i5; \
  u32 pt128 = pt127 & pt26; \
  u32 pt129 = pt49 & pt4; \
  u32 pt130 = pt129 & pt2; \
  u32 pt131 = pt130 | ~pt128; \
  u32 pt132 = pt38 & i1; \
  u32 pt133 = ~pt2 & ~pt132; \
  u32 pt134 = pt133 | pt131; \
  u32 pt135 = ~pt80 & ~pt59; \
  u32 pt136 = pt62 & ~pt135; \
  u32 pt137 = pt136 | ~pt134; \
  u32 pt138 = pt137 ^ pt126; \
  u32 pt139 = pt138 ^ pt121; \
  u32 pt140 = pt113 & ~pt102; \
  u32 pt141 = pt101 & ~pt95; \
  u32 pt142 = ~pt141 & ~pt110; \
  u32 pt143 = pt142 ^ pt140; \
  u32 pt144 = i3 | ~i1; \
  u32 pt145 = pt144 & ~pt49; \
  u32 pt146 = pt145 | pt131; \
  u32 pt147 = pt62 & ~pt80; \
  u32 pt148 = ~pt60 & ~pt147; \
  u32 pt149 = pt146 & ~pt148; \
  u32 pt150 = pt149 ^ pt143; \
  u32 pt151 = ~pt4 & ~pt38; \
  u32 pt152 = pt38 | i3; \
  u32 pt153 = pt152 | ~pt2; \
  u32 pt154 = ~i1 & ~pt2; \
  u32 pt155 = pt132 | pt154; \
  u32 pt156 = pt153 & ~pt155; \
  u32 pt157 = pt156 | pt151; \
  u32 pt158 = pt157 | ~pt128; \
  u32 pt159 = ~pt59 & ~pt56; \
  u32 pt160 = ~pt80 ^ pt159; \
  u32 pt161 = pt160 | ~pt158; \
  u32 pt162 = pt161 ^ pt126; \
  u32 pt163 = pt129 | ~pt46; \
  u32 pt164 = ~pt2 & ~pt152; \
  u32 pt165 = pt163 & ~pt164; \
  u32 pt166 = pt165 | ~pt128; \
  u32 pt167 = pt59 & ~pt89; \
  u32 pt168 = pt70 & pt56; \
  u32 pt169 = pt66 | pt59; \
  u32 pt170 = ~pt168 & ~pt169; \
  u32 pt171 = pt170 | pt167; \
  u32 pt172 = pt166 & ~pt171; \
  u32 pt173 = pt149 ^ pt137; \
  u32 pt174 = pt173 ^ pt172; \
  o0 = pt116; o1 = pt139; o2 = ~pt150; o3 = ~pt121; o4 = pt162; o5 = ~pt174; o6 = ~pt143; o7 = ~pt126; }
#endif
#define PI_INVERSE(i0, i1, i2, i3, i4, i5, i6, i7, o0, o1, o2, o3, o4, o5, o6, o7) { \
  u32 pt0 = ~i7 ^ ~i6; \
  u32 pt1 = ~i4 ^ ~i2; \
  u32 pt2 = ~pt1 ^ ~pt0; \
  u32 pt3 = ~i3 ^ ~i2; \
  u32 pt4 = ~pt3 ^ i1; \
  u32 pt5 = pt4 ^ ~pt0; \
  u32 pt6 = ~i6 ^ ~i4; \
  u32 pt7 = ~pt6 ^ pt4; \
  u32 pt8 = pt7 ^ ~i5; \
  u32 pt9 = pt8 & pt5; \
  u32 pt10 = ~pt9 | ~pt2; \
  u32 pt11 = ~i5 & pt2; \
  u32 pt12 = pt11 | pt5; \
  u32 pt13 = ~i7 | ~i6; \
  u32 pt14 = ~i3 | i0; \
  u32 pt15 = ~pt14 & ~pt13; \
  u32 pt16 = ~pt15 | ~pt12; \
  u32 pt17 = pt10 & ~pt16; \
  u32 pt18 = pt7 & ~pt5; \
  u32 pt19 = pt18 ^ ~pt2; \
  u32 pt20 = pt8 & ~pt2; \
  u32 pt21 = ~pt12 & ~pt20; \
  u32 pt22 = ~pt9 & ~pt21; \
  u32 pt23 = pt22 ^ pt19; \
  u32 pt24 = pt11 & pt5; \
  u32 pt25 = pt7 & i5; \
  u32 pt26 = pt25 | pt24; \
  u32 pt27 = pt7 & pt2; \
  u32 pt28 = pt26 & ~pt27; \
  u32 pt29 = pt28 | ~pt12; \
  u32 pt30 = ~i6 & ~i0; \
  u32 pt31 = pt30 | ~i7; \
  u32 pt32 = ~i6 & i0; \
  u32 pt33 = ~i3 & ~pt32; \
  u32 pt34 = pt33 ^ pt31; \
  u32 pt35 = pt34 & ~pt29; \
  u32 pt36 = ~i3 & i0; \
  u32 pt37 = ~i7 & ~pt36; \
  u32 pt38 = pt37 ^ pt32; \
  u32 pt39 = pt18 & ~pt2; \
  u32 pt40 = pt5 & ~pt2; \
  u32 pt41 = pt40 & ~pt7; \
  u32 pt42 = pt41 | pt39; \
  u32 pt43 = pt42 | pt26; \
  u32 pt44 = pt38 & ~pt43; \
  u32 pt45 = pt44 ^ ~pt35; \
  u32 pt46 = ~i7 & i6; \
  u32 pt47 = ~i0 & ~pt46; \
  u32 pt48 = i3 & pt13; \
  u32 pt49 = pt48 ^ pt47; \
  u32 pt50 = pt49 ^ pt38; \
  u32 pt51 = pt5 & i5; \
  u32 pt52 = pt51 | pt27; \
  u32 pt53 = ~pt52 ^ pt43; \
  u32 pt54 = ~pt50 & ~pt53; \
  u32 pt55 = ~i7 & ~i0; \
  u32 pt56 = pt55 & i3; \
  u32 pt57 = pt31 & ~pt56; \
  u32 pt58 = pt7 | pt5; \
  u32 pt59 = pt2 & ~pt5; \
  u32 pt60 = pt8 | pt59; \
  u32 pt61 = ~pt60 | ~pt58; \
  u32 pt62 = ~pt61 ^ ~pt29; \
  u32 pt63 = pt62 & pt57; \
  u32 pt64 = ~pt63 ^ pt54; \
  u32 pt65 = pt64 ^ ~pt45; \
  u32 pt66 = ~pt57 ^ pt50; \
  u32 pt67 = pt62 ^ pt53; \
  u32 pt68 = pt66 & ~pt67; \
  u32 pt69 = pt68 ^ ~pt63; \
  u32 pt70 = pt34 ^ pt38; \
  u32 pt71 = ~pt29 ^ pt43; \
  u32 pt72 = pt70 & ~pt71; \
  u32 pt73 = pt72 ^ ~pt35; \
  u32 pt74 = pt73 ^ pt69; \
  u32 pt75 = pt74 ^ pt65; \
  u32 pt76 = pt23 & ~pt75; \
  u32 pt77 = pt22 | pt65; \
  u32 pt78 = ~pt77 ^ pt76; \
  u32 pt79 = pt5 & ~pt7; \
  u32 pt80 = pt27 | pt79; \
  u32 pt81 = pt33 | pt55; \
  u32 pt82 = pt81 ^ pt49; \
  u32 pt83 = pt61 ^ ~pt52; \
  u32 pt84 = pt83 | pt82; \
  u32 pt85 = pt81 & ~pt61; \
  u32 pt86 = ~pt85 ^ pt84; \
  u32 pt87 = pt86 ^ ~pt45; \
  u32 pt88 = ~pt87 | ~pt80; \
  u32 pt89 = pt40 & ~pt8; \
  u32 pt90 = i5 & ~pt5; \
  u32 pt91 = pt90 | pt24; \
  u32 pt92 = pt91 | pt89; \
  u32 pt93 = ~pt52 & ~pt49; \
  u32 pt94 = pt93 ^ pt85; \
  u32 pt95 = pt94 ^ pt86; \
  u32 pt96 = pt95 ^ pt73; \
  u32 pt97 = ~pt96 & pt92; \
  u32 pt98 = pt97 ^ pt88; \
  u32 pt99 = ~pt98 ^ pt78; \
  u32 pt100 = pt99 | pt17; \
  u32 pt101 = ~pt96 ^ pt65; \
  u32 pt102 = ~pt101 ^ pt100; \
  u32 pt103 = pt40 & pt7; \
  u32 pt104 = pt103 | pt59; \
  u32 pt105 = pt10 & ~pt104; \
  u32 pt106 = pt105 | ~pt15; \
  u32 pt107 = ~pt92 ^ ~pt80; \
  u32 pt108 = ~pt96 ^ ~pt87; \
  u32 pt109 = pt107 & ~pt108; \
  u32 pt110 = pt109 ^ pt88; \
  u32 pt111 = pt74 & ~pt19; \
  u32 pt112 = pt111 ^ pt77; \
  u32 pt113 = pt112 ^ pt78; \
  u32 pt114 = pt113 ^ pt110; \
  u32 pt115 = pt114 | ~pt106; \
  u32 pt116 = pt115 ^ ~pt87; \
  u32 pt117 = ~pt2 & ~pt5; \
  u32 pt118 = pt117 & ~pt7; \
  u32 pt119 = pt51 | pt11; \
  u32 pt120 = pt119 | pt118; \
  u32 pt121 = pt11 & ~pt18; \
  u32 pt122 = pt121 & ~pt79; \
  u32 pt123 = pt120 & ~pt122; \
  u32 pt124 = pt123 | ~pt15; \
  u32 pt125 = pt79 | pt117; \
  u32 pt126 = ~pt96 ^ pt74; \
  u32 pt127 = ~pt87 ^ pt65; \
  u32 pt128 = ~pt127 ^ pt126; \
  u32 pt129 = pt128 | pt125; \
  u32 pt130 = pt80 ^ pt22; \
  u32 pt131 = pt130 | ~pt127; \
  u32 pt132 = ~pt131 ^ pt110; \
  u32 pt133 = pt132 ^ pt129; \
  u32 pt134 = pt133 | ~pt124; \
  u32 pt135 = pt134 ^ pt115; \
  u32 pt136 = pt135 ^ ~pt65; \
  u32 pt137 = ~i5 & ~pt40; \
  u32 pt138 = pt5 ^ pt2; \
  u32 pt139 = pt7 | ~i5; \
  u32 pt140 = pt139 | ~pt138; \
  u32 pt141 = pt140 & ~pt137; \
  u32 pt142 = pt141 | ~pt15; \
  u32 pt143 = ~pt92 ^ pt19; \
  u32 pt144 = pt143 & pt126; \
  u32 pt145 = ~pt131 ^ pt98; \
  u32 pt146 = pt145 ^ ~pt144; \
  u32 pt147 = pt142 & ~pt146; \
  u32 pt148 = pt147 ^ pt75; \
  u32 pt149 = pt147 ^ pt115; \
  u32 pt150 = pt149 ^ pt96; \
  u32 pt151 = pt149 ^ ~pt126; \
  o0 = pt102; o1 = ~pt116; o2 = pt136; o3 = pt148; o4 = pt150; o5 = ~pt101; o6 = pt135; o7 = pt151; }

// The sum l of Kuznyechik (RFC 7801, section 4.2): B(k, b) is bit b of byte k in memory order.
// 101 sums of three.
#define KUZNYECHIK_SUM(y) { \
  u32 l138 = XOR3(B(1,6), B(13,6), B(3,7)) ^ B(11,7); \
  u32 l133 = XOR3(B(7,0), B(0,1), B(14,1)); \
  u32 l145 = XOR3(l133, B(7,4), B(7,6)); \
  u32 l166 = B(2,4) ^ B(12,4); \
  u32 l169 = B(0,6) ^ B(14,6); \
  u32 l131 = B(4,4) ^ B(10,4); \
  u32 l147 = XOR3(B(5,4), B(9,4), l131); \
  u32 l163 = XOR3(B(12,6), B(2,6), l147); \
  u32 l194 = XOR3(B(2,2), B(12,2), l163); \
  u32 l165 = XOR3(B(11,4), B(3,4), B(1,3)) ^ B(13,3); \
  u32 l135 = B(5,3) ^ B(9,3); \
  u32 l153 = XOR3(B(2,5), B(12,5), l135); \
  u32 l171 = XOR3(B(12,1), B(2,1), l153); \
  u32 l184 = l165 ^ l171; \
  u32 l195 = B(5,1) ^ B(9,1); \
  u32 l207 = XOR3(l194, l184, l195); \
  u32 l152 = XOR3(B(10,6), B(4,6), B(5,6)) ^ B(9,6); \
  u32 l172 = B(7,1) ^ l152; \
  u32 l188 = XOR3(B(0,2), B(14,2), l172); \
  u32 l139 = B(1,7) ^ B(13,7); \
  u32 l150 = B(5,7) ^ B(9,7); \
  u32 l178 = B(2,0) ^ B(12,0); \
  u32 l168 = B(4,1) ^ B(10,1); \
  u32 l193 = XOR3(XOR3(XOR3(B(11,5), B(3,5), l168), B(13,4), B(1,4)), B(0,7), B(14,7)); \
  u32 l210 = XOR3(XOR3(l188, l139, l150), l178, l193); \
  y[0] = XOR3(XOR3(XOR3(XOR3(XOR3(B(6,0), B(8,0), B(15,0)), l138, l145), l166, l169), l207, l210), B(4,3), B(10,3)); \
  u32 l136 = XOR3(B(7,7), B(4,3), B(10,3)); \
  u32 l151 = XOR3(l138, B(7,5), l136); \
  u32 l143 = B(4,7) ^ B(10,7); \
  u32 l164 = XOR3(l145, B(7,2), l143); \
  u32 l182 = XOR3(l164, B(0,3), B(14,3)); \
  u32 l137 = B(4,5) ^ B(10,5); \
  u32 l154 = XOR3(l137, B(5,5), B(9,5)); \
  u32 l170 = XOR3(B(12,7), B(2,7), l154); \
  u32 l187 = XOR3(B(12,3), B(2,3), l170); \
  u32 l199 = XOR3(B(5,2), B(9,2), l166); \
  u32 l196 = B(4,0) ^ B(10,0); \
  u32 l167 = B(4,2) ^ B(10,2); \
  u32 l197 = XOR3(XOR3(B(1,5), B(11,6), B(13,5)), B(3,6), l167); \
  u32 l211 = XOR3(l169, l196, l197); \
  y[1] = XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(B(6,1), B(8,1), B(15,1)), l135, l151), l152, l165), l168, l182), l187, l195), l199, l211); \
  u32 l158 = B(7,3) ^ l151; \
  u32 l198 = XOR3(B(0,4), B(14,4), l158); \
  u32 l209 = XOR3(l199, B(0,0), B(14,0)); \
  y[2] = XOR3(XOR3(XOR3(XOR3(XOR3(B(6,2), B(7,6), B(8,2)), B(15,2), l143), l147, l153), l167, l198), l209, l210); \
  u32 l185 = B(0,5) ^ B(14,5); \
  u32 l204 = XOR3(l185, l182, l139) ^ l150; \
  y[3] = XOR3(XOR3(XOR3(XOR3(B(6,3), B(8,3), B(15,3)), l136, l154), l163, l171), l197, l204); \
  y[4] = XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(B(3,0), B(6,4), B(7,0)), B(8,4), B(11,0)), B(15,4), l169), l170, l188), l194, l198), B(0,0), B(14,0)); \
  u32 l206 = XOR3(l187, B(0,7), B(14,7)); \
  y[5] = XOR3(XOR3(XOR3(XOR3(XOR3(B(1,0), B(3,1), B(6,5)), B(8,5), B(11,1)), B(13,0), B(15,5)), l131, l172), l204, l206); \
  u32 l208 = B(5,0) ^ B(9,0); \
  y[6] = XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(B(1,1), B(3,2), B(6,6)), B(8,6), B(11,2)), B(13,1), B(15,6)), l137, l139), l164, l193), l196, l198), l207, l208); \
  y[7] = XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(XOR3(B(1,2), B(3,3), B(6,7)), B(8,7), B(11,3)), B(13,2), B(15,7)), l133, l150), l158, l178), l184, l185), l206, l208), l209, l211), B(5,6), B(9,6)); }

// The map l of Streebog (RFC 6986, section 6.4): from x[8 j + v] to y[8 k + b].
// 471 sums of three, with 144 values at a time.
#define STREEBOG_L(y) { \
  u32 l137 = x[15] ^ x[45]; \
  u32 l90 = x[25] ^ x[41]; \
  u32 l82 = x[43] ^ x[24]; \
  u32 l133 = x[38] ^ x[20]; \
  u32 l92 = l82 ^ x[20]; \
  u32 l296 = x[2] ^ l92; \
  u32 l89 = x[11] ^ x[49]; \
  u32 l100 = XOR3(x[47], x[32], x[23]); \
  u32 l126 = x[32] ^ x[54]; \
  u32 l132 = x[20] ^ x[51]; \
  u32 l116 = x[41] ^ x[50]; \
  u32 l270 = x[50] ^ x[9]; \
  u32 l307 = XOR3(x[56], x[15], x[9]); \
  u32 l203 = x[59] ^ x[51]; \
  u32 l160 = x[14] ^ x[44]; \
  u32 l308 = l160 ^ x[33]; \
  u32 l271 = XOR3(l160, x[36], x[9]); \
  u32 l117 = x[46] ^ x[53]; \
  u32 l250 = x[43] ^ x[61]; \
  u32 l173 = x[29] ^ x[12]; \
  u32 l69 = x[33] ^ x[63]; \
  u32 l101 = XOR3(l69, x[56], x[9]); \
  u32 l95 = x[12] ^ x[19]; \
  u32 l64 = x[16] ^ x[46]; \
  u32 l87 = x[59] ^ x[21]; \
  u32 l119 = x[58] ^ x[1]; \
  u32 l165 = l119 ^ x[37]; \
  u32 l283 = XOR3(l165, l87, x[23]); \
  y[36] = XOR3(l165, x[20], x[59]); \
  y[36] = XOR3(y[36], x[13], x[35]); \
  u32 l242 = XOR3(l82, x[4], x[35]); \
  u32 l74 = x[2] ^ x[29]; \
  u32 l123 = XOR3(x[2], x[15], x[28]); \
  u32 l184 = x[2] ^ x[49]; \
  u32 l156 = l90 ^ l74; \
  u32 l191 = l156 ^ l101; \
  y[58] = XOR3(l156, x[34], x[58]); \
  u32 l139 = x[27] ^ x[1]; \
  u32 l290 = XOR3(x[56], x[53], x[6]); \
  u32 l205 = x[46] ^ x[24]; \
  u32 l306 = l205 ^ l101; \
  y[28] = XOR3(l205, l87, x[18]); \
  u32 l68 = x[8] ^ x[62]; \
  u32 l178 = XOR3(l123, x[37], l68); \
  u32 l198 = x[39] ^ l68; \
  u32 l249 = l198 ^ x[6]; \
  y[46] = XOR3(l198, x[46], l69); \
  y[46] = XOR3(y[46], x[51], x[1]); \
  u32 l207 = l69 ^ x[26]; \
  u32 l131 = XOR3(l90, x[7], x[54]); \
  u32 l152 = l131 ^ x[31]; \
  y[50] = XOR3(l131, l242, x[48]); \
  y[42] = XOR3(l242, l152, l95); \
  u32 l240 = XOR3(l152, x[48], l68); \
  y[38] = XOR3(l152, x[37], l68); \
  u32 l67 = x[19] ^ x[57]; \
  u32 l134 = x[13] ^ l67; \
  u32 l144 = XOR3(x[22], x[40], x[61]); \
  u32 l88 = x[10] ^ x[34]; \
  u32 l261 = l88 ^ x[21]; \
  u32 l107 = XOR3(x[55], x[40], x[61]); \
  u32 l246 = XOR3(x[21], x[15], l67); \
  u32 l179 = x[32] ^ x[53]; \
  u32 l182 = XOR3(l87, x[53], x[6]); \
  u32 l285 = l182 ^ x[37]; \
  y[49] = XOR3(l182, l307, x[33]); \
  y[17] = XOR3(l307, x[39], x[47]); \
  y[17] = XOR3(y[17], l74, l133); \
  y[17] = XOR3(y[17], l89, x[0]); \
  y[49] = XOR3(y[49], l92, l67); \
  u32 l125 = x[33] ^ l88; \
  u32 l251 = x[12] ^ x[7]; \
  u32 l194 = x[38] ^ x[23]; \
  u32 l217 = l194 ^ x[31]; \
  y[51] = XOR3(l194, l246, l271); \
  y[60] = l271 ^ x[24]; \
  y[51] = XOR3(y[51], x[43], x[40]); \
  y[3] = XOR3(l246, l173, x[60]); \
  u32 l106 = x[28] ^ x[35]; \
  u32 l102 = x[16] ^ x[26]; \
  u32 l201 = XOR3(l102, x[32], x[23]); \
  u32 l177 = XOR3(l100, x[5], l64); \
  u32 l300 = l177 ^ l184; \
  y[5] = XOR3(l177, l261, l191); \
  y[40] = XOR3(l261, l240, x[57]); \
  y[11] = XOR3(l240, l82, l308); \
  y[42] = XOR3(y[42], l285, l300); \
  y[8] = XOR3(l300, x[20], l90); \
  y[52] = XOR3(l184, x[12], l102); \
  y[19] = XOR3(l308, l173, l134); \
  y[5] = XOR3(y[5], l133, x[54]); \
  y[52] = XOR3(y[52], x[21], x[27]); \
  y[40] = XOR3(y[40], x[0], x[56]); \
  y[52] = XOR3(y[52], x[62], x[15]); \
  y[11] = XOR3(y[11], x[59], x[19]); \
  y[61] = XOR3(x[20], l137, l102); \
  u32 l112 = x[59] ^ x[0]; \
  y[30] = XOR3(x[59], l132, x[57]); \
  y[30] = XOR3(y[30], x[26], x[53]); \
  y[30] = XOR3(y[30], x[1], x[23]); \
  y[24] = XOR3(l173, x[39], l106); \
  u32 l204 = l134 ^ x[17]; \
  y[29] = XOR3(l134, l191, l112); \
  y[10] = XOR3(l191, l250, l283); \
  y[21] = XOR3(l250, l217, l270); \
  y[29] = XOR3(y[29], x[40], x[58]); \
  y[29] = XOR3(y[29], x[15], x[7]); \
  y[29] = XOR3(y[29], x[35], x[52]); \
  y[0] = XOR3(l283, x[46], l106); \
  y[20] = XOR3(l270, l100, l125); \
  u32 l268 = l106 ^ l132; \
  u32 l276 = XOR3(l132, x[14], x[32]); \
  y[43] = l285 ^ l268; \
  y[18] = XOR3(l268, l117, x[37]); \
  y[7] = l217 ^ x[46]; \
  y[21] = XOR3(y[21], x[29], l69); \
  y[44] = XOR3(x[46], x[0], x[62]); \
  y[10] = XOR3(y[10], x[19], l89); \
  y[7] = XOR3(y[7], l251, x[41]); \
  y[34] = XOR3(l251, l249, l306); \
  y[32] = XOR3(l249, l296, x[10]); \
  y[34] = XOR3(y[34], x[32], l116); \
  y[34] = XOR3(y[34], l204, x[22]); \
  y[32] = XOR3(y[32], x[26], x[27]); \
  y[34] = XOR3(y[34], x[35], x[4]); \
  y[47] = XOR3(l296, l101, x[34]); \
  y[15] = XOR3(l306, x[31], x[60]); \
  u32 l146 = l116 ^ x[3]; \
  y[20] = XOR3(y[20], x[22], x[52]); \
  u32 l254 = l100 ^ x[53]; \
  u32 l303 = l100 ^ l119; \
  l303 = XOR3(l303, x[48], l68); \
  y[45] = XOR3(l116, l254, x[37]); \
  u32 l80 = x[14] ^ x[37]; \
  u32 l105 = x[14] ^ x[7]; \
  u32 l305 = l90 ^ l105; \
  u32 l230 = XOR3(x[37], x[29], l68); \
  y[3] = XOR3(y[3], l303, l105); \
  y[28] = XOR3(y[28], l303, x[6]); \
  y[16] = XOR3(l119, l126, l133); \
  y[8] = XOR3(y[8], l139, l125); \
  u32 l214 = XOR3(l125, x[42], l80); \
  y[9] = XOR3(l125, l123, l133); \
  y[17] = XOR3(y[17], l214, x[50]); \
  y[30] = XOR3(y[30], l214, l146); \
  y[55] = XOR3(l133, x[29], l146); \
  y[9] = XOR3(y[9], l146, l290); \
  y[25] = XOR3(l290, l230, x[16]); \
  y[56] = XOR3(l146, l204, x[11]); \
  y[59] = XOR3(l204, l88, l144); \
  y[25] = XOR3(y[25], l88, x[44]); \
  u32 l158 = l88 ^ x[11]; \
  u32 l235 = XOR3(x[16], l126, l87); \
  u32 l220 = x[16] ^ x[22]; \
  y[38] = XOR3(y[38], l220, x[15]); \
  y[50] = XOR3(y[50], l158, l67); \
  u32 l147 = x[22] ^ l80; \
  u32 l72 = x[22] ^ x[36]; \
  y[10] = XOR3(y[10], x[51], l72); \
  u32 l195 = l105 ^ x[3]; \
  u32 l253 = l123 ^ l195; \
  y[12] = XOR3(l105, l207, x[10]); \
  y[6] = XOR3(l207, l158, x[45]); \
  u32 l277 = l158 ^ x[35]; \
  y[12] = XOR3(y[12], x[52], x[60]); \
  u32 l143 = x[10] ^ x[30]; \
  u32 l109 = x[10] ^ x[8]; \
  y[52] = XOR3(y[52], l143, x[51]); \
  u32 l302 = l143 ^ l87; \
  y[37] = XOR3(l82, l195, l302); \
  y[57] = XOR3(l143, l276, x[21]); \
  y[48] = XOR3(l276, x[19], x[21]); \
  u32 l289 = XOR3(l144, l87, x[23]); \
  y[4] = XOR3(l144, l117, x[42]); \
  u32 l157 = l117 ^ l89; \
  y[62] = XOR3(l87, l139, x[24]); \
  u32 l164 = l139 ^ x[42]; \
  y[11] = XOR3(y[11], l157, l164); \
  u32 l171 = l157 ^ x[41]; \
  y[19] = XOR3(y[19], l171, l289); \
  y[58] = XOR3(y[58], l289, x[4]); \
  u32 l284 = l171 ^ l95; \
  y[63] = XOR3(l220, l164, l107); \
  y[4] = XOR3(y[4], l95, x[1]); \
  y[33] = XOR3(l164, l305, x[6]); \
  y[35] = XOR3(l305, l112, l68); \
  u32 l272 = XOR3(l112, x[7], l80); \
  u32 l219 = l112 ^ x[57]; \
  y[61] = XOR3(y[61], l272, x[13]); \
  y[24] = XOR3(y[24], l219, x[52]); \
  y[27] = l219 ^ l69; \
  y[27] = XOR3(y[27], x[54], x[45]); \
  u32 l163 = XOR3(l69, x[17], x[9]); \
  u32 l221 = XOR3(l69, x[56], x[17]); \
  y[32] = XOR3(y[32], l221, x[41]); \
  y[57] = XOR3(y[57], l221, x[48]); \
  y[4] = XOR3(y[4], l163, x[45]); \
  y[24] = XOR3(y[24], l163, x[53]); \
  y[62] = XOR3(y[62], x[41], x[17]); \
  y[48] = XOR3(y[48], x[41], x[49]); \
  y[12] = XOR3(y[12], x[51], l67); \
  y[14] = XOR3(l302, l68, x[50]); \
  y[59] = XOR3(y[59], l203, x[1]); \
  u32 l200 = l137 ^ x[5]; \
  y[58] = XOR3(y[58], l163, l200); \
  y[55] = XOR3(y[55], l200, x[18]); \
  y[13] = XOR3(l137, l92, x[9]); \
  u32 l130 = XOR3(l92, x[35], x[4]); \
  y[7] = XOR3(y[7], l200, l130); \
  u32 l266 = l92 ^ l74; \
  y[3] = XOR3(y[3], l130, l64); \
  y[59] = XOR3(y[59], l130, l64); \
  u32 l312 = l130 ^ l178; \
  l312 = XOR3(l312, x[32], x[23]); \
  y[31] = XOR3(l178, l235, x[43]); \
  u32 l211 = x[48] ^ l72; \
  u32 l113 = x[49] ^ x[39]; \
  y[44] = XOR3(y[44], l107, x[23]); \
  u32 l267 = l107 ^ x[3]; \
  u32 l169 = l107 ^ x[17]; \
  y[8] = XOR3(y[8], l267, l80); \
  y[47] = XOR3(y[47], l267, x[47]); \
  y[61] = XOR3(y[61], l169, l72); \
  u32 l273 = x[3] ^ x[0]; \
  u32 l84 = x[3] ^ x[44]; \
  y[58] = XOR3(y[58], l273, l113); \
  y[18] = XOR3(y[18], l273, x[55]); \
  u32 l153 = x[0] ^ x[44]; \
  u32 l91 = x[0] ^ x[18]; \
  y[50] = XOR3(y[50], l147, l153); \
  y[28] = XOR3(y[28], l147, l113); \
  y[0] = XOR3(y[0], l153, x[25]); \
  y[25] = XOR3(y[25], x[58], l91); \
  u32 l120 = x[11] ^ l91; \
  y[7] = XOR3(y[7], l211, l120); \
  y[41] = XOR3(l211, x[57], l101); \
  u32 l148 = x[57] ^ x[34]; \
  y[43] = XOR3(y[43], l101, l148); \
  y[41] = XOR3(y[41], l102, l89); \
  y[41] = XOR3(y[41], x[54], x[18]); \
  u32 l138 = x[43] ^ l84; \
  u32 l309 = x[43] ^ x[17]; \
  u32 l65 = x[17] ^ x[47]; \
  l277 = XOR3(l277, x[51], l65); \
  l309 = XOR3(l309, x[50], l72); \
  y[52] = XOR3(y[52], l153, l65); \
  y[21] = XOR3(y[21], l277, x[8]); \
  y[22] = XOR3(l277, l68, x[26]); \
  u32 l188 = XOR3(l68, x[48], x[50]); \
  y[44] = XOR3(y[44], l113, l138); \
  u32 l174 = l113 ^ l95; \
  y[10] = XOR3(y[10], l109, l65); \
  y[42] = XOR3(y[42], l188, l84); \
  y[12] = XOR3(y[12], l188, l138); \
  y[5] = XOR3(y[5], l138, x[18]); \
  y[24] = XOR3(y[24], l138, l72); \
  y[26] = XOR3(l138, l284, l74); \
  y[26] = XOR3(y[26], l80, l72); \
  y[35] = XOR3(y[35], l148, x[51]); \
  u32 l190 = XOR3(l80, x[15], x[28]); \
  u32 l265 = x[33] ^ l190; \
  y[16] = XOR3(y[16], l284, l265); \
  y[62] = XOR3(y[62], l190, x[23]); \
  y[54] = l265 ^ x[50]; \
  u32 l209 = XOR3(x[50], l72, l65); \
  y[27] = XOR3(y[27], l209, l312); \
  y[49] = XOR3(y[49], l209, l109); \
  u32 l199 = x[26] ^ l120; \
  u32 l115 = XOR3(x[51], x[4], l65); \
  u32 l234 = XOR3(l109, x[36], x[9]); \
  u32 l215 = l109 ^ x[25]; \
  y[63] = XOR3(y[63], l215, l174); \
  u32 l118 = x[25] ^ x[12]; \
  u32 l168 = l106 ^ l118; \
  y[39] = x[25] ^ l95; \
  y[2] = XOR3(l95, l203, l253); \
  y[53] = XOR3(l253, l309, x[27]); \
  y[39] = XOR3(y[39], l169, l201); \
  y[53] = XOR3(y[53], x[38], x[18]); \
  y[28] = XOR3(y[28], l148, l168); \
  y[60] = XOR3(y[60], l168, x[5]); \
  y[53] = XOR3(y[53], x[5], l64); \
  y[2] = XOR3(y[2], x[35], x[24]); \
  y[51] = XOR3(y[51], l118, x[61]); \
  y[57] = XOR3(y[57], l118, l67); \
  u32 l108 = XOR3(l74, x[53], x[6]); \
  u32 l264 = XOR3(l126, x[19], l108); \
  u32 l218 = XOR3(l74, x[15], x[28]); \
  y[15] = XOR3(y[15], l72, l264); \
  y[46] = XOR3(y[46], l264, x[45]); \
  y[63] = XOR3(y[63], l218, x[18]); \
  y[36] = XOR3(y[36], l218, x[6]); \
  u32 l295 = x[18] ^ l84; \
  u32 l151 = XOR3(x[18], x[56], x[9]); \
  y[54] = XOR3(y[54], l174, l295); \
  y[56] = XOR3(y[56], l266, l151); \
  u32 l311 = x[12] ^ l151; \
  u32 l278 = XOR3(x[15], l91, x[28]); \
  y[45] = XOR3(y[45], l203, l278); \
  y[19] = XOR3(y[19], l278, x[47]); \
  u32 l155 = x[47] ^ x[6]; \
  y[0] = XOR3(y[0], l174, l155); \
  y[1] = XOR3(l266, l272, l155); \
  y[2] = XOR3(y[2], l155, x[30]); \
  u32 l212 = XOR3(l91, x[5], l64); \
  y[14] = XOR3(y[14], l168, l212); \
  u32 l145 = l84 ^ l65; \
  u32 l243 = l84 ^ x[61]; \
  y[38] = XOR3(y[38], l120, l243); \
  y[23] = XOR3(l120, x[27], x[35]); \
  u32 l93 = x[27] ^ x[58]; \
  y[7] = XOR3(y[7], l148, l93); \
  u32 l97 = XOR3(x[35], x[55], x[4]); \
  u32 l136 = x[29] ^ l93; \
  y[23] = XOR3(y[23], l179, l234); \
  u32 l248 = l179 ^ l145; \
  u32 l238 = XOR3(l145, x[21], l67); \
  y[33] = XOR3(y[33], l91, l238); \
  y[40] = XOR3(y[40], l248, l97); \
  u32 l167 = XOR3(x[21], x[58], l67); \
  y[18] = XOR3(y[18], l309, l167); \
  u32 l292 = XOR3(l167, l102, x[13]); \
  y[60] = XOR3(y[60], l155, l292); \
  y[9] = XOR3(y[9], l292, l65); \
  u32 l252 = XOR3(x[58], x[8], l97); \
  y[48] = XOR3(y[48], l151, l252); \
  y[23] = XOR3(y[23], l67, x[45]); \
  u32 l86 = x[13] ^ x[48]; \
  y[16] = XOR3(y[16], l234, l86); \
  u32 l172 = x[13] ^ x[36]; \
  u32 l279 = XOR3(x[48], x[7], x[54]); \
  y[62] = XOR3(y[62], l199, l279); \
  y[22] = XOR3(y[22], l311, l172); \
  u32 l166 = x[8] ^ x[34]; \
  u32 l275 = XOR3(x[34], l93, x[61]); \
  y[13] = XOR3(y[13], l153, l275); \
  u32 l170 = XOR3(x[8], x[1], x[45]); \
  u32 l293 = XOR3(l199, l170, l115); \
  y[26] = XOR3(y[26], l170, x[28]); \
  y[55] = XOR3(y[55], l166, l115); \
  u32 l241 = XOR3(l166, x[56], x[9]); \
  u32 l231 = XOR3(l115, l64, l108); \
  u32 l310 = x[4] ^ x[24]; \
  y[57] = XOR3(y[57], l295, l310); \
  u32 l192 = x[4] ^ x[63]; \
  u32 l297 = XOR3(l65, x[31], x[63]); \
  y[37] = XOR3(y[37], l108, l297); \
  u32 l228 = x[38] ^ l192; \
  u32 l85 = x[38] ^ x[60]; \
  u32 l128 = XOR3(x[50], l72, l85); \
  y[44] = XOR3(y[44], l115, l128); \
  u32 l154 = x[26] ^ l128; \
  y[11] = XOR3(y[11], l169, l154); \
  u32 l288 = x[49] ^ l154; \
  y[29] = XOR3(y[29], l254, l288); \
  y[39] = XOR3(y[39], l228, x[9]); \
  u32 l255 = x[55] ^ l85; \
  u32 l227 = XOR3(x[53], l136, x[6]); \
  y[61] = XOR3(y[61], l215, l227); \
  u32 l229 = x[9] ^ x[62]; \
  u32 l210 = XOR3(x[9], x[36], x[40]); \
  y[35] = XOR3(y[35], l65, l210); \
  y[42] = XOR3(y[42], l210, l93); \
  u32 l291 = XOR3(l93, x[36], x[61]); \
  u32 l216 = XOR3(x[36], x[61], x[40]); \
  y[25] = XOR3(y[25], l192, l216); \
  y[37] = XOR3(y[37], l216, l85); \
  u32 l175 = x[61] ^ x[62]; \
  u32 l124 = x[62] ^ x[31]; \
  y[43] = XOR3(y[43], l288, l124); \
  y[5] = XOR3(y[5], l172, l124); \
  u32 l70 = x[31] ^ x[52]; \
  y[58] = XOR3(y[58], l188, l70); \
  u32 l260 = XOR3(l80, x[63], l70); \
  y[44] = XOR3(y[44], l227, l260); \
  u32 l202 = x[51] ^ l70; \
  y[31] = XOR3(y[31], l275, l202); \
  y[19] = XOR3(y[19], l97, l202); \
  u32 l135 = l97 ^ x[42]; \
  u32 l226 = XOR3(l147, x[6], l135); \
  y[6] = XOR3(y[6], l238, l226); \
  u32 l244 = x[11] ^ l135; \
  y[9] = XOR3(y[9], l244, l124); \
  y[2] = XOR3(y[2], l291, l86); \
  u32 l141 = x[40] ^ x[56]; \
  y[28] = XOR3(y[28], l202, l141); \
  u32 l193 = x[56] ^ l85; \
  y[31] = XOR3(y[31], l244, l193); \
  y[63] = XOR3(y[63], l297, l193); \
  u32 l114 = x[40] ^ l86; \
  y[32] = XOR3(y[32], l212, l114); \
  u32 l282 = XOR3(l85, l64, x[30]); \
  y[20] = XOR3(y[20], l230, l282); \
  y[62] = XOR3(y[62], l282, l229); \
  u32 l180 = x[55] ^ l114; \
  y[15] = XOR3(y[15], l180, l293); \
  u32 l236 = x[12] ^ l180; \
  y[17] = XOR3(y[17], l235, l236); \
  y[23] = XOR3(y[23], l236, l260); \
  u32 l73 = x[5] ^ x[42]; \
  y[2] = XOR3(y[2], l193, l73); \
  y[0] = XOR3(y[0], l172, l73); \
  y[59] = XOR3(y[59], l108, l73); \
  u32 l299 = x[42] ^ l136; \
  y[57] = XOR3(y[57], l124, l299); \
  u32 l247 = x[5] ^ l175; \
  y[45] = XOR3(y[45], l228, l247); \
  y[24] = XOR3(y[24], l247, l255); \
  u32 l304 = XOR3(x[24], l73, x[45]); \
  y[43] = XOR3(y[43], l114, l304); \
  u32 l287 = XOR3(l89, x[63], l70); \
  y[13] = XOR3(y[13], l231, l287); \
  u32 l196 = l89 ^ x[28]; \
  y[20] = XOR3(y[20], l304, l196); \
  u32 l281 = x[63] ^ l196; \
  y[33] = XOR3(y[33], l241, l281); \
  u32 l103 = l70 ^ l73; \
  y[49] = XOR3(y[49], l279, l103); \
  y[46] = XOR3(y[46], l255, l103); \
  y[3] = XOR3(y[3], l243, l103); \
  u32 l294 = XOR3(l70, x[7], x[54]); \
  u32 l121 = XOR3(x[7], x[52], x[54]); \
  u32 l263 = XOR3(l67, x[30], l121); \
  y[55] = XOR3(y[55], l114, l263); \
  y[8] = XOR3(y[8], l263, l311); \
  u32 l66 = x[30] ^ x[39]; \
  y[4] = XOR3(y[4], l312, l66); \
  y[6] = XOR3(y[6], l141, l66); \
  u32 l223 = XOR3(l201, x[28], l66); \
  y[56] = XOR3(y[56], l175, l223); \
  y[35] = XOR3(y[35], l223, l299); \
  u32 l286 = l141 ^ x[23]; \
  y[54] = XOR3(y[54], l231, l286); \
  u32 l96 = l64 ^ l66; \
  u32 l176 = XOR3(x[6], x[53], l96); \
  y[21] = XOR3(y[21], l118, l176); \
  y[48] = XOR3(y[48], l103, l176); \
  y[47] = XOR3(y[47], l176, l121); \
  u32 l298 = x[44] ^ l66; \
  y[22] = XOR3(y[22], l294, l298); \
  u32 l149 = XOR3(l73, x[1], x[45]); \
  u32 l274 = XOR3(x[15], x[28], l149); \
  y[34] = XOR3(y[34], l136, l274); \
  y[39] = XOR3(y[39], l124, l149); \
  y[41] = XOR3(y[41], l149, l252); \
  y[12] = XOR3(y[12], l274, l96); \
  u32 l197 = XOR3(l103, l96, x[60]); \
  y[50] = XOR3(y[50], l286, l197); \
  y[36] = XOR3(y[36], l229, l197); \
  y[27] = XOR3(y[27], l197, l86); \
  u32 l232 = x[52] ^ l96; \
  y[10] = XOR3(y[10], l135, l232); \
  y[51] = XOR3(y[51], l232, l293); \
  u32 l159 = XOR3(l86, x[1], x[45]); \
  u32 l225 = XOR3(x[1], x[45], l121); \
  y[45] = XOR3(y[45], l298, l225); \
  y[14] = XOR3(y[14], l225, l248); \
  y[52] = XOR3(y[52], l226, l159); \
  y[1] = XOR3(y[1], l154, l159); \
  u32 l256 = XOR3(l159, x[23], x[32]); \
  y[53] = XOR3(y[53], l287, l256); \
  u32 l258 = x[39] ^ x[60]; \
  y[60] = XOR3(y[60], l121, l258); \
  y[59] = XOR3(y[59], l258, l281); \
  u32 l140 = x[60] ^ l66; \
  y[38] = XOR3(y[38], l310, l140); \
  y[26] = XOR3(y[26], l294, l140); \
  u32 l185 = x[54] ^ l140; \
  y[18] = XOR3(y[18], l241, l185); \
  y[25] = XOR3(y[25], l256, l185); \
  y[30] = XOR3(y[30], l185, l291); }
