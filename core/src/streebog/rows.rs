//! What the rounds in the field of AES ask of the vectors of a state.

/// Streebog: 64 bytes as eight groups of eight, over the field of AES (see `streebog::image`).
///
/// A value exists only where its instruction set does: `load` and `splat` take the token.
pub(super) trait Rows: Copy {
    /// The proof of the instruction set.
    type Isa: Copy;
    /// The S-box's table in registers.
    type Sbox: Copy;
    fn sbox(isa: Self::Isa) -> Self::Sbox;
    fn load(isa: Self::Isa, octets: &[u8; 64]) -> Self;
    fn store(self, octets: &mut [u8; 64]);
    /// Φ on every byte, and back.
    fn enter_image(self) -> Self;
    fn leave_image(self) -> Self;
    fn xor(self, b: Self) -> Self;
    fn xor3(self, b: Self, c: Self) -> Self;
    /// Byte k of group i and byte i of group k change places.
    fn transposed(self) -> Self;
    /// Φ∘π∘Φ⁻¹ on every byte.
    fn substitute(self, sbox: &Self::Sbox) -> Self;
    /// L from `Rows` to `Columns`, plus e and f.
    fn mix_groups(self, e: Self, f: Self) -> Self;
    /// L from `Columns` to `Rows`, plus e and f.
    fn mix_inside(self, e: Self, f: Self) -> Self;
    /// What `compress` of the rounds gives for one message, where that is assembly.
    #[inline(always)]
    fn compress(_: &Self::Sbox, _key: Self, _text: Self, _last: Self) -> Option<Self> {
        None
    }
    /// Eight messages in groups of columns, to vectors of one column of each: see `streebog::eights`.
    fn weave(v: &mut [Self; 8]);
    /// The inverse.
    fn unweave(v: &mut [Self; 8]);
    /// Columns, as `weave` leaves them, of messages whose first rows are these groups, and the others zero.
    fn first_rows(self) -> [Self; 8];
    /// In each 16 bytes, the first four words of both in turn, and the last four.
    fn unpack_words(self, b: Self) -> (Self, Self);
    /// 16 bytes, everywhere.
    fn repeat(isa: Self::Isa, octets: &[u8; 16]) -> Self;
    /// A group, each byte twice, in every 16 bytes.
    fn splat(isa: Self::Isa, group: &[u8]) -> Self;
    /// Every byte by a factor of `streebog::image::L`.
    fn by(self, factor: &u64) -> Self;
}
