//! Streebog, HMAC and PBKDF2 over messages in a device's memory.

use zeroize::Zeroizing;

use crate::driver::args;
use crate::key::streebog_constants;
use crate::{Buffer, Channel, Error, Program, Result, Spans};

impl Channel {
    fn constants(&mut self) -> Result<()> {
        self.ready(Program::Streebog)?;
        if self.constants.is_none() {
            let words = streebog_constants(self.device.driver().ternary());
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            let room = self.allocate(bytes.len())?;
            self.write(&room, 0, &bytes)?;
            self.constants = Some(room);
        }
        Ok(())
    }

    /// Computes the states of Streebog after each message, 64 bytes each: the 512-bit hash, or with `short` the 256-bit
    /// hash in the second half. A prefix is 64 bytes before each message. Without `finish`, the states after the whole
    /// blocks.
    fn hash_states(
        &mut self,
        short: bool,
        finish: bool,
        prefix: Option<&Buffer>,
        spans: Spans<'_>,
        source: &Buffer,
        states: &Buffer,
    ) -> Result<()> {
        self.constants()?;
        let count = spans.at.len();
        let fits = |(at, bytes): (&u64, &u64)| {
            at % 4 == 0 && at.checked_add(*bytes).is_some_and(|e| e <= source.len() as u64)
        };
        if spans.bytes.len() != count || !spans.at.iter().zip(spans.bytes).all(fits) {
            return Err(Error::Refused(bulat::Error::DataLength));
        }
        let extra = if prefix.is_some() { 64 } else { 0 };
        let at: Vec<u8> = spans.at.iter().flat_map(|a| a.to_le_bytes()).collect();
        let lengths: Vec<u8> = spans.bytes.iter().flat_map(|b| (b + extra).to_le_bytes()).collect();
        let (at, lengths) = (self.upload(&at)?, self.upload(&lengths)?);
        let threads =
            (count.div_ceil(32) * 16).next_multiple_of(Program::Streebog.threads() as usize);
        let (sums, scratch) = (self.room(count * 64)?, self.room(threads * 64 * 4)?);
        let constants = self.constants.take().ok_or(Error::Unsupported("constants"))?;
        let (before, has) = (prefix.unwrap_or(&at), u32::from(prefix.is_some()));
        let (all, short, finish) = (count as u32, u32::from(short), u32::from(finish));
        let mut args = Vec::from(args!(&constants, source, &at, &lengths, before, has));
        args.extend(args!(all, short, finish, &sums, &scratch, states));
        let result = self.launch(Program::Streebog, "streebog_hash", threads as u64, &args);
        self.constants = Some(constants);
        self.give([at, lengths, sums, scratch])?;
        result
    }

    /// Hashes each message with Streebog; `size` is 32 or 64 bytes. Returns the digests, concatenated.
    ///
    /// # Errors
    /// As [`Self::map`]; each message must begin at a multiple of 4 bytes.
    pub fn hash(&mut self, size: usize, spans: Spans<'_>, source: &Buffer) -> Result<Vec<u8>> {
        let states = self.room(spans.at.len() * 64)?;
        self.hash_to(size, spans, source, &states)?;
        let digests = self.digests(size, spans.at.len(), &states)?;
        self.give([states])?;
        Ok(digests)
    }

    /// Like [`Self::hash`], but leaves the digests in the device's memory: 64 bytes for each message; a shorter digest
    /// is in the second half.
    ///
    /// # Errors
    /// As [`Self::hash`].
    pub fn hash_to(
        &mut self,
        size: usize,
        spans: Spans<'_>,
        source: &Buffer,
        destination: &Buffer,
    ) -> Result<()> {
        if !matches!(size, 32 | 64) {
            return Err(Error::Refused(bulat::Error::TagLength));
        }
        if destination.len() < spans.at.len() * 64 {
            return Err(Error::Refused(bulat::Error::BufferLength));
        }
        self.hash_states(size == 32, true, None, spans, source, destination)
    }

    fn digests(&mut self, size: usize, count: usize, states: &Buffer) -> Result<Vec<u8>> {
        if !matches!(size, 32 | 64) {
            return Err(Error::Refused(bulat::Error::TagLength));
        }
        let mut all = vec![0; count * 64];
        self.read(states, 0, &mut all)?;
        Ok(all.chunks(64).flat_map(|s| s[64 - size..].iter().copied()).collect())
    }

    /// Returns HMAC's blocks before message and digest: K + ipad or opad, for keys of up to 64 bytes.
    fn pads(keys: &[&[u8]], pad: u8) -> Result<Zeroizing<Vec<u8>>> {
        let mut all = Zeroizing::new(vec![pad; keys.len() * 64]);
        for (block, key) in all.chunks_mut(64).zip(keys) {
            if key.len() > 64 {
                return Err(Error::Unsupported("keys of HMAC of more than 64 bytes"));
            }
            block.iter_mut().zip(*key).for_each(|(b, k)| *b ^= k);
        }
        Ok(all)
    }

