// Written once from the definitions of the standards. The known answers on the kernel `portable` use every entry.

package pure

import "strings"

// masksL has, for a bit of the constants and a rotation, the places where the constant of L has the bit.
var masksL = [8][16]uint64{
	{0xcd05cd05cd05cd05, 0xa700a700a700a70, 0x12c812c812c812c8, 0xf9e5f9e5f9e5f9e5, 0x20f120f120f120f1, 0x3e063e063e063e06, 0x4f0c4f0c4f0c4f0c, 0xf757f757f757f757, 0xd018d018d018d018, 0x893d893d893d893d, 0x1306130613061306, 0x1a411a411a411a41, 0x5504550455045504, 0xfdc0fdc0fdc0fdc0, 0x2919291929192919, 0x35e035e035e035e0},
	{0x1485148514851485, 0xe720e720e720e72, 0x7b207b207b207b2, 0xed00ed00ed00ed, 0x409040904090409, 0xc30dc30dc30dc30d, 0x27c927c927c927c9, 0x6cad6cad6cad6cad, 0xd461d461d461d461, 0x60ed60ed60ed60ed, 0x785078507850785, 0x9882988298829882, 0x33fd33fd33fd33fd, 0x1add1add1add1add, 0x23de23de23de23de, 0x2413241324132413},
	{0x42ed42ed42ed42ed, 0xefeaefeaefeaefea, 0x74e174e174e174e1, 0xf099f099f099f099, 0x4014401440144014, 0x6f996f996f996f99, 0x4e1a4e1a4e1a4e1a, 0x6fe86fe86fe86fe8, 0x6652665266526652, 0x5019501950195019, 0x539f539f539f539f, 0x5ff25ff25ff25ff2, 0x6422642264226422, 0x9b6d9b6d9b6d9b6d, 0x56e156e156e156e1, 0xec63ec63ec63ec63},
	{0x25a925a925a925a9, 0x1f391f391f391f39, 0x19a619a619a619a6, 0x7e417e417e417e41, 0x225e225e225e225e, 0x1f471f471f471f47, 0x61a261a261a261a2, 0x1fa01fa01fa01fa0, 0xc589c589c589c589, 0x6fd76fd76fd76fd7, 0x1676167616761676, 0x1eb91eb91eb91eb9, 0x5581558155815581, 0x1fa11fa11fa11fa1, 0x9b109b109b109b1, 0x6f576f576f576f57},
	{0x1aa01aa01aa01aa0, 0xdc8ddc8ddc8ddc8d, 0x24b024b024b024b, 0x328b328b328b328b, 0xf8c5f8c5f8c5f8c5, 0x6ef06ef06ef06ef0, 0x586b586b586b586b, 0x7f497f497f497f49, 0x9fc49fc49fc49fc4, 0x72d372d372d372d3, 0x540d540d540d540d, 0x6d446d446d446d44, 0x9ab89ab89ab89ab8, 0x70de70de70de70de, 0x2a082a082a082a08, 0xf088f088f088f088},
	{0x44b244b244b244b2, 0x3d743d743d743d74, 0x83a583a583a583a5, 0x40f140f140f140f1, 0x45a845a845a845a8, 0x3e4c3e4c3e4c3e4c, 0x685068506850685, 0x40cd40cd40cd40cd, 0xdd96dd96dd96dd96, 0xec70ec70ec70ec7, 0x3a833a833a833a83, 0x7c3d7c3d7c3d7c3d, 0x347d347d347d347d, 0x3abc3abc3abc3abc, 0x9b9e9b9e9b9e9b9e, 0x4cc34cc34cc34cc3},
	{0x3641364136413641, 0x3dd63dd63dd63dd6, 0xe670e670e670e67, 0x344c344c344c344c, 0x432a432a432a432a, 0xb2d0b2d0b2d0b2d0, 0xf179f179f179f179, 0x5bcf5bcf5bcf5bcf, 0xf21af21af21af21a, 0x6df46df46df46df4, 0xe8f1e8f1e8f1e8f1, 0x84f884f884f884f8, 0x117f117f117f117f, 0x5e3e5e3e5e3e5e3e, 0x7211721172117211, 0x29b729b729b729b7},
	{0x4ce54ce54ce54ce5, 0xd4f3d4f3d4f3d4f3, 0x66c266c266c266c2, 0xba7bba7bba7bba7b, 0x26f126f126f126f1, 0xddbbddbbddbbddbb, 0xb81fb81fb81fb81f, 0x344b344b344b344b, 0x9780978097809780, 0x5a335a335a335a33, 0xa185a185a185a185, 0xda4bda4bda4bda4b, 0x6505650565056505, 0xdfb3dfb3dfb3dfb3, 0x2706270627062706, 0xb8b4b8b4b8b4b8b4},
}

