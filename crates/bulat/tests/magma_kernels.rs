//! Every kernel of Magma and GOST 28147-89 against the reference: S-boxes, counters and forms, over the lengths at which
//! kernels change their ways. `lanes` has many streams side by side.

mod forced;
mod shapes;

use bulat::{BlockCipher, Error, Gost28147, Magma, ParamSet, Sboxes, survey};
use bulat_core::cipher::{ACPKM, Chain, Count};
use bulat_core::kernel::{assume_forms, available, take_form};
use reference::magma as model;
use shapes::{Model, On, on};
use testkit::Random;

const COUNTS: [Count; 4] = [Count::Whole, Count::Right, Count::Left, Count::Cnt];
const CHAINS: [Chain; 5] =
    [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb, Chain::Mac, Chain::Imit];

/// A cipher under a random key. GOST 28147-89 has a count and a chain that Magma lacks.
struct Subject<C, M> {
    on: On<C>,
    model: M,
    counts: &'static [Count],
    chains: &'static [Chain],
}

fn magma(dice: &mut Random) -> Subject<Magma, model::Magma> {
    let key = dice.array();
    let on = on("magma", |kernel| Magma::new(&key).on(kernel));
    let model = model::Magma::new(&key).expect("32 bytes");
    Subject { on, model, counts: &COUNTS[..3], chains: &CHAINS[..4] }
}

fn gost28147(dice: &mut Random, sboxes: &Sboxes) -> Subject<Gost28147, model::Gost89> {
    let key = dice.array();
    let on = on("magma", |kernel| Gost28147::new(&key, sboxes.clone()).on(kernel));
    let model = model::Gost89::new(&key, sboxes.rows()).expect("permutations");
    Subject { on, model, counts: &COUNTS, chains: &CHAINS }
}

/// Every parameter set; boxes of no set.
fn every_sboxes(dice: &mut Random) -> Vec<Sboxes> {
    let own = [0, 1].map(|_| Sboxes::new(dice.sboxes()).unwrap());
    own.into_iter().chain(ParamSet::ALL.map(Sboxes::from)).collect()
}

/// Numbers of blocks at which kernels change their way: vectors of 16 to 64 blocks, one to four
/// or twelve of them side by side, batches of planes, and a block more or less.
fn lengths() -> impl Iterator<Item = usize> {
    let batches = [96, 128, 160, 192, 256, 320, 384, 512, 768, 1024];
    let mixed = [
        192 + 128 + 64 + 32 + 16 + 3, // every width of groups once, and a tail
        512 + 192 + 31,
        3 * 512 + 5, // two batches of planes, a single batch, and a tail
    ];
    (0..=70).chain(batches.into_iter().flat_map(|n| [n - 1, n, n + 1])).chain(mixed)
}

#[test]
fn independent_blocks() {
    fn check<C: BlockCipher>(subject: Subject<C, impl Model>, dice: &mut Random) {
        lengths().for_each(|n| shapes::map(&subject.on, &subject.model, &dice.bytes(8 * n)));
    }
    let dice = &mut Random::new(1);
    check(magma(dice), dice);
    for sboxes in every_sboxes(dice) {
        check(gost28147(dice, &sboxes), dice);
    }
}

#[test]
fn counters() {
    fn check<C>(subject: Subject<C, impl Model>, dice: &mut Random)
    where
        C: BlockCipher<Block = [u8; 8]>,
    {
        // Carries out of 16, 32 and 64 bits and the two zeros of the end-around carry, each near the start,
        // in the middle of a group and of a batch.
        let carries = [
            0x0000_0000_0000_0000,
            0x1234_5678_ffff_fff5,
            0x1234_5678_ffff_ff80,
            0x1234_5678_ffff_fd00,
            0xffff_ffff_ffff_ff00,
            0xffff_ff80_1234_5678,
            0xffff_fffe_0000_fff0,
            u64::MAX,
        ];
        for (i, n) in lengths().enumerate() {
            let text = dice.bytes(8 * n);
            for &count in subject.counts {
                let carry: u64 = carries[(i + count as usize) % carries.len()];
                for start in [carry.to_be_bytes(), carry.to_le_bytes(), dice.array()] {
                    shapes::stream(&subject.on, &subject.model, (count, start), &text);
                }
            }
        }
    }
    let dice = &mut Random::new(2);
    check(magma(dice), dice);
    for sboxes in every_sboxes(dice) {
        check(gost28147(dice, &sboxes), dice);
    }
}

