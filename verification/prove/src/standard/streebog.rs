//! RFC 6986. Bytes in memory order: the RFC's vectors reversed.

use super::{numbers, substitute, xor};
use crate::bytes::add;
use crate::domain::{Byte, Table, ZERO, combined, table};

/// The matrix A of section 6.4, by rows.
#[rustfmt::skip]
pub const A: [u64; 64] = [
    0x8e20_faa7_2ba0_b470, 0x4710_7ddd_9b50_5a38, 0xad08_b0e0_c328_2d1c, 0xd804_5870_ef14_980e,
    0x6c02_2c38_f90a_4c07, 0x3601_161c_f205_268d, 0x1b8e_0b0e_798c_13c8, 0x8347_8b07_b246_8764,
    0xa011_d380_818e_8f40, 0x5086_e740_ce47_c920, 0x2843_fd20_67ad_ea10, 0x14af_f010_bdd8_7508,
    0x0ad9_7808_d06c_b404, 0x05e2_3c04_6836_5a02, 0x8c71_1e02_341b_2d01, 0x46b6_0f01_1a83_988e,
    0x90da_b52a_387a_e76f, 0x486d_d415_1c3d_fdb9, 0x24b8_6a84_0e90_f0d2, 0x125c_3542_0748_7869,
    0x092e_9421_8d24_3cba, 0x8a17_4a9e_c812_1e5d, 0x4585_254f_6409_0fa0, 0xaccc_9ca9_328a_8950,
    0x9d4d_f05d_5f66_1451, 0xc0a8_78a0_a133_0aa6, 0x6054_3c50_de97_0553, 0x302a_1e28_6fc5_8ca7,
    0x1815_0f14_b9ec_46dd, 0x0c84_890a_d276_23e0, 0x0642_ca05_693b_9f70, 0x0321_658c_ba93_c138,
    0x8627_5df0_9ce8_aaa8, 0x439d_a078_4e74_5554, 0xafc0_503c_273a_a42a, 0xd960_281e_9d1d_5215,
    0xe230_140f_c080_2984, 0x7118_0a89_6040_9a42, 0xb60c_05ca_3020_4d21, 0x5b06_8c65_1810_a89e,
    0x456c_3488_7a38_05b9, 0xac36_1a44_3d1c_8cd2, 0x561b_0d22_900e_4669, 0x2b83_8811_4807_23ba,
    0x9bcf_4486_248d_9f5d, 0xc3e9_2243_12c8_c1a0, 0xeffa_11af_0964_ee50, 0xf97d_86d9_8a32_7728,
    0xe4fa_2054_a80b_329c, 0x727d_102a_548b_194e, 0x39b0_0815_2acb_8227, 0x9258_0484_15eb_419d,
    0x492c_0242_84fb_aec0, 0xaa16_0121_42f3_5760, 0x550b_8e9e_21f7_a530, 0xa48b_474f_9ef5_dc18,
    0x70a6_a56e_2440_598e, 0x3853_dc37_1220_a247, 0x1ca7_6e95_0910_51ad, 0x0edd_37c4_8a08_a6d8,
    0x07e0_9562_4504_536c, 0x8d70_c431_ac02_a736, 0xc838_6296_5601_dd1b, 0x641c_314b_2b8e_e083,
];
/// The constants of section 6.5, each by its parts of 128 bits.
#[rustfmt::skip]
pub const C: [[u128; 4]; 12] = [
    [0xb108_5bda_1eca_dae9_ebcb_2f81_c065_7c1f, 0x2f6a_7643_2e45_d016_714e_b88d_7585_c4fc, 0x4b7c_e091_9267_6901_a242_2a08_a460_d315, 0x0576_7436_cc74_4d23_dd80_6559_f2a6_4507],
    [0x6fa3_b58a_a99d_2f1a_4fe3_9d46_0f70_b5d7, 0xf3fe_ea72_0a23_2b98_61d5_5e0f_16b5_0131, 0x9ab5_176b_12d6_9958_5cb5_61c2_db0a_a7ca, 0x55dd_a21b_d7cb_cd56_e679_0470_21b1_9bb7],
    [0xf574_dcac_2bce_2fc7_0a39_fc28_6a3d_8435, 0x06f1_5e5f_529c_1f8b_f2ea_7514_b129_7b7b, 0xd3e2_0fe4_9035_9eb1_c1c9_3a37_6062_db09, 0xc2b6_f443_867a_db31_991e_96f5_0aba_0ab2],
    [0xef1f_dfb3_e815_66d2_f948_e1a0_5d71_e4dd, 0x488e_857e_335c_3c7d_9d72_1cad_685e_353f, 0xa9d7_2c82_ed03_d675_d8b7_1333_9352_03be, 0x3453_eaa1_93e8_37f1_220c_bebc_84e3_d12e],
    [0x4bea_6bac_ad47_4799_9a3f_410c_6ca9_2363, 0x7f15_1c1f_1686_104a_359e_35d7_800f_ffbd, 0xbfcd_1747_253a_f5a3_dfff_00b7_2327_1a16, 0x7a56_a27e_a9ea_63f5_6017_58fd_7c6c_fe57],
    [0xae4f_aeae_1d3a_d3d9_6fa4_c33b_7a30_39c0, 0x2d66_c4f9_5142_a46c_187f_9ab4_9af0_8ec6, 0xcffa_a6b7_1c9a_b7b4_0af2_1f66_c2be_c6b6, 0xbf71_c572_3690_4f35_fa68_407a_4664_7d6e],
    [0xf4c7_0e16_eeaa_c5ec_51ac_86fe_bf24_0954, 0x399e_c6c7_e6bf_87c9_d347_3e33_197a_93c9, 0x0992_abc5_2d82_2c37_0647_6983_284a_0504, 0x3517_454c_a23c_4af3_8886_564d_3a14_d493],
    [0x9b1f_5b42_4d93_c9a7_03e7_aa02_0c6e_4141, 0x4eb7_f871_9c36_de1e_89b4_443b_4ddb_c49a, 0xf489_2bcb_929b_0690_69d1_8d2b_d1a5_c42f, 0x36ac_c235_5951_a8d9_a47f_0dd4_bf02_e71e],
    [0x378f_5a54_1631_229b_944c_9ad8_ec16_5fde, 0x3a7d_3a1b_2589_4224_3cd9_55b7_e00d_0984, 0x800a_440b_dbb2_ceb1_7b2b_8a9a_a607_9c54, 0x0e38_dc92_cb1f_2a60_7261_4451_8323_5adb],
    [0xabbe_dea6_8005_6f52_382a_e548_b2e4_f3f3, 0x8941_e71c_ff8a_78db_1fff_e18a_1b33_6103, 0x9fe7_6702_af69_334b_7a1e_6c30_3b76_52f4, 0x3698_fad1_153b_b6c3_74b4_c7fb_9845_9ced],
    [0x7bcd_9ed0_efc8_89fb_3002_c6cd_635a_fe94, 0xd8fa_6bbb_ebab_0761_2001_8021_1484_6679, 0x8a1d_71ef_ea48_b9ca_efba_cd1d_7d47_6e98, 0xdea2_594a_c06f_d85d_6bca_a4cd_81f3_2d1b],
    [0x378e_e767_f116_31ba_d213_80b0_0449_b17a, 0xcda4_3c32_bcdf_1d77_f820_12d4_3021_9f9b, 0x5d80_ef9d_1891_cc86_e71d_a4aa_88e1_2852, 0xfaf4_17d5_d9b2_1b99_48bc_924a_f11b_d720],
];

