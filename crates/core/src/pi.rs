//! π, the S-box of Streebog (RFC 6986, section 6.2) and Kuznyechik (RFC 7801, section 4.1.1), as a
//! circuit of 175 two-input gates and inverters: no look-up, so no address depends on a secret.
//!
//! It works on bit planes: `x[b]` holds bit `b` (of weight 2^b) of each byte; a word has a bit for each byte. The
//! circuit follows the decomposition of π over GF(16) and was minimised by a program. The test below compares it with
//! the standard's table on all 256 bytes.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// The substitution π: RFC 7801, section 4.1.1, and RFC 6986, section 6.2.
pub(crate) const PI: [u8; 256] = [
    252, 238, 221, 17, 207, 110, 49, 22, 251, 196, 250, 218, 35, 197, 4, 77, 233, 119, 240, 219,
    147, 46, 153, 186, 23, 54, 241, 187, 20, 205, 95, 193, 249, 24, 101, 90, 226, 92, 239, 33, 129,
    28, 60, 66, 139, 1, 142, 79, 5, 132, 2, 174, 227, 106, 143, 160, 6, 11, 237, 152, 127, 212,
    211, 31, 235, 52, 44, 81, 234, 200, 72, 171, 242, 42, 104, 162, 253, 58, 206, 204, 181, 112,
    14, 86, 8, 12, 118, 18, 191, 114, 19, 71, 156, 183, 93, 135, 21, 161, 150, 41, 16, 123, 154,
    199, 243, 145, 120, 111, 157, 158, 178, 177, 50, 117, 25, 61, 255, 53, 138, 126, 109, 84, 198,
    128, 195, 189, 13, 87, 223, 245, 36, 169, 62, 168, 67, 201, 215, 121, 214, 246, 124, 34, 185,
    3, 224, 15, 236, 222, 122, 148, 176, 188, 220, 232, 40, 80, 78, 51, 10, 74, 167, 151, 96, 115,
    30, 0, 98, 68, 26, 184, 56, 130, 100, 159, 38, 65, 173, 69, 70, 146, 39, 94, 85, 47, 140, 163,
    165, 125, 105, 213, 149, 59, 7, 88, 179, 64, 134, 172, 29, 247, 48, 55, 107, 228, 136, 217,
    231, 137, 225, 27, 131, 73, 76, 63, 248, 254, 141, 83, 170, 144, 202, 216, 133, 97, 32, 113,
    103, 164, 45, 43, 9, 91, 203, 155, 37, 208, 190, 229, 108, 82, 89, 166, 116, 210, 230, 244,
    180, 192, 209, 102, 175, 194, 57, 75, 99, 182,
];

/// A word of independent bits.
pub trait Bits:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
}
impl<T> Bits for T where
    T: Copy + BitXor<Output = T> + BitAnd<Output = T> + BitOr<Output = T> + Not<Output = T>
{
}

