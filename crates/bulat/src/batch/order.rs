//! Sorts lists of all kinds by numbers: one sort, which is compiled once.

use alloc::vec::Vec;

/// Sorts a list by a pair of numbers of each element; elements with equal numbers keep their order.
pub(super) fn order<T>(list: &mut [T], numbers: impl Fn(&T) -> [usize; 2]) {
    let mut from = Vec::with_capacity(list.len());
    from.extend(list.iter().enumerate().map(|(i, element)| (numbers(element), i)));
    if !sort(&mut from) {
        return;
    }
    // Each cycle of the permutation takes one swap less than it has elements, which leaves no copies.
    for first in 0..list.len() {
        let mut at = first;
        loop {
            let next = core::mem::replace(&mut from[at].1, at);
            if next == first || next == at {
                break;
            }
            list.swap(at, next);
            at = next;
        }
    }
}

/// Returns whether the order has changed.
#[inline(never)]
fn sort(places: &mut [([usize; 2], usize)]) -> bool {
    let changes = !places.is_sorted();
    if changes {
        places.sort_unstable();
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::order;
    use alloc::vec::Vec;

    #[test]
    fn as_the_stable_sort_of_the_standard_library() {
        let mut state = 1u32;
        for len in 0..200 {
            for kinds in [1, 2, 7, 1000] {
                let mut list: Vec<(u32, usize)> = Vec::new();
                for i in 0..len {
                    state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                    list.push(((state >> 8) % kinds, i));
                }
                let mut expected = list.clone();
                expected.sort_by_key(|(key, _)| *key);
                order(&mut list, |(key, _)| [*key as usize, 0]);
                assert_eq!(list, expected);
            }
        }
    }
}
