//! Modes on blocks of one array (GOST R 34.13-2015, 5.1 and 5.2): `many` transforms N blocks of B bytes in place.

/// ECB: whole blocks; where fewer than N are left, the others are thrown away.
pub fn ecb<const B: usize, const N: usize>(many: impl Fn(&mut [[u8; B]; N]), text: &mut [u8]) {
    let (groups, rest) = text.as_chunks_mut::<B>().0.as_chunks_mut::<N>();
    groups.iter_mut().for_each(&many);
    if !rest.is_empty() {
        let mut group = [[0; B]; N];
        group[..rest.len()].copy_from_slice(rest);
        many(&mut group);
        rest.copy_from_slice(&group[..rest.len()]);
    }
}

/// CTR: `counter` makes the block of a number. It should do so in registers: a block stored in two parts and
/// then loaded whole would hold up every block.
pub fn ctr<const B: usize, const N: usize>(
    many: impl Fn(&mut [[u8; B]; N]),
    counter: impl Fn(u64) -> [u8; B],
    text: &mut [u8],
) {
    let mut number = 0;
    let mut group = [[0; B]; N];
    for part in text.chunks_mut(B * N) {
        for block in &mut group {
            *block = counter(number);
            number += 1;
        }
        many(&mut group);
        add(part, group.as_flattened());
    }
}

/// Adds gamma to a text that is no longer than it.
#[inline(always)]
pub fn add(text: &mut [u8], gamma: &[u8]) {
    let (words, rest) = text.as_chunks_mut::<8>();
    let (gammas, gamma) = gamma[..].as_chunks::<8>();
    for (word, gamma) in words.iter_mut().zip(gammas) {
        *word = (u64::from_ne_bytes(*word) ^ u64::from_ne_bytes(*gamma)).to_ne_bytes();
    }
    let tail = gammas.get(words.len()).map_or(gamma, |g| &g[..]);
    rest.iter_mut().zip(tail).for_each(|(byte, gamma)| *byte ^= gamma);
}