/// Applies π to every byte of the planes.
#[rustfmt::skip]
#[inline(always)]
pub fn pi<T: Bits>(x: [T; 8]) -> [T; 8] {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    let t0 = x7 ^ x4; let t1 = t0 ^ x5; let t2 = x6 ^ x0; let t3 = x5 & !t0; let t4 = !(x3 ^ x1);
    let t5 = !x6; let t6 = x4 ^ x2; let t7 = t6 ^ t5; let t8 = t4 ^ x7; let t9 = t8 & !t3;
    let t10 = !t4; let t11 = t7 ^ t10; let t12 = t7 ^ x7; let t13 = t11 | !t12; let t14 = t1 & !t13;
    let t15 = t14 | t9; let t16 = t2 & !t15; let t17 = t12 ^ t0; let t18 = !x5; let t19 = t11 ^ t18;
    let t20 = t19 | t17; let t21 = t12 & t3; let t22 = t0 & !x5; let t23 = t22 & !t11; let t24 = t23 | t21;
    let t25 = t20 & !t24; let t26 = t10 & !t25; let t27 = t26 ^ t16; let t28 = !(t12 & t11); let t29 = t12 & !t0;
    let t30 = t29 | t3; let t31 = t28 & !t30; let t32 = !t0; let t33 = t32 & !t12; let t34 = !(t12 & t0);
    let t35 = t11 & !t34; let t36 = t35 | t33; let t37 = t19 & !t12; let t38 = !(t37 | t36); let t39 = t38 ^ t31;
    let t40 = x3 & !t39; let t41 = !(x7 ^ x5); let t42 = t41 ^ x2; let t43 = !t42; let t44 = !(t43 & t31);
    let t45 = t44 ^ t40; let t46 = t45 ^ t27; let t47 = !(t4 ^ t2); let t48 = !(t25 ^ t15); let t49 = t47 & !t48;
    let t50 = t49 ^ t16; let t51 = t42 ^ t2; let t52 = !t51; let t53 = t31 ^ t15; let t54 = t52 & !t53;
    let t55 = t42 ^ x3; let t56 = t55 ^ t10; let t57 = t56 ^ t51; let t58 = t38 ^ t25; let t59 = t53 ^ t58;
    let t60 = t57 & !t59; let t61 = t60 ^ t54; let t62 = t61 ^ t50; let t63 = !t55; let t64 = t63 & !t38;
    let t65 = t64 ^ t40; let t66 = t65 ^ t50; let t67 = !t66; let t68 = !(t67 & t62); let t69 = t68 | t46;
    let t70 = !t46; let t71 = t67 | t62; let t72 = !(t71 & t70); let t73 = !(t72 & t68); let t74 = !(t73 & t69);
    let t75 = t46 & !t62; let t76 = t69 & !t75; let t77 = t58 & !t56; let t78 = !(t54 ^ t27); let t79 = t78 ^ t77;
    let t80 = t46 | !t79; let t81 = t79 & t66; let t82 = t71 & !t81; let t83 = t80 & !t82; let t84 = t76 & !t83;
    let t85 = t75 & !t79; let t86 = !(t85 | t84); let t87 = t74 & !t86; let t88 = t1 & !t87; let t89 = !(t79 ^ t46);
    let t90 = t79 & !t66; let t91 = t89 & !t90; let t92 = !(t81 | t62); let t93 = !(t92 | t91); let t94 = t93 & !t11;
    let t95 = x5 & !t84; let t96 = t95 ^ t94; let t97 = !t93; let t98 = t46 | !t66; let t99 = t79 ^ t62;
    let t100 = t98 & !t99; let t101 = t71 & !t100; let t102 = !(t101 ^ t97); let t103 = t102 | t8; let t104 = !t103;
    let t105 = t104 ^ t96; let t106 = !(t105 ^ t88); let t107 = !t106; let t108 = !t17; let t109 = t74 & !t85;
    let t110 = !(t101 ^ t109); let t111 = t108 & !t110; let t112 = t101 | t12; let t113 = t112 ^ t111; let t114 = t113 ^ t96;
    let t115 = t107 & !t114; let t116 = t93 ^ t84; let t117 = t19 & !t116; let t118 = t117 ^ t94; let t119 = !t118;
    let t120 = !(t8 ^ t1); let t121 = !(t102 ^ t87); let t122 = t120 & !t121; let t123 = t122 ^ t103; let t124 = t123 ^ t119;
    let t125 = !t111; let t126 = t0 & !t109; let t127 = !(t126 ^ t118); let t128 = t127 ^ t125; let t129 = t114 & !t128;
    let t130 = !(t129 | t124); let y0 = t130 | t115; let t131 = t128 & !t106; let t132 = t124 & !t131; let t133 = t132 | t115;
    let t134 = t129 & !t107; let y3 = t133 & !t134; let t135 = !t114; let t136 = t124 & !t135; let t137 = t128 & !t124;
    let t138 = t137 | t115; let t139 = t138 & !t131; let y7 = t139 | t136; let t140 = t11 & !x5; let t141 = !(t140 & t29);
    let t142 = !t2; let t143 = t55 & !t4; let t144 = t143 & !t142; let t145 = t144 | t141; let t146 = !x1;
    let t147 = t42 & !t146; let t148 = t142 & !t147; let t149 = !(t148 | t145); let t150 = t89 & !t66; let t151 = t71 & !t150;
    let t152 = t151 | t149; let t153 = t152 ^ y7; let y1 = t153 ^ y3; let t154 = t128 & !t115; let t155 = !(t114 & t106);
    let t156 = t155 & !t124; let y6 = t156 ^ t154; let t157 = x3 | !x1; let t158 = t157 & !t55; let t159 = t158 | t145;
    let t160 = !t89; let t161 = t71 & !t160; let t162 = t68 & !t161; let t163 = t159 & !t162; let y2 = !(t163 ^ y6);
    let t164 = t4 & !t42; let t165 = t42 | x3; let t166 = t165 | t142; let t167 = t146 & !t2; let t168 = t147 | t167;
    let t169 = t166 & !t168; let t170 = t169 | t164; let t171 = t170 | t141; let t172 = t67 & !t62; let t173 = t89 ^ t172;
    let t174 = t173 | !t171; let y4 = t174 ^ y7; let t175 = t143 | t52; let t176 = t142 & !t165; let t177 = t175 & !t176;
    let t178 = t177 | t141; let t179 = t66 & !t99; let t180 = !(t79 & t62); let t181 = t75 | t66; let t182 = t180 & !t181;
    let t183 = t182 | t179; let t184 = t178 & !t183; let t185 = t163 ^ t152; let y5 = t185 ^ t184;
    [y0, y1, y2, !y3, y4, !y5, !y6, !y7]
}