// masksInverse is the same of the inverse of L.
var masksInverse = [8][16]uint64{
	{0xa0b3a0b3a0b3a0b3, 0x7ac07ac07ac07ac, 0x9894989498949894, 0x3bf03bf03bf03bf, 0x20aa20aa20aa20aa, 0x8258825882588258, 0x60c860c860c860c8, 0xbc91bc91bc91bc91, 0x180b180b180b180b, 0xeaefeaefeaefeaef, 0x30f230f230f230f2, 0x607c607c607c607c, 0x8f048f048f048f04, 0xa79fa79fa79fa79f, 0x1348134813481348, 0xe500e500e500e50},
	{0xa128a128a128a128, 0xc824c824c824c824, 0x7bc47bc47bc47bc4, 0xbb58bb58bb58bb58, 0xbfccbfccbfccbfcc, 0x4119411941194119, 0xa1e0a1e0a1e0a1e0, 0xb706b706b706b706, 0x862b862b862b862b, 0xb536b536b536b536, 0x93e493e493e493e4, 0xb0c3b0c3b0c3b0c3, 0x9020902090209020, 0xb700b700b700b700, 0x4de04de04de04de0, 0x4e704e704e704e70},
	{0xb742b742b742b742, 0xc637c637c637c637, 0x876a876a876a876a, 0xb6d9b6d9b6d9b6d9, 0x4426442644264426, 0x4ffa4ffa4ffa4ffa, 0xf9caf9caf9caf9ca, 0x980a980a980a980a, 0x4a664a664a664a66, 0x17f617f617f617f6, 0x5872587258725872, 0x99f699f699f699f6, 0x2802280228022802, 0x990f990f990f990f, 0x872e872e872e872e, 0x57f757f757f757f7},
	{0x95a495a495a495a4, 0xeaf6eaf6eaf6eaf6, 0x8d908d908d908d90, 0x85f885f885f885f8, 0x81aa81aa81aa81aa, 0x9d789d789d789d78, 0x6e686e686e686e68, 0xebf6ebf6ebf6ebf6, 0x91a391a391a391a3, 0x5f805f805f805f8, 0x4586458645864586, 0xe2f8e2f8e2f8e2f8, 0x7a447a447a447a44, 0x827e827e827e827e, 0x6598659865986598, 0x9cf89cf89cf89cf8},
	{0x558055805580558, 0x110f110f110f110f, 0x1054105410541054, 0x7b0e7b0e7b0e7b0e, 0x1d591d591d591d59, 0x22b622b622b622b6, 0xb02ab02ab02ab02a, 0xcb4ecb4ecb4ecb4e, 0x23f923f923f923f9, 0x92fe92fe92fe92fe, 0xd61ad61ad61ad61a, 0xf760f760f760f76, 0xa31fa31fa31fa31f, 0xd14cd14cd14cd14c, 0xd240d240d240d240, 0xb13bb13bb13bb13b},
	{0x4d224d224d224d22, 0xc332c332c332c332, 0x79d979d979d979d9, 0x3d5c3d5c3d5c3d5c, 0xbe2cbe2cbe2cbe2c, 0xbc3ebc3ebc3ebc3e, 0xc15cc15cc15cc15c, 0xe370e370e370e370, 0x69bb69bb69bb69bb, 0xb302b302b302b302, 0xa160a160a160a160, 0x327c327c327c327c, 0x15a215a215a215a2, 0x8f028f028f028f02, 0xa5c1a5c1a5c1a5c1, 0x2ebc2ebc2ebc2ebc},
	{0x826c826c826c826c, 0xed94ed94ed94ed94, 0x884e884e884e884e, 0x7c7a7c7a7c7a7c7a, 0xfe88fe88fe88fe88, 0x1f211f211f211f21, 0x8f178f178f178f17, 0x2fb62fb62fb62fb6, 0x584f584f584f584f, 0xf3daf3daf3daf3da, 0x9e8f9e8f9e8f9e8f, 0xb4d0b4d0b4d0b4d, 0x54c254c254c254c2, 0x322c322c322c322c, 0xe670e670e670e670, 0x6bbc6bbc6bbc6bbc},
	{0xa732a732a732a732, 0x2d1d2d1d2d1d2d1d, 0x60e460e460e460e4, 0xcdfbcdfbcdfbcdfb, 0xa0a6a0a6a0a6a0a6, 0xd25bd25bd25bd25b, 0xa185a185a185a185, 0xcc5acc5acc5acc5a, 0x1e901e901e901e9, 0xd22cd22cd22cd22c, 0xf81df81df81df81d, 0xddbbddbbddbbddbb, 0x8f648f648f648f64, 0xde5dde5dde5dde5d, 0x4366436643664366, 0xcf2bcf2bcf2bcf2b},
}