/// A single stream, and one block or two, in every form that a kernel has for them, not only the form that
/// this processor prefers.
#[test]
fn one_stream_in_every_form() {
    fn check<C>(mut subject: Subject<C, impl Model>, kernel: &str, dice: &mut Random)
    where
        C: BlockCipher<Block = [u8; 8]>,
    {
        subject.on.retain(|(name, _)| *name == kernel);
        for n in (1..20).chain([64, 65, 200]) {
            let text = dice.bytes(8 * n);
            shapes::map(&subject.on, &subject.model, &text);
            for &chain in subject.chains {
                shapes::chain(&subject.on, &subject.model, (chain, dice.array()), &text);
            }
        }
    }
    let dice = &mut Random::new(5);
    let forms = survey::forms();
    let one = forms.iter().find(|f| (f.primitive, f.name) == ("magma", "one stream")).unwrap();
    assert!(one.forms.len() >= 3 && one.forms.contains(&one.taken));
    if !available(one.kernel) {
        return;
    }
    for form in one.forms {
        println!("{form}");
        take_form(one.primitive, one.name, form).unwrap();
        check(magma(dice), one.kernel, dice);
        for sboxes in every_sboxes(dice) {
            check(gost28147(dice, &sboxes), one.kernel, dice);
        }
    }
    assume_forms(None);
    assert!(take_form("magma", "one stream", "none").is_err());
    assert!(take_form("magma", "no choice", "zmm").is_err());
}

/// Sections side by side equal sections in turn. Returns the kernels and the blocks of a section that ran side by side.
fn sections_of<C: BlockCipher<Block = [u8; 8]>, M: Model>(
    make: impl Fn(&[u8; 32], &'static str) -> Result<C, Error>,
    model: impl Fn(&[u8; 32]) -> M,
    dice: &mut Random,
) -> Vec<(&'static str, usize)> {
    let mut together = Vec::new();
    for blocks in [1, 3, 32, 64, 96, 128, 256, 512] {
        for count in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 17, 35] {
            let (size, key) = (8 * blocks, dice.array());
            let text = dice.bytes(size * count + 5 * 8);
            let start =
                [0xffff_ffff_ffff_ff80_u64, 0xffff_fe80, 1 << 40, 0][count % 4].to_be_bytes();
            for (kernel, cipher) in on("magma", |kernel| make(&key, kernel)) {
                let what = || format!("{kernel}, {count} sections of {blocks}");
                let mut scratch = text.clone();
                let done = cipher.clone().sections(&mut { start }, size, (&mut scratch[..]).into());
                let whole = done <= size * count && done.is_multiple_of(size);
                assert!(whole, "{}: {done} bytes done", what());
                let (mut want, mut after, mut last) = (text.clone(), start, model(&key));
                for (i, section) in want[..done].chunks_mut(size).enumerate() {
                    if i > 0 {
                        let mut key = ACPKM;
                        key.chunks_mut(8).for_each(|block| last.encrypt(block));
                        last = model(&key);
                    }
                    shapes::gamma(&last, Count::Whole, &mut after, section);
                }
                let mut of_last = [9; 8];
                last.encrypt(&mut of_last);
                shapes::both_ways(&text, &want, &what, |mut data| {
                    let (mut cipher, mut counter) = (cipher.clone(), start);
                    assert_eq!(cipher.sections(&mut counter, size, data.reborrow()), done);
                    assert_eq!(counter, after, "{}", what());
                    let mut block = [9; 8];
                    cipher.encrypt_block(&mut block);
                    assert_eq!(block, of_last, "{}: the last key", what());
                    // The rest has not been written.
                    let rest = data.get_in()[done..].to_vec();
                    data.get_out()[done..].copy_from_slice(&rest);
                });
                if done > 0 {
                    together.push((kernel, blocks));
                }
            }
        }
    }
    together
}

#[test]
fn sections() {
    let dice = &mut Random::new(4);
    let make = |key: &[u8; 32], kernel| Magma::new(key).on(kernel);
    let mut together = sections_of(make, |key| model::Magma::new(key).expect("32 bytes"), dice);
    for set in [ParamSet::Tc26Z, ParamSet::CryptoProA] {
        let rows = *Sboxes::from(set).rows();
        let make = |key: &[u8; 32], kernel| Gost28147::new(key, set).on(kernel);
        together.extend(sections_of(make, |k| model::Gost89::new(k, &rows).expect("32"), dice));
    }
    together.sort_unstable();
    together.dedup();
    println!("side by side: {together:?}");
    // A batch of planes in 512 bits has 4096 bytes: two, four or eight sections.
    if forced::kernels("magma").any(|k| k == "avx512") {
        for blocks in [64, 128, 256] {
            assert!(together.contains(&("avx512", blocks)), "{blocks} blocks, one after the other");
        }
    }
}