/// Applies π^-1 to every byte of the planes: 152 gates.
#[rustfmt::skip]
#[inline(always)]
pub fn pi_inverse<T: Bits>(x: [T; 8]) -> [T; 8] {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    let x2 = !x2; let x3 = !x3; let x4 = !x4; let x6 = !x6; let x7 = !x7;
    let t0 = !(x7 ^ x6); let t1 = !(x4 ^ x2); let t2 = !(t1 ^ t0); let t3 = !(x3 ^ x2); let t4 = t3 ^ x1;
    let t5 = t4 ^ t0; let t6 = !x5; let t7 = !(x6 ^ x4); let t8 = t7 ^ t4; let t9 = t8 ^ t6;
    let t10 = !(t9 & t5); let t11 = t10 | t2; let t12 = t6 & !t2; let t13 = !(t12 | t5); let t14 = !(x7 | x6);
    let t15 = !(x3 | x0); let t16 = !(t15 & t14); let t17 = t16 | t13; let t18 = t11 & !t17; let t19 = t8 & !t5;
    let t20 = t19 ^ t2; let t21 = !t2; let t22 = t9 & !t21; let t23 = t13 & !t22; let t24 = t10 & !t23;
    let t25 = t24 ^ t20; let t26 = t12 & t5; let t27 = t8 & !t6; let t28 = t27 | t26; let t29 = t8 & !t2;
    let t30 = t28 & !t29; let t31 = !(t30 | t13); let t32 = x6 & !x0; let t33 = t32 | x7; let t34 = x6 & x0;
    let t35 = x3 & !t34; let t36 = t35 ^ t33; let t37 = !(t36 & t31); let t38 = x3 & x0; let t39 = x7 & !t38;
    let t40 = t39 ^ t34; let t41 = t19 & !t21; let t42 = t5 & !t21; let t43 = t42 & !t8; let t44 = t43 | t41;
    let t45 = t44 | t28; let t46 = t40 & !t45; let t47 = !(t46 ^ t37); let t48 = !x0; let t49 = x7 & !x6;
    let t50 = t48 & !t49; let t51 = !x3; let t52 = t51 & !t14; let t53 = t52 ^ t50; let t54 = t53 ^ t40;
    let t55 = !t54; let t56 = t5 & !t6; let t57 = !(t56 | t29); let t58 = t57 ^ t45; let t59 = t55 & !t58;
    let t60 = x7 & !x0; let t61 = t60 & !x3; let t62 = t33 & !t61; let t63 = !(t8 | t5); let t64 = t21 & !t5;
    let t65 = !(t9 | t64); let t66 = t65 | t63; let t67 = !t66; let t68 = t67 ^ t31; let t69 = !(t68 & t62);
    let t70 = t69 ^ t59; let t71 = t70 ^ t47; let t72 = !t62; let t73 = t72 ^ t54; let t74 = t68 ^ t58;
    let t75 = t73 & !t74; let t76 = t75 ^ t69; let t77 = t36 ^ t40; let t78 = t31 ^ t45; let t79 = t77 & !t78;
    let t80 = t79 ^ t37; let t81 = t80 ^ t76; let t82 = t81 ^ t71; let t83 = t25 & !t82; let t84 = !(t24 | t71);
    let t85 = t84 ^ t83; let t86 = t5 & !t8; let t87 = !(t29 | t86); let t88 = t35 | t60; let t89 = t88 ^ t53;
    let t90 = t66 ^ t57; let t91 = t90 | t89; let t92 = t88 & !t66; let t93 = !t92; let t94 = t93 ^ t91;
    let t95 = !(t94 ^ t47); let t96 = t95 | t87; let t97 = t42 & !t9; let t98 = x5 & !t5; let t99 = t98 | t26;
    let t100 = !(t99 | t97); let t101 = t57 & !t53; let t102 = t101 ^ t92; let t103 = t102 ^ t94; let t104 = !(t103 ^ t80);
    let t105 = t104 & !t100; let t106 = t105 ^ t96; let t107 = !t106; let t108 = t107 ^ t85; let t109 = t108 | t18;
    let y5 = !(t104 ^ t71); let y0 = y5 ^ t109; let t110 = !t8; let t111 = t42 & !t110; let t112 = t111 | t64;
    let t113 = t11 & !t112; let t114 = !(t113 | t16); let t115 = t100 ^ t87; let t116 = t104 ^ t95; let t117 = t115 & !t116;
    let t118 = t117 ^ t96; let t119 = !t84; let t120 = t81 & !t20; let t121 = t120 ^ t119; let t122 = t121 ^ t85;
    let t123 = t122 ^ t118; let t124 = t123 | t114; let y1 = !(t124 ^ t95); let t125 = !t71; let t126 = t2 & !t5;
    let t127 = t126 & !t8; let t128 = t56 | t12; let t129 = t128 | t127; let t130 = t12 & !t19; let t131 = t130 & !t86;
    let t132 = t129 & !t131; let t133 = t132 | t16; let t134 = t86 | t126; let t135 = t104 ^ t81; let t136 = !(t95 ^ t71);
    let t137 = t136 ^ t135; let t138 = t137 | t134; let t139 = !t87; let t140 = t139 ^ t24; let t141 = !(t140 | t136);
    let t142 = t141 ^ t118; let t143 = t142 ^ t138; let t144 = t143 | !t133; let y6 = t144 ^ t124; let y2 = y6 ^ t125;
    let t145 = t6 & !t42; let t146 = t5 ^ t21; let t147 = t8 | t6; let t148 = t147 | !t146; let t149 = t148 & !t145;
    let t150 = t149 | t16; let t151 = t100 ^ t20; let t152 = !(t151 & t135); let t153 = t141 ^ t106; let t154 = t153 ^ t152;
    let t155 = t150 & !t154; let y3 = t155 ^ t82; let t156 = !t104; let t157 = t155 ^ t124; let y4 = t157 ^ t156;
    let t158 = !t135; let y7 = t157 ^ t158;
    [y0, y1, y2, y3, y4, y5, y6, y7]
}

#[cfg(test)]
mod tests {
    use super::{PI, pi, pi_inverse};

    #[test]
    fn circuits_are_the_table() {
        let run = |circuit: fn([u8; 8]) -> [u8; 8], x: u8| {
            let planes = circuit(core::array::from_fn(|b| 0u8.wrapping_sub(x >> b & 1)));
            planes.iter().enumerate().fold(0, |y, (b, p)| y | (p & 1) << b)
        };
        for x in 0..=255u8 {
            assert_eq!(run(pi, x), PI[usize::from(x)]);
            assert_eq!(run(pi_inverse, PI[usize::from(x)]), x);
        }
    }
}