// kuznyechikC has C_1 to C_32: RFC 7801, 4.3. Data, since a proof reads it from the program.
var kuznyechikC = [32][16]byte{
	{0x6e, 0xa2, 0x76, 0x72, 0x6c, 0x48, 0x7a, 0xb8, 0x5d, 0x27, 0xbd, 0x10, 0xdd, 0x84, 0x94, 0x1},
	{0xdc, 0x87, 0xec, 0xe4, 0xd8, 0x90, 0xf4, 0xb3, 0xba, 0x4e, 0xb9, 0x20, 0x79, 0xcb, 0xeb, 0x2},
	{0xb2, 0x25, 0x9a, 0x96, 0xb4, 0xd8, 0x8e, 0xb, 0xe7, 0x69, 0x4, 0x30, 0xa4, 0x4f, 0x7f, 0x3},
	{0x7b, 0xcd, 0x1b, 0xb, 0x73, 0xe3, 0x2b, 0xa5, 0xb7, 0x9c, 0xb1, 0x40, 0xf2, 0x55, 0x15, 0x4},
	{0x15, 0x6f, 0x6d, 0x79, 0x1f, 0xab, 0x51, 0x1d, 0xea, 0xbb, 0xc, 0x50, 0x2f, 0xd1, 0x81, 0x5},
	{0xa7, 0x4a, 0xf7, 0xef, 0xab, 0x73, 0xdf, 0x16, 0xd, 0xd2, 0x8, 0x60, 0x8b, 0x9e, 0xfe, 0x6},
	{0xc9, 0xe8, 0x81, 0x9d, 0xc7, 0x3b, 0xa5, 0xae, 0x50, 0xf5, 0xb5, 0x70, 0x56, 0x1a, 0x6a, 0x7},
	{0xf6, 0x59, 0x36, 0x16, 0xe6, 0x5, 0x56, 0x89, 0xad, 0xfb, 0xa1, 0x80, 0x27, 0xaa, 0x2a, 0x8},
	{0x98, 0xfb, 0x40, 0x64, 0x8a, 0x4d, 0x2c, 0x31, 0xf0, 0xdc, 0x1c, 0x90, 0xfa, 0x2e, 0xbe, 0x9},
	{0x2a, 0xde, 0xda, 0xf2, 0x3e, 0x95, 0xa2, 0x3a, 0x17, 0xb5, 0x18, 0xa0, 0x5e, 0x61, 0xc1, 0xa},
	{0x44, 0x7c, 0xac, 0x80, 0x52, 0xdd, 0xd8, 0x82, 0x4a, 0x92, 0xa5, 0xb0, 0x83, 0xe5, 0x55, 0xb},
	{0x8d, 0x94, 0x2d, 0x1d, 0x95, 0xe6, 0x7d, 0x2c, 0x1a, 0x67, 0x10, 0xc0, 0xd5, 0xff, 0x3f, 0xc},
	{0xe3, 0x36, 0x5b, 0x6f, 0xf9, 0xae, 0x7, 0x94, 0x47, 0x40, 0xad, 0xd0, 0x8, 0x7b, 0xab, 0xd},
	{0x51, 0x13, 0xc1, 0xf9, 0x4d, 0x76, 0x89, 0x9f, 0xa0, 0x29, 0xa9, 0xe0, 0xac, 0x34, 0xd4, 0xe},
	{0x3f, 0xb1, 0xb7, 0x8b, 0x21, 0x3e, 0xf3, 0x27, 0xfd, 0xe, 0x14, 0xf0, 0x71, 0xb0, 0x40, 0xf},
	{0x2f, 0xb2, 0x6c, 0x2c, 0xf, 0xa, 0xac, 0xd1, 0x99, 0x35, 0x81, 0xc3, 0x4e, 0x97, 0x54, 0x10},
	{0x41, 0x10, 0x1a, 0x5e, 0x63, 0x42, 0xd6, 0x69, 0xc4, 0x12, 0x3c, 0xd3, 0x93, 0x13, 0xc0, 0x11},
	{0xf3, 0x35, 0x80, 0xc8, 0xd7, 0x9a, 0x58, 0x62, 0x23, 0x7b, 0x38, 0xe3, 0x37, 0x5c, 0xbf, 0x12},
	{0x9d, 0x97, 0xf6, 0xba, 0xbb, 0xd2, 0x22, 0xda, 0x7e, 0x5c, 0x85, 0xf3, 0xea, 0xd8, 0x2b, 0x13},
	{0x54, 0x7f, 0x77, 0x27, 0x7c, 0xe9, 0x87, 0x74, 0x2e, 0xa9, 0x30, 0x83, 0xbc, 0xc2, 0x41, 0x14},
	{0x3a, 0xdd, 0x1, 0x55, 0x10, 0xa1, 0xfd, 0xcc, 0x73, 0x8e, 0x8d, 0x93, 0x61, 0x46, 0xd5, 0x15},
	{0x88, 0xf8, 0x9b, 0xc3, 0xa4, 0x79, 0x73, 0xc7, 0x94, 0xe7, 0x89, 0xa3, 0xc5, 0x9, 0xaa, 0x16},
	{0xe6, 0x5a, 0xed, 0xb1, 0xc8, 0x31, 0x9, 0x7f, 0xc9, 0xc0, 0x34, 0xb3, 0x18, 0x8d, 0x3e, 0x17},
	{0xd9, 0xeb, 0x5a, 0x3a, 0xe9, 0xf, 0xfa, 0x58, 0x34, 0xce, 0x20, 0x43, 0x69, 0x3d, 0x7e, 0x18},
	{0xb7, 0x49, 0x2c, 0x48, 0x85, 0x47, 0x80, 0xe0, 0x69, 0xe9, 0x9d, 0x53, 0xb4, 0xb9, 0xea, 0x19},
	{0x5, 0x6c, 0xb6, 0xde, 0x31, 0x9f, 0xe, 0xeb, 0x8e, 0x80, 0x99, 0x63, 0x10, 0xf6, 0x95, 0x1a},
	{0x6b, 0xce, 0xc0, 0xac, 0x5d, 0xd7, 0x74, 0x53, 0xd3, 0xa7, 0x24, 0x73, 0xcd, 0x72, 0x1, 0x1b},
	{0xa2, 0x26, 0x41, 0x31, 0x9a, 0xec, 0xd1, 0xfd, 0x83, 0x52, 0x91, 0x3, 0x9b, 0x68, 0x6b, 0x1c},
	{0xcc, 0x84, 0x37, 0x43, 0xf6, 0xa4, 0xab, 0x45, 0xde, 0x75, 0x2c, 0x13, 0x46, 0xec, 0xff, 0x1d},
	{0x7e, 0xa1, 0xad, 0xd5, 0x42, 0x7c, 0x25, 0x4e, 0x39, 0x1c, 0x28, 0x23, 0xe2, 0xa3, 0x80, 0x1e},
	{0x10, 0x3, 0xdb, 0xa7, 0x2e, 0x34, 0x5f, 0xf6, 0x64, 0x3b, 0x95, 0x33, 0x3f, 0x27, 0x14, 0x1f},
	{0x5e, 0xa7, 0xd8, 0x58, 0x1e, 0x14, 0x9b, 0x61, 0xf1, 0x6a, 0xc1, 0x45, 0x9c, 0xed, 0xa8, 0x20},
}