/// The tables of l: what byte i of a word gives to byte j.
fn tables() -> [[Table; 8]; 8] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            // Bit b of the vector goes with row 63 - b.
            let row = |bit: usize| (A[63 - (8 * i + bit)] >> (8 * j)) as u8;
            table(|x| (0..8).filter(|bit| x >> bit & 1 != 0).fold(0, |r, bit| r ^ row(bit)))
        })
    })
}

/// S, P and L.
pub fn lps(state: &[Byte]) -> Vec<Byte> {
    let (s, tables) = (substitute(state), tables());
    // P is the transposition.
    let of = |w: usize, j: usize| combined((0..8).map(|i| (tables[i][j], s[8 * i + w])));
    (0..64).map(|k| of(k / 8, k % 8)).collect()
}

/// The constant of a round, in memory order.
pub fn constant(i: usize) -> Vec<Byte> {
    let parts = C[i].iter().rev().flat_map(|part| part.to_le_bytes());
    numbers(&parts.collect::<Vec<_>>())
}

/// K_1 to K_13 of section 8.
pub fn keys(h: &[Byte], n: &[Byte]) -> Vec<Vec<Byte>> {
    let mut keys = vec![lps(&xor(h, n))];
    for i in 0..12 {
        keys.push(lps(&xor(&keys[i], &constant(i))));
    }
    keys
}

/// g_N(h, m).
pub fn g(n: &[Byte], h: &[Byte], m: &[Byte]) -> Vec<Byte> {
    let keys = keys(h, n);
    let mut state = m.to_vec();
    for key in &keys[..12] {
        state = lps(&xor(&state, key));
    }
    xor(&xor(&xor(&state, &keys[12]), h), m)
}

/// A sum modulo 2^512, by words with their carries.
pub fn sum(a: &[Byte], b: &[Byte]) -> Vec<Byte> {
    let (mut out, mut carry) = (Vec::new(), ZERO);
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        let (word, next) = add(a, b, carry);
        out.extend(word);
        carry = next;
    }
    out
}
