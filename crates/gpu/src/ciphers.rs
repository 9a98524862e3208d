//! Ciphers on data in a device's memory.

use bulat::Direction;
use bulat::batch::Key;
use bulat_core::cipher::{Chain, Count};

use crate::driver::{Arg, args};
use crate::key::Material;
use crate::{Buffer, Channel, Error, Map, Program, Result, Sections, Sectors, Spans};

fn le32(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |b| u32::from_le_bytes(*b))
}

impl Channel {
    /// Transforms independent blocks. CBC and CFB need separate buffers.
    ///
    /// # Errors
    /// [`Error::Refused`] for an invalid length or register; the driver's.
    pub fn map(
        &mut self,
        key: &Key<'_>,
        map: Map<'_>,
        source: &Buffer,
        destination: &Buffer,
        bytes: usize,
    ) -> Result<()> {
        let m = self.start(key)?;
        let blocks = Self::blocks(&m, bytes, &[source, destination])?;
        let (mode, iv, direction) = match map {
            Map::Ecb(d) => (0u32, &[0u8; 16][..m.block], d),
            Map::Cbc(iv) => (1, iv, Direction::Decrypt),
            Map::Cfb(iv) => (2, iv, Direction::Encrypt),
            Map::Cnt(register) => (3, &register[..], Direction::Encrypt),
        };
        if iv.len() != m.block {
            return Err(Error::Refused(bulat::Error::IvLength));
        }
        if matches!(mode, 1 | 2) && std::ptr::eq(source, destination) {
            return Err(Error::Unsupported("CBC and CFB in place"));
        }
        if matches!(mode, 0 | 1) && !bytes.is_multiple_of(m.block) {
            return Err(Error::Refused(bulat::Error::DataLength));
        }
        let threads = blocks.div_ceil(1024) * 32;
        if m.program == Program::Kuznyechik {
            if mode == 3 {
                return Err(Error::Refused(bulat::Error::Parameter));
            }
            let (kernel, masks) = match direction {
                Direction::Encrypt => ("kuznyechik_encrypt", m.masks()),
                Direction::Decrypt => ("kuznyechik_decrypt", m.masks_backwards()),
            };
            let iv = self.upload(iv)?;
            let args = args!(&masks[..], source, destination, blocks, mode, &iv);
            self.launch(m.program, kernel, threads, &args)?;
            self.give([iv])?;
            return Ok(());
        }
        let (up, down) = if direction == Direction::Encrypt { (3u32, 1u32) } else { (1, 3) };
        let masks = m.masks();
        let mut args = vec![Arg::Uniform(&masks)];
        args.extend(m.boxes.as_deref().map(Arg::Uniform));
        let iv = (le32(iv), le32(&iv[4..]));
        args.extend(args!(source, destination, blocks, mode, up, down, iv.0, iv.1));
        self.launch(m.program, "magma_map", threads, &args)
    }

    /// Adds the keystream of a counter to `source`, in place or not, or writes the keystream if there is no source. A
    /// partial block at the end is written as a whole one. The register is the one before the first block.
    ///
    /// # Errors
    /// As [`Self::map`].
    pub fn stream(
        &mut self,
        key: &Key<'_>,
        register: &[u8],
        count: Count,
        source: Option<&Buffer>,
        destination: &Buffer,
        bytes: usize,
    ) -> Result<()> {
        if count == Count::Cnt {
            let register = register.try_into().map_err(|_| bulat::Error::IvLength)?;
            let source = source.ok_or(Error::Unsupported("CNT without a source"))?;
            return self.map(key, Map::Cnt(register), source, destination, bytes);
        }
        // The register of MGM is secret, and the kernel below aligns its groups in the counter.
        if count != Count::Whole {
            let sections =
                Sections { registers: register, count, bytes: bytes.next_multiple_of(16) };
            return match bytes {
                0 => Ok(()),
                _ => self.sections(&[*key], sections, source, destination, bytes),
            };
        }
        let m = self.start(key)?;
        let blocks = Self::blocks(&m, bytes, &[source.unwrap_or(destination), destination])?;
        if register.len() != m.block {
            return Err(Error::Refused(bulat::Error::IvLength));
        }
        let masks = m.masks();
        let mut args = vec![Arg::Uniform(&masks)];
        args.extend(m.boxes.as_deref().map(Arg::Uniform));
        let how = count as u32 | if source.is_none() { 8 } else { 0 };
        args.extend(args!(source.unwrap_or(destination), destination, blocks, how));
        let (kernel, low) =
            Self::register(&m, register, &mut args, ["magma_stream", "kuznyechik_stream"]);
        // Groups are aligned in the counter.
        let off = low & 1023;
        self.launch(m.program, kernel, (off + blocks).div_ceil(1024) * 32, &args)
    }