// registerStep returns the sum of c_k times byte k of the window, c_0 to c_14 of l (RFC 7801, 4.2), which read the same
// backwards: by Horner's rule over the bits of the constants.
func registerStep(w *[15][8]uint64, out *[8]uint64) {
	var p [8][8]uint64
	for k := range 7 {
		for b := range 8 {
			p[k][b] = w[k][b] ^ w[14-k][b]
		}
	}
	p[7] = w[7]
	var s0, s1, s2, s3, s4, s5, s6, s7 uint64
	s0 ^= p[0][0] ^ p[2][0] ^ p[4][0] ^ p[5][0] ^ p[7][0]
	s1 ^= p[0][1] ^ p[2][1] ^ p[4][1] ^ p[5][1] ^ p[7][1]
	s2 ^= p[0][2] ^ p[2][2] ^ p[4][2] ^ p[5][2] ^ p[7][2]
	s3 ^= p[0][3] ^ p[2][3] ^ p[4][3] ^ p[5][3] ^ p[7][3]
	s4 ^= p[0][4] ^ p[2][4] ^ p[4][4] ^ p[5][4] ^ p[7][4]
	s5 ^= p[0][5] ^ p[2][5] ^ p[4][5] ^ p[5][5] ^ p[7][5]
	s6 ^= p[0][6] ^ p[2][6] ^ p[4][6] ^ p[5][6] ^ p[7][6]
	s7 ^= p[0][7] ^ p[2][7] ^ p[4][7] ^ p[5][7] ^ p[7][7]
	s0, s1, s2, s3, s4, s5, s6, s7 = s7, s0^s7, s1, s2, s3, s4, s5^s7, s6^s7
	s0 ^= p[4][0] ^ p[5][0] ^ p[7][0]
	s1 ^= p[4][1] ^ p[5][1] ^ p[7][1]
	s2 ^= p[4][2] ^ p[5][2] ^ p[7][2]
	s3 ^= p[4][3] ^ p[5][3] ^ p[7][3]
	s4 ^= p[4][4] ^ p[5][4] ^ p[7][4]
	s5 ^= p[4][5] ^ p[5][5] ^ p[7][5]
	s6 ^= p[4][6] ^ p[5][6] ^ p[7][6]
	s7 ^= p[4][7] ^ p[5][7] ^ p[7][7]
	s0, s1, s2, s3, s4, s5, s6, s7 = s7, s0^s7, s1, s2, s3, s4, s5^s7, s6^s7
	s0 ^= p[1][0] ^ p[7][0]
	s1 ^= p[1][1] ^ p[7][1]
	s2 ^= p[1][2] ^ p[7][2]
	s3 ^= p[1][3] ^ p[7][3]
	s4 ^= p[1][4] ^ p[7][4]
	s5 ^= p[1][5] ^ p[7][5]
	s6 ^= p[1][6] ^ p[7][6]
	s7 ^= p[1][7] ^ p[7][7]
	s0, s1, s2, s3, s4, s5, s6, s7 = s7, s0^s7, s1, s2, s3, s4, s5^s7, s6^s7
	s0 ^= p[0][0] ^ p[3][0] ^ p[7][0]
	s1 ^= p[0][1] ^ p[3][1] ^ p[7][1]
	s2 ^= p[0][2] ^ p[3][2] ^ p[7][2]
	s3 ^= p[0][3] ^ p[3][3] ^ p[7][3]
	s4 ^= p[0][4] ^ p[3][4] ^ p[7][4]
	s5 ^= p[0][5] ^ p[3][5] ^ p[7][5]
	s6 ^= p[0][6] ^ p[3][6] ^ p[7][6]
	s7 ^= p[0][7] ^ p[3][7] ^ p[7][7]
	s0, s1, s2, s3, s4, s5, s6, s7 = s7, s0^s7, s1, s2, s3, s4, s5^s7, s6^s7
	s0 ^= p[7][0]
	s1 ^= p[7][1]
	s2 ^= p[7][2]
	s3 ^= p[7][3]
	s4 ^= p[7][4]
	s5 ^= p[7][5]
	s6 ^= p[7][6]
	s7 ^= p[7][7]
	s0, s1, s2, s3, s4, s5, s6, s7 = s7, s0^s7, s1, s2, s3, s4, s5^s7, s6^s7
	s0 ^= p[0][0] ^ p[2][0]
	s1 ^= p[0][1] ^ p[2][1]
	s2 ^= p[0][2] ^ p[2][2]
	s3 ^= p[0][3] ^ p[2][3]
	s4 ^= p[0][4] ^ p[2][4]
	s5 ^= p[0][5] ^ p[2][5]
	s6 ^= p[0][6] ^ p[2][6]
	s7 ^= p[0][7] ^ p[2][7]
	s0, s1, s2, s3, s4, s5, s6, s7 = s7, s0^s7, s1, s2, s3, s4, s5^s7, s6^s7
	s0 ^= p[4][0] ^ p[7][0]
	s1 ^= p[4][1] ^ p[7][1]
	s2 ^= p[4][2] ^ p[7][2]
	s3 ^= p[4][3] ^ p[7][3]
	s4 ^= p[4][4] ^ p[7][4]
	s5 ^= p[4][5] ^ p[7][5]
	s6 ^= p[4][6] ^ p[7][6]
	s7 ^= p[4][7] ^ p[7][7]
	s0, s1, s2, s3, s4, s5, s6, s7 = s7, s0^s7, s1, s2, s3, s4, s5^s7, s6^s7
	s0 ^= p[2][0] ^ p[6][0] ^ p[7][0]
	s1 ^= p[2][1] ^ p[6][1] ^ p[7][1]
	s2 ^= p[2][2] ^ p[6][2] ^ p[7][2]
	s3 ^= p[2][3] ^ p[6][3] ^ p[7][3]
	s4 ^= p[2][4] ^ p[6][4] ^ p[7][4]
	s5 ^= p[2][5] ^ p[6][5] ^ p[7][5]
	s6 ^= p[2][6] ^ p[6][6] ^ p[7][6]
	s7 ^= p[2][7] ^ p[6][7] ^ p[7][7]
	*out = [8]uint64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// groups has the diagonals of L for a sum over groups, in Karatsuba's form: 27 sums, for each the two sets of four.
var groups = [27][8]uint64{
	{0xff000000000000ff, 0xffffff0000ff00, 0xffff00ff0000, 0xffffffff0000ff00, 0xffff00ffffffff, 0xff000000ff0000ff, 0xff0000ff00ff, 0xff00000000ffff},
	{0xffff000000ff00ff, 0xffff00ff00ff00, 0xff00ffff0000, 0xff00ffffff00ff, 0xffff0000ff00ffff, 0xffff0000ffffffff, 0xffffffff00000000, 0xff000000ff000000},
	{0xff000000ff0000, 0xffff000000, 0xffff000000, 0xff00ff00ffffffff, 0xff00ff0000ff0000, 0xff000000ffff00, 0xffff00ff00ff00ff, 0xffff0000ff00ffff},
	{0xffffff0000ff00, 0xffffff000000ff00, 0xffff000000000000, 0xff000000ff, 0xffff00, 0xff000000ffffff, 0xffffffffff00ff00, 0xff00ffffffffff},
	{0xffffff00ff00, 0xffffff0000ff, 0xffff000000ffff, 0xffff0000ffff00ff, 0xffffffff00ff, 0xff00ff00000000ff, 0xffff00ffff00ffff, 0xff00000000ff0000},
	{0xff0000ff000000, 0xffff00ffff00ffff, 0xff00ff000000ffff, 0xffff00ffffff0000, 0xffffff00ffff, 0xffffff0000ffff00, 0xff00000000ff, 0xffff00ffff00ffff},
	{0xffffffff0000ffff, 0xff0000ff00000000, 0xffffffff00ff0000, 0xffffff000000ffff, 0xffff00ff0000ff, 0xffff0000ffffff00, 0xffff00ffffffffff, 0xffffff0000},
	{0xffffffffffffffff, 0xff00ff0000ffff, 0xff0000ffffffff, 0xff0000ff00000000, 0xffffffff00ffff00, 0xffff00ffffff00, 0xff00ff00ffff, 0xffff0000},
	{0xffff0000, 0xffff00000000ffff, 0xff00ffffff00ffff, 0xffffff0000ffff, 0xff0000ffffffffff, 0xff00ff0000000000, 0xffffffff00ff0000, 0xff00000000},
	{0xffff00ffffff00, 0xffffffff, 0xff0000ffff0000, 0xff00ff00ff0000ff, 0xff0000ffffff0000, 0xffff00000000, 0xff000000000000ff, 0xff000000000000},
	{0xff000000ff0000, 0xff0000ffff00ff00, 0xff000000ff00ffff, 0xff00ff0000000000, 0xff0000ff00ff0000, 0xff00000000000000, 0xffff0000, 0xffffff0000ffff},
	{0xff00ff00ff00, 0xff0000ff00ff00ff, 0xffff000000ffffff, 0xff0000ff, 0xff000000, 0xff00ffff00000000, 0xff000000ffff00ff, 0xffff0000ffff},
	{0xff00, 0xffff00000000ff00, 0x0, 0xff0000000000ff00, 0xffffffff, 0xff00ff000000ff, 0xff, 0xffffffffffffff},
	{0xffffffff0000ffff, 0xffff000000, 0xff00ff0000ffff00, 0xffff000000ffffff, 0xffffff0000000000, 0xff000000ff00, 0xffffffffff00ffff, 0xffffff0000ff0000},
	{0xffffffff000000ff, 0xffff00ffff00ff00, 0xff00ff0000ffff00, 0xff000000ff00ff, 0xffffff00ffffffff, 0xffffff0000ffff, 0xffffffffff00ff00, 0xff0000ffff00ffff},
	{0xffff00ffff0000, 0xffff0000ffff00ff, 0xff0000ffff0000, 0xff00ff00ffff, 0xff0000ff0000ffff, 0xffff00000000ff, 0xff00000000000000, 0xffffffffffff},
	{0xff00ffff00ffffff, 0xff0000000000ff00, 0xff00ffff00ff, 0xffff0000ffffff, 0xffffff00ff0000, 0xff00ff000000ff00, 0xffffffff00ffffff, 0xff0000ff00ffffff},
	{0xffff00ffff00ffff, 0xff0000ffffffff, 0xffff00000000ff, 0xff0000ffff0000, 0xffffff0000ffffff, 0xffff00000000ffff, 0xffffff00ffffff, 0xff00ff00ff000000},
	{0xffffff00ffffffff, 0xffffffffff00ff, 0xffffffff000000, 0xff00ffff00ffff, 0xffffffff0000ffff, 0xff00ffffff0000ff, 0xff00ff0000ff0000, 0xffff},
	{0xff000000000000ff, 0xffffffff00000000, 0xff00ff0000ffffff, 0xffffffffffff00ff, 0xff00ffffffffff, 0xff0000ffffffff, 0xffffffffffff0000, 0xffffffffff00ffff},
	{0xffff00ffffff00, 0xff000000ffff00ff, 0xffff00ffffffffff, 0xff00ff0000ffff00, 0xff00ff00ffff0000, 0xffffffff00ffff00, 0xff00ffff000000, 0xffffffffff000000},
	{0xffffff00000000, 0xff0000000000, 0xffff000000000000, 0xff0000ff0000ffff, 0xff0000ff, 0xff00ffff00, 0xffffffffff00ffff, 0xff0000000000},
	{0xffff0000ff0000ff, 0xff00000000ff, 0xffff000000ff00ff, 0xff00ff00, 0xffff00ffffff00ff, 0xff0000000000ffff, 0xff0000000000, 0xffff0000000000},
	{0xff00ffffff0000ff, 0xff, 0xff00ff, 0xff0000ffff0000ff, 0xffff00ff00ff0000, 0xff0000ff00ff00ff, 0xffff00ffff00ffff, 0xff000000000000},
	{0xff0000ffffffffff, 0xff00ffffff00ff, 0xff00ffffff000000, 0xffff0000ff000000, 0xffffffffff00ff00, 0xff00ff00ffffffff, 0xff00ffffffffff, 0xff000000ffff},
	{0xff0000ff000000, 0xffff00ff000000ff, 0xffff000000ff00, 0xffffffff00ffffff, 0xff0000000000ff00, 0xffff0000ffff0000, 0xffff00ffffff0000, 0xff0000ffff00ffff},
	{0xffff00ff00ffffff, 0xff000000ffff0000, 0xffff00ffff00ff00, 0xffffffffffff, 0xffffffff000000, 0xffff000000ffff, 0xff0000000000ffff, 0xff00ffffff000000},
}

// inside has the diagonals of L for a sum inside groups, in Karatsuba's form: 27 sums, for each the two sets of four.
var inside = [27][8]uint64{
	{0x8181818181818181, 0x7272727272727272, 0x3434343434343434, 0xf2f2f2f2f2f2f2f2, 0x6f6f6f6f6f6f6f6f, 0x8989898989898989, 0x2525252525252525, 0x4343434343434343},
	{0xc5c5c5c5c5c5c5c5, 0x6a6a6a6a6a6a6a6a, 0x2c2c2c2c2c2c2c2c, 0x5d5d5d5d5d5d5d5d, 0xcbcbcbcbcbcbcbcb, 0xcfcfcfcfcfcfcfcf, 0xf0f0f0f0f0f0f0f0, 0x8888888888888888},
	{0x4444444444444444, 0x1818181818181818, 0x1818181818181818, 0xafafafafafafafaf, 0xa4a4a4a4a4a4a4a4, 0x4646464646464646, 0xd5d5d5d5d5d5d5d5, 0xcbcbcbcbcbcbcbcb},
	{0x7272727272727272, 0xe2e2e2e2e2e2e2e2, 0xc0c0c0c0c0c0c0c0, 0x1111111111111111, 0x606060606060606, 0x4747474747474747, 0xfafafafafafafafa, 0x5f5f5f5f5f5f5f5f},
	{0x3a3a3a3a3a3a3a3a, 0x3939393939393939, 0x6363636363636363, 0xcdcdcdcdcdcdcdcd, 0x3d3d3d3d3d3d3d3d, 0xa1a1a1a1a1a1a1a1, 0xdbdbdbdbdbdbdbdb, 0x8484848484848484},
	{0x4848484848484848, 0xdbdbdbdbdbdbdbdb, 0xa3a3a3a3a3a3a3a3, 0xdcdcdcdcdcdcdcdc, 0x3b3b3b3b3b3b3b3b, 0xe6e6e6e6e6e6e6e6, 0x2121212121212121, 0xdbdbdbdbdbdbdbdb},
	{0xf3f3f3f3f3f3f3f3, 0x9090909090909090, 0xf4f4f4f4f4f4f4f4, 0xe3e3e3e3e3e3e3e3, 0x6969696969696969, 0xcececececececece, 0xdfdfdfdfdfdfdfdf, 0x1c1c1c1c1c1c1c1c},
	{0xffffffffffffffff, 0x5353535353535353, 0x4f4f4f4f4f4f4f4f, 0x9090909090909090, 0xf6f6f6f6f6f6f6f6, 0x6e6e6e6e6e6e6e6e, 0x2b2b2b2b2b2b2b2b, 0xc0c0c0c0c0c0c0c},
	{0xc0c0c0c0c0c0c0c, 0xc3c3c3c3c3c3c3c3, 0xbbbbbbbbbbbbbbbb, 0x7373737373737373, 0x9f9f9f9f9f9f9f9f, 0xa0a0a0a0a0a0a0a0, 0xf4f4f4f4f4f4f4f4, 0x1010101010101010},
	{0x6e6e6e6e6e6e6e6e, 0xf0f0f0f0f0f0f0f, 0x4c4c4c4c4c4c4c4c, 0xa9a9a9a9a9a9a9a9, 0x9c9c9c9c9c9c9c9c, 0x3030303030303030, 0x8181818181818181, 0x4040404040404040},
	{0x4444444444444444, 0x9a9a9a9a9a9a9a9a, 0x8b8b8b8b8b8b8b8b, 0xa0a0a0a0a0a0a0a0, 0x9494949494949494, 0x8080808080808080, 0xc0c0c0c0c0c0c0c, 0x7373737373737373},
	{0x2a2a2a2a2a2a2a2a, 0x9595959595959595, 0xc7c7c7c7c7c7c7c7, 0x909090909090909, 0x808080808080808, 0xb0b0b0b0b0b0b0b0, 0x8d8d8d8d8d8d8d8d, 0x3333333333333333},
	{0x202020202020202, 0xc2c2c2c2c2c2c2c2, 0x0, 0x8282828282828282, 0xf0f0f0f0f0f0f0f, 0x5151515151515151, 0x101010101010101, 0x7f7f7f7f7f7f7f7f},
	{0xf3f3f3f3f3f3f3f3, 0x1818181818181818, 0xa6a6a6a6a6a6a6a6, 0xc7c7c7c7c7c7c7c7, 0xe0e0e0e0e0e0e0e0, 0x2222222222222222, 0xfbfbfbfbfbfbfbfb, 0xe4e4e4e4e4e4e4e4},
	{0xf1f1f1f1f1f1f1f1, 0xdadadadadadadada, 0xa6a6a6a6a6a6a6a6, 0x4545454545454545, 0xefefefefefefefef, 0x7373737373737373, 0xfafafafafafafafa, 0x9b9b9b9b9b9b9b9b},
	{0x6c6c6c6c6c6c6c6c, 0xcdcdcdcdcdcdcdcd, 0x4c4c4c4c4c4c4c4c, 0x2b2b2b2b2b2b2b2b, 0x9393939393939393, 0x6161616161616161, 0x8080808080808080, 0x3f3f3f3f3f3f3f3f},
	{0xb7b7b7b7b7b7b7b7, 0x8282828282828282, 0x2d2d2d2d2d2d2d2d, 0x6767676767676767, 0x7474747474747474, 0xa2a2a2a2a2a2a2a2, 0xf7f7f7f7f7f7f7f7, 0x9797979797979797},
	{0xdbdbdbdbdbdbdbdb, 0x4f4f4f4f4f4f4f4f, 0x6161616161616161, 0x4c4c4c4c4c4c4c4c, 0xe7e7e7e7e7e7e7e7, 0xc3c3c3c3c3c3c3c3, 0x7777777777777777, 0xa8a8a8a8a8a8a8a8},
	{0xefefefefefefefef, 0x7d7d7d7d7d7d7d7d, 0x7878787878787878, 0x5b5b5b5b5b5b5b5b, 0xf3f3f3f3f3f3f3f3, 0xb9b9b9b9b9b9b9b9, 0xa4a4a4a4a4a4a4a4, 0x303030303030303},
	{0x8181818181818181, 0xf0f0f0f0f0f0f0f0, 0xa7a7a7a7a7a7a7a7, 0xfdfdfdfdfdfdfdfd, 0x5f5f5f5f5f5f5f5f, 0x4f4f4f4f4f4f4f4f, 0xfcfcfcfcfcfcfcfc, 0xfbfbfbfbfbfbfbfb},
	{0x6e6e6e6e6e6e6e6e, 0x8d8d8d8d8d8d8d8d, 0xdfdfdfdfdfdfdfdf, 0xa6a6a6a6a6a6a6a6, 0xacacacacacacacac, 0xf6f6f6f6f6f6f6f6, 0x5858585858585858, 0xf8f8f8f8f8f8f8f8},
	{0x7070707070707070, 0x2020202020202020, 0xc0c0c0c0c0c0c0c0, 0x9393939393939393, 0x909090909090909, 0x1616161616161616, 0xfbfbfbfbfbfbfbfb, 0x2020202020202020},
	{0xc9c9c9c9c9c9c9c9, 0x2121212121212121, 0xc5c5c5c5c5c5c5c5, 0xa0a0a0a0a0a0a0a, 0xdddddddddddddddd, 0x8383838383838383, 0x2020202020202020, 0x6060606060606060},
	{0xb9b9b9b9b9b9b9b9, 0x101010101010101, 0x505050505050505, 0x9999999999999999, 0xd4d4d4d4d4d4d4d4, 0x9595959595959595, 0xdbdbdbdbdbdbdbdb, 0x4040404040404040},
	{0x9f9f9f9f9f9f9f9f, 0x5d5d5d5d5d5d5d5d, 0xb8b8b8b8b8b8b8b8, 0xc8c8c8c8c8c8c8c8, 0xfafafafafafafafa, 0xafafafafafafafaf, 0x5f5f5f5f5f5f5f5f, 0x2323232323232323},
	{0x4848484848484848, 0xd1d1d1d1d1d1d1d1, 0x6262626262626262, 0xf7f7f7f7f7f7f7f7, 0x8282828282828282, 0xcccccccccccccccc, 0xdcdcdcdcdcdcdcdc, 0x9b9b9b9b9b9b9b9b},
	{0xd7d7d7d7d7d7d7d7, 0x8c8c8c8c8c8c8c8c, 0xdadadadadadadada, 0x3f3f3f3f3f3f3f3f, 0x7878787878787878, 0x6363636363636363, 0x8383838383838383, 0xb8b8b8b8b8b8b8b8},
}

// streebogC has C_1 to C_12 (RFC 6986, 6.5) as bit planes, in the layout that K_i has.
var streebogC = [12][8]uint64{
	{0xa1f5949c970383b3, 0x3ee1f9408ce2510d, 0x827ad5f4409fea7, 0x7fe3c871c2300a90, 0xba0323a958037498, 0x81a6e8a966ac752c, 0x37ce76cbe6466eba, 0x97d80237388a08cc},
	{0xf2dfcc1ac7b3ff51, 0xe9e03afe7e2ea5c7, 0xc73ed9505298c643, 0xcc23709ae486abac, 0x2e3fd8231ed949fb, 0xb1eda6298171e411, 0xf773346d064a024e, 0x29fee284869b4f65},
	{0x8b45532fa5d31390, 0xf88bbc3e236de6f, 0xf727b63036106870, 0x3efc3747226306ce, 0xe0657ebb8f3267f5, 0xda7d40ef553c6515, 0xe52878e3d0ceb610, 0xb52245c8dbc2eab5},
	{0xd88ee4966ec9177a, 0x81be87ac261d8e95, 0x92adb93149b0fa7d, 0xfce19b31d8322075, 0x569e95a566f43bfe, 0xcb144bf7b843f23f, 0xe45ac220d877c9ea, 0xdc2ce3db8f0349c6},
	{0xaf67d0b7fbdc0b51, 0xe6c39d56b5dff643, 0x1e58fcf7fad5515f, 0xf9dcb147c4c29c3e, 0x1c0faf3a6d3d17b, 0x784f80a38f5cbf9e, 0xe629811252c0d7bf, 0x5984045bc3d02d12},
	{0x6a924668a000cb82, 0xcfbcdccf57ac9e15, 0xeaf0ae9c8b053f3f, 0xff9994e1d88c53a1, 0x131e147bfadec98e, 0xe37f88ff42d5692f, 0x49bf6327653187f1, 0x8b4cfab8141ebcdc},
	{0x428a97dbb972e111, 0x7c387ef665d44b69, 0xfb7d7e601bc3f476, 0x2d5ac52daa2c1698, 0x9099c4be4100c52f, 0x8d5c8c342b288d08, 0xcb9139c510643332, 0xcf787f83741009c3},
	{0xd4ed8d3e979ec1c6, 0xe2e1cadc09f929b5, 0x2bf31503f1643da5, 0xb48bed1cf358a237, 0x8ab5a0332fba203b, 0xf73683601640384, 0x2c45b2a99652f542, 0x997e66092d9cb79a},
	{0xc5025c7619c40c5d, 0xeb27b2105efc9e8f, 0xd8cf49b5220fa420, 0x617bf4c65af2ee03, 0xbdb7f0f00d937493, 0x8608e99805c843c4, 0x305b42682a8129f3, 0x41b904598f3a3809},
	{0xb83879033e9bd87b, 0x9edcab997c36cefa, 0x1b9deda02ac58305, 0xfcd686713d2aa129, 0x5f97822777166fe4, 0xc7d97e856c5efa45, 0x538ff43204df4ef, 0xa89bf393e9604367},
	{0xcb183f5172bc259f, 0xa96e7e0299c6d4c5, 0x6833020e50be8532, 0xef16fc01dffbb7d3, 0xb187d0096259a305, 0x898a7d933aca44a6, 0xdd3ee9033daebfd4, 0x7f33dc249be1ca7c},
	{0xac448a8a837df332, 0xc6c09ba500a313fc, 0xaca7ae9a60a03928, 0x3b85280d2e613ed2, 0xda47337abbabf3f6, 0x9633ace4b116c4e1, 0x7f02889383640964, 0x76abcd5ea72e599a},
}

// expand makes the 27 sums of Karatsuba's form of eight planes.
func expand(p *[8]uint64, e *[27]uint64) {
	p0, p1, p2, p3, p4, p5, p6, p7 := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	e[0] = p0
	e[1] = p1
	e[2] = e[0] ^ e[1]
	e[3] = p2
	e[4] = p3
	e[5] = e[3] ^ e[4]
	e[6] = p0 ^ p2
	e[7] = p1 ^ p3
	e[8] = e[6] ^ e[7]
	e[9] = p4
	e[10] = p5
	e[11] = e[9] ^ e[10]
	e[12] = p6
	e[13] = p7
	e[14] = e[12] ^ e[13]
	e[15] = p4 ^ p6
	e[16] = p5 ^ p7
	e[17] = e[15] ^ e[16]
	e[18] = p0 ^ p4
	e[19] = p1 ^ p5
	e[20] = e[18] ^ e[19]
	e[21] = p2 ^ p6
	e[22] = p3 ^ p7
	e[23] = e[21] ^ e[22]
	e[24] = p0 ^ p4 ^ p2 ^ p6
	e[25] = p1 ^ p5 ^ p3 ^ p7
	e[26] = e[24] ^ e[25]
}

// four returns the seven coefficients of a product of two polynomials of four, from nine sums.
func four(e []uint64) (a0, a1, a2, a3, a4, a5, a6 uint64) {
	_ = e[8]
	l0, l1, l2 := e[0], e[0]^e[1]^e[2], e[1]
	h0, h1, h2 := e[3], e[3]^e[4]^e[5], e[4]
	m0, m1, m2 := e[6], e[6]^e[7]^e[8], e[7]
	m0, m1, m2 = m0^l0^h0, m1^l1^h1, m2^l2^h2
	return l0, l1, l2 ^ m0, m1, m2 ^ h0, h1, h2
}

// collect makes the planes of the product modulo x^8 + x^4 + x^3 + x^2 + 1 of the 27 products.
func collect(e *[27]uint64, out *[8]uint64) {
	l0, l1, l2, l3, l4, l5, l6 := four(e[0:9])
	h0, h1, h2, h3, h4, h5, h6 := four(e[9:18])
	m0, m1, m2, m3, m4, m5, m6 := four(e[18:27])
	p0, p1, p2, p3 := l0, l1, l2, l3
	p4, p5, p6, p7 := l4^l0^h0^m0, l5^l1^h1^m1, l6^l2^h2^m2, l3^h3^m3
	p8, p9, p10, p11 := h0^l4^h4^m4, h1^l5^h5^m5, h2^l6^h6^m6, h3
	p12, p13, p14 := h4, h5, h6
	p10, p9, p8, p6 = p10^p14, p9^p14, p8^p14, p6^p14
	p9, p8, p7, p5 = p9^p13, p8^p13, p7^p13, p5^p13
	p8, p7, p6, p4 = p8^p12, p7^p12, p6^p12, p4^p12
	p7, p6, p5, p3 = p7^p11, p6^p11, p5^p11, p3^p11
	p6, p5, p4, p2 = p6^p10, p5^p10, p4^p10, p2^p10
	p5, p4, p3, p1 = p5^p9, p4^p9, p3^p9, p1^p9
	p4, p3, p2, p0 = p4^p8, p3^p8, p2^p8, p0^p8
	*out = [8]uint64{p0, p1, p2, p3, p4, p5, p6, p7}
}

// sboxRows has the S-box sets of GOST 28147-89 in the order of [Sboxes], a row a word; row 0 substitutes the lowest nibble.
var sboxRows = func() (all [8][8][16]byte) {
	for i, rows := range []string{
		// id-Gost28147-89-TestParamSet: RFC 4357, section 11.1
		"42f59108e3bcd7a6 c9fe813a274d60b5 d8ec739a15246f0b e9b25f710dc6a438 3e59680dab7c21f4 8f6b19c5d37a0e24 9bc0367548ef1a2d c652b09d3e7af418",
		// id-Gost28147-89-CryptoPro-A-ParamSet: RFC 4357, section 11.1
		"96328b17a4efc0d5 37e98af0526cb4d1 e462b3d8cf5a0719 e7acd13902b4f856 b5198df0e423c7a6 3adc120b75948fe6 1d297a608c45f3be baf50ce8623917d4",
		// id-Gost28147-89-CryptoPro-B-ParamSet: RFC 4357, section 11.1
		"84b135092eacd67f 012a4d5c973fb86e ec0a92db758f3614 750db6123acf4e98 27cf95ab140d68e3 83264debc17fa095 52ab91c374d06f8e 04be8371a296fd5c",
		// id-Gost28147-89-CryptoPro-C-ParamSet: RFC 4357, section 11.1
		"1bc29d0f458ea763 017db4528efc9a63 825049fa37cd6e1b 36015da8b297efc4 8db0451293ce6fa7 c9b18e247365a0fd a968de20f35b41c7 7405a2fec61bd938",
		// id-Gost28147-89-CryptoPro-D-ParamSet: RFC 4357, section 11.1
		"fc2a645079ed1b83 b634cfe27d805a91 1cb0fe65ad489372 15eca70d62b493f8 0c89d2ab73654ef1 80f325eb1a47c9d6 306f1e92d8c4ba57 1a68fb04c3597d2e",
		// id-tc26-gost-28147-param-Z: RFC 7836, appendix C; the S-boxes of Magma, RFC 8891, section 4.1
		"c462a5b9e8d703f1 68239a5c1e47bd0f b3582fade174c960 c821d4f670a53e9b 7f5a816d093eb42c 5df692cab78143e0 8e25691cf4b0da37 17ed05834fa69cb2",
		// id-GostR3411-94-TestParamSet: RFC 4357, section 11.2
		"4a92d80e6b1c7f53 eb4c6dfa23810759 581da342efc7609b 7da1089fe46cb253 6c715fd84a9e03b2 4ba0721d36859cfe db413f590ae7682c 1fd057a4923e6b8c",
		// id-GostR3411-94-CryptoProParamSet: RFC 4357, section 11.2
		"a4568137dce092bf 5f402db91763cea8 7fce94103b526a8d 4a7c0f28e165db93 764b9c2a180efd35 7624d9f0a15b8ec3 de41705a3c8f629b 13a95b4f867ed02c",
	} {
		for j, row := range strings.Fields(rows) {
			for k := range row {
				all[i][j][k] = byte(strings.IndexByte("0123456789abcdef", row[k]))
			}
		}
	}
	return all
}()
