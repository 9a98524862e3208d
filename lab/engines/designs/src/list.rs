//! Everything there is: algorithm, variant, whether this machine can, and how its work is made.

use engine::{Case, Work};

use crate::magma::{DECRYPT, ENCRYPT, Keys, Many};
use crate::s_files::{Compress, Hash};
use crate::{e_kuz, e_mag, g_node, k_asm, kuznyechik, m_avx2, modes, s_files, streams};

/// One thing that can be asked for.
pub struct Design {
    pub algorithm: &'static str,
    pub variant: &'static str,
    /// Makes the work; the case has been looked at.
    pub work: Box<dyn Fn(&Case) -> Work>,
}

/// Which of the modes a design of Magma has.
#[derive(Clone, Copy, PartialEq)]
enum Lanes {
    /// Blocks of one text.
    Blocks,
    /// Streams with a key each.
    Streams,
}

struct List(Vec<Design>);

impl List {
    fn add(
        &mut self,
        algorithm: &'static str,
        variant: &'static str,
        work: impl Fn(&Case) -> Work + 'static,
    ) {
        self.0.push(Design { algorithm, variant, work: Box::new(work) });
    }

    fn magma<const N: usize>(&mut self, variant: &'static str, lanes: Lanes, many: Many<N>) {
        if lanes == Lanes::Blocks {
            self.add("magma-ecb", variant, move |case| {
                let order = if case.decrypt { DECRYPT } else { ENCRYPT };
                each(
                    case,
                    |i| Keys::of_lanes(|_| i, u32::from_be_bytes),
                    move |keys, text, _| {
                        modes::ecb(|blocks| many(keys, order, blocks), text);
                    },
                )
            });
            self.add("magma-ctr", variant, move |case| {
                let key =
                    |i| (Keys::of_lanes(|_| i, u32::from_be_bytes), u64::from_be_bytes(iv(i)));
                each(case, key, move |(keys, iv), text, _| {
                    let counter = |i: u64| (iv | i & 0xffff_ffff).to_be_bytes();
                    modes::ctr(|blocks| many(keys, ENCRYPT, blocks), counter, text);
                })
            });
            return;
        }
        let (magma, gost89) = (u32::from_be_bytes, u32::from_le_bytes);
        let modes: [(_, [streams::Mode<N>; 2], fn([u8; 4]) -> u32, _); 5] = [
            ("magma-ecb", [streams::ecb_encrypt, streams::ecb_decrypt], magma, 0),
            ("magma-ctr", [streams::ctr, streams::ctr], magma, 4),
            ("magma-cfb", [streams::cfb_encrypt, streams::cfb_decrypt], magma, 8),
            ("gost89-cnt-12", [streams::cnt, streams::cnt], gost89, 8),
            ("gost-mac-12", [streams::imit, streams::imit], gost89, 0),
        ];
        for (algorithm, mode, word, iv) in modes {
            self.add(algorithm, variant, move |case| {
                streams::work(case, many, mode[usize::from(case.decrypt)], word, iv)
            });
        }
    }

    fn kuznyechik<const N: usize>(
        &mut self,
        variant: &'static str,
        many: fn(&kuznyechik::Keys, &mut [[u8; 16]; N]),
    ) {
        self.add("kuznyechik-ecb", variant, move |case| {
            each(case, kuznyechik_keys, move |keys, text, _| {
                modes::ecb(|blocks| many(keys, blocks), text);
            })
        });
        self.add("kuznyechik-ctr", variant, move |case| {
            each(
                case,
                |i| (kuznyechik_keys(i), u128::from_be_bytes(iv(i))),
                move |(keys, iv), text, _| {
                    let counter = |i| (iv | u128::from(i)).to_be_bytes();
                    modes::ctr(|blocks| many(keys, blocks), counter, text);
                },
            )
        });
    }

    fn k_asm(&mut self, variant: &'static str, text: fn(&k_asm::Keys, &mut [u8])) {
        self.add("kuznyechik-ecb", variant, move |case| {
            each(case, |i| k_asm::keys(&engine::key(i, 32)), move |keys, data, _| text(keys, data))
        });
    }

    fn streebog(&mut self, variant: &'static str, compress: Compress) {
        for (algorithm, short) in [("streebog512", false), ("streebog256", true)] {
            self.add(algorithm, variant, move |case| {
                each(
                    case,
                    |_| (),
                    move |(), text, out| {
                        let mut hash = Hash::new(compress, short);
                        hash.update(text);
                        out.clear();
                        out.extend_from_slice(&hash.finish()[if short { 32 } else { 0 }..]);
                    },
                )
            });
        }
    }
}

