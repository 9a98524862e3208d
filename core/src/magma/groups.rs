//! Work cut into groups of lanes, several side by side so that their latencies hide each other.
//!
//! These are macros because closures of this size are not inlined, and what is not inlined is not
//! compiled for the instruction set.

/// Runs `$run` with G = each `$n` groups that is not more than `$most`, the widest first, until `$items`,
/// of which a group takes `$lanes`, are done; the last group may be partly empty, and one more wholly:
/// a few groups take as long as one, so that costs less than two runs.
macro_rules! groups {
    ([$($n:literal)*], $most:expr, $items:expr, $lanes:expr, |$g:ident| $run:expr) => {{
        let mut groups: usize = ($items).div_ceil($lanes);
        let sizes = [$($n),*, 0];
        let mut next = 0;
        $({
            const $g: usize = $n;
            next += 1;
            while $n <= $most && groups > sizes[next] && groups + 1 >= $n {
                groups = groups.saturating_sub($n);
                $run;
            }
        })*
        let _ = (groups, next);
    }};
}

/// `groups!` over data: lends it, in the end a padded copy of what is left of it; `$octets` are the most
/// of one group.
macro_rules! lend {
    (
        [$($n:literal)*], $most:expr, $octets:expr, $data:expr, $lanes:expr,
        |$g:ident, $some:ident| $run:expr
    ) => {{
        let mut data = $data;
        let mut at = 0;
        groups!([$($n)*], $most, data.len() / 8, $lanes, |$g| {
            let octets = 8 * $g * $lanes;
            let (_, mut rest) = data.reborrow().split_at(at);
            let n = rest.len();
            let mut padding = None;
            let mut $some: InOut<'_, '_> = if n < octets {
                let padding = padding.insert([0; $octets * $g]);
                padding[..n].copy_from_slice(rest.get_in());
                (&mut padding[..octets]).into()
            } else {
                rest.reborrow().split_at(octets).0
            };
            $run;
            if let Some(padding) = &mut padding {
                rest.get_out().copy_from_slice(&padding[..n]);
                // What lay past the data may be gamma that is still to be used.
                *padding = [0; $octets * $g];
                black_box(padding);
            }
            at += octets;
        });
        let _ = at;
    }};
}