    /// Returns the register's two numbers, as arguments, and its low number.
    fn register(
        m: &Material,
        register: &[u8],
        args: &mut Vec<Arg<'_>>,
        names: [&'static str; 2],
    ) -> (&'static str, u64) {
        let number = register.iter().fold(0u128, |n, b| n << 8 | u128::from(*b));
        if m.block == 8 {
            let (high, low) = ((number >> 32) as u32, number as u32);
            args.extend(args!(high, low));
            (names[0], low.into())
        } else {
            let (high, low) = ((number >> 64) as u64, number as u64);
            args.extend(args!(high, low));
            (names[1], low)
        }
    }

    /// Adds keystream to `source`, or writes it if there is no source, in sections of equal length. Each section has
    /// its own register, and its own key or the common one: sections of CTR-ACPKM, with the caller's chain of keys, or
    /// messages of one length.
    ///
    /// # Errors
    /// As [`Self::map`].
    pub fn sections(
        &mut self,
        keys: &[Key<'_>],
        sections: Sections<'_>,
        source: Option<&Buffer>,
        destination: &Buffer,
        bytes: usize,
    ) -> Result<()> {
        let Sections { registers, count, bytes: section } = sections;
        let Some(first) = keys.first() else { return Ok(()) };
        let m = self.start(first)?;
        let blocks = Self::blocks(&m, bytes, &[source.unwrap_or(destination), destination])?;
        let (per, all) = ((section / m.block) as u64, registers.len() / m.block);
        if !registers.len().is_multiple_of(m.block) {
            return Err(Error::Refused(bulat::Error::IvLength));
        }
        if per == 0
            || u32::try_from(per).is_err()
            || !section.is_multiple_of(m.block)
            || blocks.div_ceil(per) > all as u64
            || (keys.len() != 1 && keys.len() != all)
            || count == Count::Cnt
        {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        let (words, starts) = (self.words(keys, m.program)?, self.room(registers.len())?);
        self.write(&starts, 0, registers)?;
        let mut args = vec![Arg::Memory(&words.0)];
        args.extend(m.boxes.as_deref().map(Arg::Uniform));
        let next = if keys.len() == 1 { 0 } else { m.as_words().len() as u32 };
        let how = count as u32 | if source.is_none() { 8 } else { 0 };
        let source = source.unwrap_or(destination);
        args.extend(args!(source, destination, blocks, per as u32, next, &starts, how));
        let kernel = if m.block == 8 { "magma_sections" } else { "kuznyechik_sections" };
        self.launch(m.program, kernel, blocks.div_ceil(per) * per.div_ceil(32), &args)?;
        // MGM's registers are secret.
        self.secret(starts)?;
        self.secret(words)
    }

    /// Writes the words of several keys of one program to the device's memory.
    fn words(&mut self, keys: &[Key<'_>], program: Program) -> Result<Buffer> {
        let ternary = self.device.driver().ternary();
        let mut bytes = zeroize::Zeroizing::new(Vec::with_capacity(keys.len() * 160));
        for key in keys {
            let m = Material::new(key, ternary);
            if m.program != program {
                return Err(Error::Unsupported("keys of several ciphers or S-boxes in one call"));
            }
            m.as_words().iter().for_each(|w| bytes.extend(w.to_le_bytes()));
        }
        self.upload(&bytes)
    }

    /// Processes chained streams side by side, each under its own key and with its own register, which is updated for
    /// the next call. No chain reads `destination`; all but [`Chain::Mac`] and [`Chain::Imit`] write it.
    ///
    /// # Errors
    /// As [`Self::map`].
    pub fn lanes(
        &mut self,
        keys: &[Key<'_>],
        chain: Chain,
        spans: Spans<'_>,
        states: &mut [u8],
        source: &Buffer,
        destination: &Buffer,
    ) -> Result<()> {
        let Some(first) = keys.first() else { return Ok(()) };
        let m = self.start(first)?;
        self.ready(Program::Beside)?;
        let n = m.block as u64;
        let count = keys.len();
        let room = source.len().min(destination.len()) as u64;
        let fits = |(at, bytes): (&u64, &u64)| {
            at % n == 0 && bytes % n == 0 && at.checked_add(*bytes).is_some_and(|e| e <= room)
        };
        if spans.at.len() != count || spans.bytes.len() != count || states.len() != count * m.block
        {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        if !spans.at.iter().zip(spans.bytes).all(fits)
            || spans.bytes.iter().any(|b| b / n > u64::from(u32::MAX))
        {
            return Err(Error::Refused(bulat::Error::DataLength));
        }
        if chain == Chain::Imit && m.block != 8 {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        let threads = count.div_ceil(32);
        let length = m.as_words().len();
        let words = self.words(keys, m.program)?;
        let planes = self.room(threads * length * 32 * 4)?;
        let args = args!(&words, &planes, count as u32, threads as u32, length as u32);
        self.launch(Program::Beside, "key_planes", (threads * length) as u64, &args)?;
        let at: Vec<u8> = spans.at.iter().flat_map(|a| (a / n).to_le_bytes()).collect();
        let counts: Vec<u8> =
            spans.bytes.iter().flat_map(|b| ((b / n) as u32).to_le_bytes()).collect();
        let (at, counts) = (self.upload(&at)?, self.upload(&counts)?);
        let registers = self.upload(states)?;
        let mut args = vec![Arg::Memory(&planes.0)];
        args.extend(m.boxes.as_deref().map(Arg::Uniform));
        let code: u32 = match chain {
            Chain::CbcEncrypt => 0,
            Chain::CfbEncrypt => 1,
            Chain::Ofb => 2,
            Chain::Mac | Chain::Imit => 3,
        };
        args.extend(args!(source, destination, &at, &counts, &registers));
        args.extend(args!(count as u32, threads as u32, code));
        let kernel = if m.block == 8 {
            let (up, down) = if chain == Chain::Imit { (2u32, 0u32) } else { (3, 1) };
            args.extend(args!(up, down));
            "magma_lanes"
        } else {
            "kuznyechik_lanes"
        };
        self.launch(m.program, kernel, threads as u64, &args)?;
        self.read(&registers, 0, states)?;
        self.give([at, counts])?;
        self.secret(words)?;
        self.secret(planes)?;
        self.secret(registers)
    }

    /// Applies XTS to sectors of whole blocks, in place or not.
    ///
    /// # Errors
    /// As [`Self::map`].
    pub fn xts(
        &mut self,
        key: &Key<'_>,
        direction: Direction,
        sectors: Sectors<'_>,
        source: &Buffer,
        destination: &Buffer,
        bytes: usize,
    ) -> Result<()> {
        let Sectors { tweaks, bytes: sector } = sectors;
        let m = self.start(key)?;
        self.ready(Program::Beside)?;
        let blocks = Self::blocks(&m, bytes, &[source, destination])?;
        let per = u32::try_from(sector / 16).unwrap_or(u32::MAX);
        if m.block != 16
            || !(1..=1 << 31).contains(&per)
            || !sector.is_multiple_of(16)
            || !bytes.is_multiple_of(16)
        {
            return Err(Error::Refused(bulat::Error::DataLength));
        }
        if tweaks.len() / 16 < bytes.div_ceil(sector) {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        let (tweaks, masks) = (self.upload(tweaks)?, self.room(bytes)?);
        // The kernel counts a launch's blocks in 32 bits.
        self.masks(&tweaks, &masks, per, blocks, 1 << 31)?;
        let (kernel, keys) = match direction {
            Direction::Encrypt => ("kuznyechik_encrypt", m.masks()),
            Direction::Decrypt => ("kuznyechik_decrypt", m.masks_backwards()),
        };
        let args = args!(&keys[..], source, destination, blocks, 4u32, &masks);
        self.launch(m.program, kernel, blocks.div_ceil(1024) * 32, &args)?;
        self.give([tweaks, masks])?;
        Ok(())
    }

    /// Writes the masks of all blocks, of at most `most` in a launch; a sector has `per` blocks.
    fn masks(
        &mut self,
        tweaks: &Buffer,
        masks: &Buffer,
        per: u32,
        blocks: u64,
        most: u64,
    ) -> Result<()> {
        let each = (most / u64::from(per)).max(1);
        for from in (0..blocks.div_ceil(per.into())).step_by(each as usize) {
            let first = from * u64::from(per);
            let some = (blocks - first).min(each * u64::from(per));
            let args = args!(tweaks, masks, some as u32, per, from, first);
            self.launch(Program::Beside, "xts_masks", some, &args)?;
        }
        Ok(())
    }

    /// Returns MGM's sums over whole blocks of messages of `section` bytes each: every block is multiplied by its H_i,
    /// the encrypted counter, which starts at the message's register. A sum has the length of a block.
    ///
    /// # Errors
    /// As [`Self::map`].
    pub fn products(
        &mut self,
        key: &Key<'_>,
        registers: &[u8],
        section: usize,
        blocks: &Buffer,
        bytes: usize,
    ) -> Result<Vec<u8>> {
        const MOST: u64 = 16384;
        let n = match key {
            Key::Kuznyechik(_) => 16,
            _ => 8,
        };
        let messages = registers.len() / n;
        if bytes == 0 {
            return Ok(vec![0; messages * n]);
        }
        if !bytes.is_multiple_of(n)
            || section == 0
            || !section.is_multiple_of(n)
            || bytes.div_ceil(section) > messages
            || blocks.len() < bytes
        {
            return Err(Error::Refused(bulat::Error::DataLength));
        }
        self.ready(Program::Gf)?;
        let h = self.room(bytes)?;
        if messages == 1 {
            self.stream(key, registers, Count::Left, None, &h, bytes)?;
        } else {
            let sections = Sections { registers, count: Count::Left, bytes: section };
            self.sections(&[*key], sections, None, &h, bytes)?;
        }
        let per = (MOST / messages.max(1) as u64).clamp(1, (section / n) as u64);
        let threads = per * messages as u64;
        let sums = self.room(threads as usize * n)?;
        let (all, each) = ((bytes / n) as u64, (section / n) as u64);
        let args = args!(&h, blocks, all, each, per as u32, &sums);
        let kernel = if n == 16 { "products128" } else { "products64" };
        self.launch(Program::Gf, kernel, threads, &args)?;
        let mut all = vec![0; threads as usize * n];
        self.read(&sums, 0, &mut all)?;
        self.give([h, sums])?;
        let mut out = vec![0; messages * n];
        for (sum, parts) in out.chunks_mut(n).zip(all.chunks(n * per as usize)) {
            parts.chunks(n).for_each(|c| sum.iter_mut().zip(c).for_each(|(a, b)| *a ^= b));
        }
        Ok(out)
    }
}

#[cfg(all(test, any(feature = "opencl", feature = "cuda")))]
mod tests {
    use super::*;

    /// Masks of XTS are the same from one launch and from several.
    #[test]
    fn masks() {
        let Some(device) = crate::devices().devices.into_iter().next() else {
            println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
            return;
        };
        let mut channel = device.channel().unwrap();
        channel.ready(Program::Beside).unwrap();
        let tweaks: Vec<u8> = (0..16 * 40).map(|i| (i * 7 + i / 256) as u8).collect();
        let tweaks = channel.upload(&tweaks).unwrap();
        // 39 sectors of 33 blocks, and a shorter one.
        let blocks = 39 * 33 + 5;
        let mut made = |most| {
            let masks = channel.room(16 * blocks).unwrap();
            channel.masks(&tweaks, &masks, 33, blocks as u64, most).unwrap();
            let mut all = vec![0; 16 * blocks];
            channel.read(&masks, 0, &mut all).unwrap();
            channel.wipe(&masks).unwrap();
            all
        };
        let whole = made(1 << 31);
        assert!(made(1000) == whole && made(33) == whole && made(1) == whole);
    }
}
