//! Whole messages on data in a device's memory, with the library's rules for IVs, lengths and ends.

use bulat::batch::{Key, MacMode, Mode};
use bulat::modes::Meshing;
use bulat::{BlockCipher, Cfb, Ctr, Direction, StreamCipher as _};
use bulat_core::cipher::{Chain, Count};
use zeroize::Zeroizing;

use crate::messages::{body, finish};
use crate::slot::OwnKey;
use crate::texts::{Start, after, registers};
use crate::{Buffer, Channel, Error, Map, Result, Sections, Spans};

impl Channel {
    /// Transforms a text in a mode, from its IV to its last byte, like [`bulat::batch::Job::cipher`]: ECB, CTR,
    /// CTR-ACPKM, CNT and decryption in CBC and CFB. Except for CBC and CFB the buffers may be one. They need not be
    /// longer than the text.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for other modes; [`Error::Refused`] as the processor; the driver's.
    pub fn cipher(
        &mut self,
        key: &Key<'_>,
        mode: Mode,
        iv: &[u8],
        source: &Buffer,
        destination: &Buffer,
        bytes: usize,
    ) -> Result<()> {
        match key {
            Key::Kuznyechik(k) => self.text(*k, key, mode, iv, source, destination, bytes),
            Key::Magma(k) => self.text(*k, key, mode, iv, source, destination, bytes),
            Key::Gost28147(k) => self.text(*k, key, mode, iv, source, destination, bytes),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn text<C: BlockCipher>(
        &mut self,
        cipher: &C,
        key: &Key<'_>,
        mode: Mode,
        iv: &[u8],
        source: &Buffer,
        destination: &Buffer,
        bytes: usize,
    ) -> Result<()> {
        let n = C::BLOCK;
        if bytes > source.len().min(destination.len()) {
            return Err(Error::Refused(bulat::Error::BufferLength));
        }
        if bytes as u64 / n as u64 >= 1 << 31 {
            return Err(Error::Refused(bulat::Error::Limit));
        }
        let (whole, blocks) = (bytes / n * n, (bytes / n) as u64);
        let mode = match mode {
            Mode::Cbc28147(d, Meshing::None) => Mode::Cbc(d),
            Mode::Cfb28147(d, Meshing::None) => Mode::Cfb(d),
            mode => mode,
        };
        let backwards =
            matches!(mode, Mode::Cbc(Direction::Decrypt) | Mode::Cfb(Direction::Decrypt));
        let splits =
            matches!(mode, Mode::Ecb(_) | Mode::Ctr | Mode::CtrAcpkm(_) | Mode::Cnt(Meshing::None));
        if !backwards && !splits {
            return Err(Error::Unsupported(
                "chained modes, and those with key meshing, of one text",
            ));
        }
        if matches!(mode, Mode::Ecb(_)) && !iv.is_empty() || backwards && iv.len() != n {
            return Err(Error::Refused(bulat::Error::IvLength));
        }
        if matches!(mode, Mode::Ecb(_) | Mode::Cbc(_)) && whole < bytes {
            return Err(Error::Refused(bulat::Error::DataLength));
        }
        let mut start = Start::of(cipher, key, mode, iv, bytes)?;
        // The processor does the end. In place, the device would overwrite it, so it is read first.
        let mut end = Zeroizing::new(vec![0; bytes - whole]);
        if !end.is_empty() {
            self.read(source, whole, &mut end)?;
            let mut register = start.register;
            match mode {
                Mode::Ctr | Mode::CtrAcpkm(_) => {
                    let last = start.sections.last().unwrap_or(cipher).clone();
                    Ctr::from_block(last, after(register, whole)).apply_keystream(&mut end)?;
                }
                Mode::Cnt(_) => {
                    let cnt = start.gost.as_mut().ok_or(bulat::Error::Parameter)?;
                    bulat::executor::cnt_skip(cnt, blocks);
                    cnt.apply_keystream(&mut end)?;
                }
                _ => {
                    if let Some(last) = whole.checked_sub(n) {
                        self.read(source, last, register.as_mut())?;
                    }
                    Cfb::with(cipher.clone(), register.as_ref(), Direction::Decrypt)?
                        .apply_keystream(&mut end)?;
                }
            }
        }
        let register = start.register.as_ref();
        if whole > 0 {
            match mode {
                Mode::Ecb(d) => self.map(key, Map::Ecb(d), source, destination, whole)?,
                Mode::Cbc(_) => self.map(key, Map::Cbc(iv), source, destination, whole)?,
                Mode::CtrAcpkm(section) => {
                    let own = OwnKey::of(key);
                    let keys: Vec<OwnKey> =
                        start.sections.iter().map(|k| own.of_cipher(k)).collect();
                    let keys: Vec<Key<'_>> = keys.iter().map(OwnKey::lend).collect();
                    let registers = registers(start.register, section, 0..keys.len());
                    let sections =
                        Sections { registers: &registers, count: Count::Whole, bytes: section };
                    self.sections(&keys, sections, Some(source), destination, whole)?;
                }
                Mode::Ctr => {
                    self.stream(key, register, Count::Whole, Some(source), destination, whole)?;
                }
                Mode::Cnt(_) => {
                    self.stream(key, register, Count::Cnt, Some(source), destination, whole)?;
                }
                _ => self.map(key, Map::Cfb(iv), source, destination, whole)?,
            }
        }
        self.write(destination, whole, &end)
    }

    /// Computes OMAC or IMIT of each message under its own key, like [`bulat::batch::Job::mac`]; returns full tags,
    /// concatenated. Each message must begin at a multiple of the block's length. The processor does the end of each.
    ///
    /// # Errors
    /// As [`Self::lanes`]; [`Error::Unsupported`] for other MACs.
    pub fn macs(
        &mut self,
        keys: &[Key<'_>],
        mode: MacMode,
        spans: Spans<'_>,
        source: &Buffer,
    ) -> Result<Vec<u8>> {
        let n = match keys.first() {
            None => return Ok(Vec::new()),
            Some(Key::Kuznyechik(_)) => 16,
            Some(_) => 8,
        };
        let old = keys.iter().all(|k| matches!(k, Key::Gost28147(_)));
        let chain = match mode {
            MacMode::Omac => Chain::Mac,
            MacMode::Imit(Meshing::None) if old => Chain::Imit,
            _ => return Err(Error::Unsupported("this MAC")),
        };
        let bytes: Vec<u64> =
            spans.bytes.iter().map(|b| body(mode, *b as usize, n) as u64).collect();
        let mut states = Zeroizing::new(vec![0; keys.len() * n]);
        let at = Spans { at: spans.at, bytes: &bytes };
        self.lanes(keys, chain, at, &mut states, source, source)?;
        let mut tags = vec![0; keys.len() * n];
        for (i, key) in keys.iter().enumerate() {
            let (at, body, len) =
                (spans.at[i] as usize, bytes[i] as usize, spans.bytes[i] as usize);
            let mut end = Zeroizing::new(vec![0; len - body]);
            if at.checked_add(len).is_none_or(|e| e > source.len()) {
                return Err(Error::Refused(bulat::Error::DataLength));
            }
            self.read(source, at + body, &mut end)?;
            finish(key, mode, &states[i * n..][..n], len, &end, &mut tags[i * n..][..n]);
        }
        Ok(tags)
    }
}
