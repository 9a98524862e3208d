//! What a chained stream does around the cipher: the same for every kernel.

use crate::cipher::{Chain, Data, Lane};

/// One lane of the cipher.
type Stream<'a, S> = Lane<'a, S, 16>;

/// What goes into the cipher for block `i` of the lane.
#[inline(always)]
pub(super) fn before<S>(chain: Chain, lane: &Stream<'_, S>, i: usize) -> [u8; 16] {
    match (chain, &lane.data) {
        (Chain::Mac, Data::Read(data)) => add(lane.state, &data[16 * i..]),
        (Chain::CbcEncrypt, Data::Through(data)) => add(lane.state, &data.get_in()[16 * i..]),
        _ => *lane.state,
    }
}

/// Takes what the cipher made of it: the register and the output.
#[inline(always)]
pub(super) fn after<S>(chain: Chain, lane: &mut Stream<'_, S>, i: usize, made: &[u8; 16]) {
    *lane.state = *made;
    if let Data::Through(data) = &mut lane.data {
        let mut y = *made;
        if chain != Chain::CbcEncrypt {
            y = add(&y, &data.get_in()[16 * i..]);
        }
        if chain == Chain::CfbEncrypt {
            *lane.state = y;
        }
        data.get_out()[16 * i..16 * i + 16].copy_from_slice(&y);
    }
}

fn add(a: &[u8; 16], b: &[u8]) -> [u8; 16] {
    core::array::from_fn(|i| a[i] ^ b[i])
}