    /// Computes HMAC-Streebog of each message under its own key of up to 64 bytes.
    ///
    /// # Errors
    /// As [`Self::hash`].
    pub fn hmac(
        &mut self,
        size: usize,
        keys: &[&[u8]],
        spans: Spans<'_>,
        source: &Buffer,
    ) -> Result<Vec<u8>> {
        if keys.len() != spans.at.len() {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        let (inner, outer) = (Self::pads(keys, 0x36)?, Self::pads(keys, 0x5c)?);
        let prefix = self.upload(&inner)?;
        let states = self.room(keys.len() * 64)?;
        self.hash_states(size == 32, true, Some(&prefix), spans, source, &states)?;
        self.write(&prefix, 0, &outer)?;
        // The digests are in the states; a shorter one is in the second half.
        let at: Vec<u64> = (0..keys.len() as u64).map(|i| 64 * i + 64 - size as u64).collect();
        let bytes = vec![size as u64; keys.len()];
        let out = self.room(keys.len() * 64)?;
        let spans = Spans { at: &at, bytes: &bytes };
        self.hash_states(size == 32, true, Some(&prefix), spans, &states, &out)?;
        let tags = self.digests(size, keys.len(), &out)?;
        self.secret(prefix)?;
        self.give([states, out])?;
        Ok(tags)
    }

    /// Computes PBKDF2 over HMAC-Streebog-512 of each password, of up to 64 bytes, with its salt: one block of 64 bytes
    /// for each, the block of its number, from 1.
    ///
    /// # Errors
    /// As [`Self::hmac`].
    pub fn pbkdf2(
        &mut self,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        numbers: &[u32],
        iterations: u32,
    ) -> Result<Zeroizing<Vec<u8>>> {
        let count = passwords.len();
        if salts.len() != count || numbers.len() != count || iterations == 0 || numbers.contains(&0)
        {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        // The first U: HMAC of the salt and the number.
        let (mut text, mut at, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        for (salt, number) in salts.iter().zip(numbers) {
            at.push(text.len() as u64);
            bytes.push(salt.len() as u64 + 4);
            text.extend_from_slice(salt);
            text.extend(number.to_be_bytes());
            text.resize(text.len().next_multiple_of(4), 0);
        }
        let messages = self.upload(&text)?;
        let spans = Spans { at: &at, bytes: &bytes };
        let first = Zeroizing::new(self.hmac(64, passwords, spans, &messages)?);
        // The last U and the sum of all.
        let (last, sum) = (self.upload(&first)?, self.upload(&first)?);
        // The states after the key's blocks, inner and outer alternately.
        let (inner, outer) = (Self::pads(passwords, 0x36)?, Self::pads(passwords, 0x5c)?);
        let mut both = Zeroizing::new(Vec::with_capacity(count * 128));
        for (i, o) in inner.chunks(64).zip(outer.chunks(64)) {
            both.extend_from_slice(i);
            both.extend_from_slice(o);
        }
        let pads = self.upload(&both)?;
        let at: Vec<u64> = (0..2 * count as u64).map(|i| 64 * i).collect();
        let states = self.room(count * 128)?;
        let spans = Spans { at: &at, bytes: &vec![64; 2 * count] };
        self.hash_states(false, false, None, spans, &pads, &states)?;
        let threads =
            (count.div_ceil(32) * 16).next_multiple_of(Program::Streebog.threads() as usize);
        let (sums, scratch) = (self.room(count * 64)?, self.room(threads * 128 * 4)?);
        let constants = self.constants.take().ok_or(Error::Unsupported("constants"))?;
        // Launches of a fraction of a second, even on a small card: one that shows a desktop must answer, or its driver stops
        // the kernel.
        let most = ((1 << 21) / count.max(1)).clamp(16, 256);
        let result = (1..iterations).step_by(most).try_for_each(|done| {
            let (all, now) = (count as u32, (iterations - done).min(most as u32));
            let args = args!(&constants, &pads, &states, &last, &sum, all, now, &sums, &scratch);
            self.launch(Program::Streebog, "streebog_pbkdf2", threads as u64, &args)
        });
        self.constants = Some(constants);
        result?;
        let mut out = Zeroizing::new(vec![0; count * 64]);
        self.read(&sum, 0, &mut out)?;
        self.give([messages])?;
        for room in [last, sum, pads, states, sums, scratch] {
            self.secret(room)?;
        }
        Ok(out)
    }
}