fn kuznyechik_keys(stream: usize) -> kuznyechik::Keys {
    kuznyechik::keys(&engine::key(stream, 32))
}

/// The first half of a counter block.
fn iv<const B: usize>(stream: usize) -> [u8; B] {
    let mut block = [0; B];
    block[..B / 2].copy_from_slice(&engine::iv(stream, B / 2));
    block
}

/// Work on one text at a time.
fn each<K: Send + 'static>(
    case: &Case,
    key: impl Fn(usize) -> K,
    one: impl Fn(&K, &mut [u8], &mut Vec<u8>) + Send + 'static,
) -> Work {
    let keys: Vec<K> = (0..case.streams).map(key).collect();
    Box::new(move |input| {
        for (key, (text, out)) in keys.iter().zip(input.both()) {
            one(key, text, out);
        }
    })
}

/// The designs that this machine can run.
pub fn all() -> Vec<Design> {
    use Lanes::{Blocks, Streams};
    let mut list = List(Vec::new());
    list.magma("m-avx2-scalar", Blocks, m_avx2::scalar_vartime);
    list.magma("g-node-table-array", Blocks, g_node::table_vartime);
    list.magma("g-node-table-2-array", Blocks, g_node::table_of_two_vartime);
    list.magma("g-node-table", Streams, g_node::table_vartime);
    list.magma("g-node-table-2", Streams, g_node::table_of_two_vartime);
    list.magma("e-mag-16", Blocks, e_mag::portable_vartime);
    list.kuznyechik("e-kuz-sequential", e_kuz::sequential_vartime);
    list.kuznyechik("e-kuz-8", e_kuz::eight_vartime);
    list.k_asm("k-asm-plain", k_asm::plain_vartime);
    #[cfg(target_arch = "x86_64")]
    {
        list.k_asm("k-asm-r4p8a", k_asm::r4p8a_vartime);
        if std::is_x86_feature_detected!("avx") {
            list.magma("g-node-avx-16-array", Blocks, g_node::avx_vartime);
            list.magma("g-node-avx-16", Streams, g_node::avx_vartime);
            list.magma("e-mag-16-avx", Blocks, e_mag::avx_vartime);
        }
        if std::is_x86_feature_detected!("avx2") {
            list.magma("m-avx2-8", Blocks, m_avx2::eight_vartime);
            list.magma("g-node-avx2-32-array", Blocks, g_node::avx2_vartime);
            list.magma("g-node-avx2-32", Streams, g_node::avx2_vartime);
            list.magma("e-mag-16-avx2", Blocks, e_mag::avx2_vartime);
            list.magma("e-mag-32-avx2", Blocks, e_mag::avx2_of_32_vartime);
        }
    }
    for (variant, compress) in versions() {
        list.streebog(variant, compress);
    }
    list.0
}

/// The versions of S-FILES that this machine can run.
pub fn versions() -> Vec<(&'static str, Compress)> {
    let list: Vec<(_, Compress)> =
        vec![("s-files-v2.2", s_files::v2_2_vartime), ("s-files-v2.3", s_files::v2_3_vartime)];
    #[cfg(target_arch = "x86_64")]
    let list = {
        use s_files::vectors;
        let mut list = list;
        if std::is_x86_feature_detected!("sse4.1") {
            list.push(("s-files-v2.3-sse4.1", vectors::v2_3_sse41_vartime));
        }
        if std::is_x86_feature_detected!("avx") {
            list.push(("s-files-v2.1-avx", vectors::v2_1_avx_vartime));
        }
        if std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
        {
            list.push(("s-files-v2.2-auto-avx2", vectors::v2_2_auto_vartime));
        }
        list
    };
    list
}

/// Why a case is none for a design of its algorithm.
pub fn refusal(case: &Case) -> Option<String> {
    let block = if case.algorithm.starts_with("kuznyechik") { 16 } else { 8 };
    let algorithm = &case.algorithm;
    if case.decrypt && algorithm == "kuznyechik-ecb" {
        return Some("the source measures encryption; no tables of the inverse here".into());
    }
    let one_way = ["streebog512", "streebog256", "gost-mac-12"];
    if case.decrypt && one_way.contains(&algorithm.as_str()) {
        return Some(format!("{algorithm} has one direction"));
    }
    if algorithm.ends_with("-ecb") && !case.size.is_multiple_of(block) {
        return Some(format!("{algorithm} needs whole blocks of {block} bytes, not {}", case.size));
    }
    None
}
