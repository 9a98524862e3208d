//! A device, and what it does with data in its own memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use bulat::batch::Key;
use bulat::{Chain, Count, Direction};

use crate::driver::{Arg, Driver, Facts, Memory, Queue};
use crate::key::{Material, streebog_constants};
use crate::{Error, Program, Result, selftest};

/// A device that was found and opened.
pub struct Device {
    pub(crate) driver: Arc<dyn Driver>,
    label: String,
    /// Programs that passed their self-test.
    ready: Mutex<HashMap<Program, Result<()>>>,
    lost: OnceLock<Error>,
    faults: Faults,
}

/// Faults to order, for tests: after so many launches the device fails, hangs, or is wrong; 0 for never.
#[doc(hidden)]
#[derive(Default)]
pub struct Faults {
    pub fails: AtomicU64,
    pub hangs: AtomicU64,
    pub wrong: AtomicU64,
    /// Milliseconds that each launch takes longer.
    pub slow: AtomicU64,
}

impl Faults {
    /// Whether this launch is the one.
    fn now(counter: &AtomicU64) -> bool {
        counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)) == Ok(1)
    }
}

/// Memory of a device, at least as long as was asked for.
pub struct Buffer(pub(crate) Memory);

impl Buffer {
    /// Bytes.
    pub fn len(&self) -> usize {
        self.0.len
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }
}

/// What is done with independent blocks beside the cipher.
#[derive(Clone, Copy)]
pub enum Map<'a> {
    /// Nothing.
    Ecb(Direction),
    /// CBC backwards: the block before the first.
    Cbc(&'a [u8]),
    /// CFB backwards: the block before the first.
    Cfb(&'a [u8]),
    /// The gamma of GOST 28147-89: the register before the first block.
    Cnt(&'a [u8; 8]),
}

impl Device {
    pub(crate) fn new(driver: Arc<dyn Driver>, label: String) -> Arc<Self> {
        Arc::new(Device {
            driver,
            label,
            ready: Mutex::default(),
            lost: OnceLock::new(),
            faults: Faults::default(),
        })
    }

    /// The same device anew, with the programs that it has, `tested` or to be tested again: for tests.
    #[doc(hidden)]
    pub fn anew(&self, tested: bool) -> Arc<Self> {
        let new = Self::new(self.driver.clone(), self.label.clone());
        if tested {
            let ready = self.ready.lock().unwrap_or_else(|e| e.into_inner()).clone();
            *new.ready.lock().unwrap_or_else(|e| e.into_inner()) = ready;
        }
        new
    }

    /// Orders faults: for tests.
    #[doc(hidden)]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// What it says of itself.
    pub fn facts(&self) -> &Facts {
        self.driver.facts()
    }

    /// Its name; of devices of one name, with a number.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Why it is left out, if it is.
    pub fn lost(&self) -> Option<&Error> {
        self.lost.get()
    }

    /// Leaves it out from now on.
    pub(crate) fn lose(&self, why: Error) {
        let _ = self.lost.set(why);
    }

    /// A queue of work of its own.
    ///
    /// # Errors
    /// [`Error::Lost`]; the driver's.
    pub fn channel(self: &Arc<Self>) -> Result<Channel> {
        let queue = self.driver.clone().queue()?;
        self.channel_over(queue)
    }

    fn channel_over(self: &Arc<Self>, queue: Box<dyn Queue>) -> Result<Channel> {
        if let Some(why) = self.lost() {
            return Err(Error::Lost(why.to_string()));
        }
        Ok(Channel {
            device: self.clone(),
            queue,
            testing: false,
            rooms: Vec::new(),
            constants: None,
        })
    }

    /// Work in a queue of the caller's: a stream of CUDA, in the device's primary context. What is done comes after what is in
    /// it, and waits for it.
    ///
    /// # Errors
    /// [`Error::Lost`]; [`Error::Unsupported`] from drivers that have no such thing.
    ///
    /// # Safety
    /// `stream` is a stream of this device that lives as long as the channel, or 0 for the default one.
    #[allow(unsafe_code)]
    pub unsafe fn channel_on(self: &Arc<Self>, stream: u64) -> Result<Channel> {
        let queue = self.driver.clone().queue_on(stream)?;
        self.channel_over(queue)
    }

    /// Memory of the device that is another's: an address of CUDA's.
    ///
    /// # Errors
    /// [`Error::Unsupported`] from drivers that have no such thing.
    ///
    /// # Safety
    /// So many bytes stand at `address` in memory that this device can reach, until the buffer is dropped and what was asked for
    /// with it is done; nobody else writes there meanwhile but in the same stream.
    #[allow(unsafe_code)]
    pub unsafe fn buffer_at(&self, address: u64, bytes: usize) -> Result<Buffer> {
        self.driver.memory_at(address, bytes).map(Buffer)
    }

    /// Loads a program, and tests it, once.
    pub(crate) fn ready(self: &Arc<Self>, program: Program) -> Result<()> {
        if let Some(result) = self.ready.lock().unwrap_or_else(|e| e.into_inner()).get(&program) {
            return result.clone();
        }
        // Two threads may do this at once; the results are the same.
        let result = self.driver.load(program).and_then(|()| selftest::run(self, program));
        if let Err(e @ Error::Wrong(_)) = &result {
            self.lose(e.clone());
        }
        self.ready.lock().unwrap_or_else(|e| e.into_inner()).insert(program, result.clone());
        result
    }

    /// Loads and tests programs now, not at their first use.
    ///
    /// # Errors
    /// [`Error::Wrong`] with the kernel's name; the driver's.
    pub fn prepare(self: &Arc<Self>, programs: &[Program]) -> Result<()> {
        programs.iter().try_for_each(|p| self.ready(*p))
    }
}

/// Work on a device in order, with data that stays there. What is asked for may still run when a call returns; `read` and
/// `finish` wait.
pub struct Channel {
    device: Arc<Device>,
    queue: Box<dyn Queue>,
    /// For the self-test: programs need not have passed it.
    pub(crate) testing: bool,
    /// Room for what is between, kept for the next call.
    rooms: Vec<Buffer>,
    constants: Option<Buffer>,
}

/// Streams side by side in chained modes, or messages of a hash.
#[derive(Clone, Copy)]
pub struct Spans<'a> {
    /// Where each begins, in bytes; a multiple of the block, or of 4 for a hash.
    pub at: &'a [u64],
    /// How many bytes each has.
    pub bytes: &'a [u64],
}

/// Sections of a keystream.
#[derive(Clone, Copy)]
pub struct Sections<'a> {
    /// Before the first block of each, one after the other.
    pub registers: &'a [u8],
    /// How they go on; not [`Count::Cnt`].
    pub count: Count,
    /// How many bytes a section has.
    pub bytes: usize,
}

/// Sectors in XTS.
#[derive(Clone, Copy)]
pub struct Sectors<'a> {
    /// Their tweaks, encrypted already: 16 bytes for each.
    pub tweaks: &'a [u8],
    /// How many bytes a sector has.
    pub bytes: usize,
}

fn le32(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |b| u32::from_le_bytes(*b))
}

impl Channel {
    /// Programs are taken without their self-test: for tests, which compile no more than they run.
    #[doc(hidden)]
    pub fn trust(&mut self) {
        self.testing = true;
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Memory of the device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        // Tails are written as whole blocks.
        Ok(Buffer(self.device.driver.allocate(bytes.next_multiple_of(64))?))
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn write(&mut self, to: &Buffer, at: usize, bytes: &[u8]) -> Result<()> {
        self.queue.write(&to.0, at, bytes)
    }

    /// Copies from the device, when all that was asked for before is done.
    ///
    /// # Errors
    /// The driver's.
    pub fn read(&mut self, from: &Buffer, at: usize, bytes: &mut [u8]) -> Result<()> {
        self.queue.read(&from.0, at, bytes)?;
        if Faults::now(&self.device.faults.wrong)
            && let Some(b) = bytes.first_mut()
        {
            *b ^= 1;
        }
        Ok(())
    }

    /// Waits for all that was asked for.
    ///
    /// # Errors
    /// The driver's.
    pub fn finish(&mut self) -> Result<()> {
        self.queue.finish()
    }

    fn launch(
        &mut self,
        program: Program,
        kernel: &'static str,
        threads: u64,
        args: &[Arg<'_>],
    ) -> Result<()> {
        if Faults::now(&self.device.faults.fails) {
            return Err(Error::Driver("a launch", "simulated".into()));
        }
        let slow = self.device.faults.slow.load(Ordering::Relaxed);
        if slow > 0 {
            std::thread::sleep(std::time::Duration::from_millis(slow));
        }
        if Faults::now(&self.device.faults.hangs) {
            std::thread::sleep(std::time::Duration::from_secs(20));
            return Err(Error::Hangs);
        }
        if threads == 0 {
            return Ok(());
        }
        self.queue.launch(program, kernel, threads, args)
    }

    fn room(&mut self, bytes: usize) -> Result<Buffer> {
        match self.rooms.iter().position(|r| r.len() >= bytes) {
            Some(i) => Ok(self.rooms.swap_remove(i)),
            None => self.allocate(bytes),
        }
    }

    fn upload(&mut self, bytes: &[u8]) -> Result<Buffer> {
        let room = self.room(bytes.len())?;
        self.write(&room, 0, bytes)?;
        Ok(room)
    }

    /// Gives rooms back, when what uses them is in the queue: later work comes after it.
    fn give(&mut self, rooms: impl IntoIterator<Item = Buffer>) {
        self.rooms.extend(rooms);
        self.rooms.truncate(16);
    }

    fn ready(&self, program: Program) -> Result<()> {
        if self.testing { self.device.driver.load(program) } else { self.device.ready(program) }
    }

    fn start(&self, key: &Key<'_>) -> Result<Material> {
        let material = Material::new(key, self.device.driver.ternary());
        self.ready(material.program)?;
        Ok(material)
    }

    fn blocks(material: &Material, bytes: usize, buffers: &[&Buffer]) -> Result<u64> {
        let whole = bytes.next_multiple_of(material.block);
        if buffers.iter().any(|b| b.len() < whole) {
            return Err(Error::Refused(bulat::Error::BufferLength));
        }
        Ok((whole / material.block) as u64)
    }

    /// Transforms independent blocks. CBC and CFB need another destination than their source.
    ///
    /// # Errors
    /// [`Error::Refused`] for a length or a register that is not the mode's; the driver's.
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
            Map::Ecb(d) => (0, &[0u8; 16][..m.block], d),
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
            let args = [
                Arg::Uniform(&masks),
                Arg::Memory(&source.0),
                Arg::Memory(&destination.0),
                Arg::U64(blocks),
                Arg::U32(mode),
                Arg::Memory(&iv.0),
            ];
            self.launch(m.program, kernel, threads, &args)?;
            self.give([iv]);
            return Ok(());
        }
        let (up, down) = if direction == Direction::Encrypt { (3, 1) } else { (1, 3) };
        let masks = m.masks();
        let mut args = vec![Arg::Uniform(&masks)];
        args.extend(m.boxes.as_deref().map(Arg::Uniform));
        args.extend([
            Arg::Memory(&source.0),
            Arg::Memory(&destination.0),
            Arg::U64(blocks),
            Arg::U32(mode),
            Arg::U32(up),
            Arg::U32(down),
            Arg::U32(le32(iv)),
            Arg::U32(le32(&iv[4..])),
        ]);
        self.launch(m.program, "magma_map", threads, &args)
    }

    /// Adds the keystream of a counter, or writes it where there is no source; in place or not. What is over a whole block is
    /// written, too. The register is that before the first block.
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
        // The register of MGM is secret, and the groups of the kernel below are aligned in the counter.
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
        let alone = if source.is_none() { 8 } else { 0 };
        args.extend([
            Arg::Memory(&source.unwrap_or(destination).0),
            Arg::Memory(&destination.0),
            Arg::U64(blocks),
            Arg::U32(alone | count as u32),
        ]);
        let (kernel, low) =
            Self::register(&m, register, &mut args, ["magma_stream", "kuznyechik_stream"]);
        // Groups are aligned in the counter.
        let off = low & 1023;
        self.launch(m.program, kernel, (off + blocks).div_ceil(1024) * 32, &args)
    }

    /// The register's two numbers, as arguments; its low one.
    fn register(
        m: &Material,
        register: &[u8],
        args: &mut Vec<Arg<'_>>,
        names: [&'static str; 2],
    ) -> (&'static str, u64) {
        let number = register.iter().fold(0u128, |n, b| n << 8 | u128::from(*b));
        if m.block == 8 {
            let (high, low) = ((number >> 32) as u32, number as u32);
            args.extend([Arg::U32(high), Arg::U32(low)]);
            (names[0], low.into())
        } else {
            let (high, low) = ((number >> 64) as u64, number as u64);
            args.extend([Arg::U64(high), Arg::U64(low)]);
            (names[1], low)
        }
    }

    /// Adds keystream, or writes it where there is no source, in sections of so many bytes: each with its own register, and its
    /// own key or that of all. Sections of CTR-ACPKM, whose keys are the caller's chain, or messages of one length.
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
        let (words, starts) = (self.words(keys, m.program)?, self.allocate(registers.len())?);
        self.write(&starts, 0, registers)?;
        let mut args = vec![Arg::Memory(&words.0)];
        args.extend(m.boxes.as_deref().map(Arg::Uniform));
        args.extend([
            Arg::Memory(&source.unwrap_or(destination).0),
            Arg::Memory(&destination.0),
            Arg::U64(blocks),
            Arg::U32(per as u32),
            Arg::U32(if keys.len() == 1 { 0 } else { m.as_words().len() as u32 }),
            Arg::Memory(&starts.0),
            Arg::U32(count as u32 | if source.is_none() { 8 } else { 0 }),
        ]);
        let kernel = if m.block == 8 { "magma_sections" } else { "kuznyechik_sections" };
        self.launch(m.program, kernel, blocks.div_ceil(per) * per.div_ceil(32), &args)?;
        // MGM's registers are secret.
        self.secret(starts)?;
        self.secret(words)
    }

    /// The words of many keys of one program, in the device's memory.
    fn words(&mut self, keys: &[Key<'_>], program: Program) -> Result<Buffer> {
        let ternary = self.device.driver.ternary();
        let mut bytes = zeroize::Zeroizing::new(Vec::with_capacity(keys.len() * 160));
        for key in keys {
            let m = Material::new(key, ternary);
            if m.program != program {
                return Err(Error::Unsupported("keys of several ciphers or S-boxes in one call"));
            }
            m.as_words().iter().for_each(|w| bytes.extend(w.to_le_bytes()));
        }
        let room = self.allocate(bytes.len())?;
        self.write(&room, 0, &bytes)?;
        Ok(room)
    }

    /// Frees memory that had a secret, when it is overwritten.
    fn secret(&mut self, room: Buffer) -> Result<()> {
        let zeros = [0; 4096];
        let mut at = 0;
        while at < room.len() {
            let n = zeros.len().min(room.len() - at);
            self.write(&room, at, &zeros[..n])?;
            at += n;
        }
        Ok(())
    }

    /// Chained streams side by side, each under its own key and with its own register, which is left for the next call.
    /// `destination` is read by none and written by all but [`Chain::Mac`] and [`Chain::Imit`].
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
        let fits = |(at, bytes): (&u64, &u64)| {
            at % n == 0
                && bytes % n == 0
                && at
                    .checked_add(*bytes)
                    .is_some_and(|e| e <= source.len().min(destination.len()) as u64)
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
        let planes = self.allocate(threads * length * 32 * 4)?;
        let args = [
            Arg::Memory(&words.0),
            Arg::Memory(&planes.0),
            Arg::U32(count as u32),
            Arg::U32(threads as u32),
            Arg::U32(length as u32),
        ];
        self.launch(Program::Beside, "key_planes", (threads * length) as u64, &args)?;
        let at: Vec<u8> = spans.at.iter().flat_map(|a| (a / n).to_le_bytes()).collect();
        let counts: Vec<u8> =
            spans.bytes.iter().flat_map(|b| ((b / n) as u32).to_le_bytes()).collect();
        let (at, counts) = (self.upload(&at)?, self.upload(&counts)?);
        let registers = self.allocate(states.len())?;
        self.write(&registers, 0, states)?;
        let mut args = vec![Arg::Memory(&planes.0)];
        args.extend(m.boxes.as_deref().map(Arg::Uniform));
        let code = match chain {
            Chain::CbcEncrypt => 0,
            Chain::CfbEncrypt => 1,
            Chain::Ofb => 2,
            Chain::Mac | Chain::Imit => 3,
        };
        args.extend([
            Arg::Memory(&source.0),
            Arg::Memory(&destination.0),
            Arg::Memory(&at.0),
            Arg::Memory(&counts.0),
            Arg::Memory(&registers.0),
            Arg::U32(count as u32),
            Arg::U32(threads as u32),
            Arg::U32(code),
        ]);
        let kernel = if m.block == 8 {
            let (up, down) = if chain == Chain::Imit { (2, 0) } else { (3, 1) };
            args.extend([Arg::U32(up), Arg::U32(down)]);
            "magma_lanes"
        } else {
            "kuznyechik_lanes"
        };
        self.launch(m.program, kernel, threads as u64, &args)?;
        self.read(&registers, 0, states)?;
        self.give([at, counts]);
        self.secret(words)?;
        self.secret(planes)?;
        self.secret(registers)
    }

    /// XTS over sectors of whole blocks, in place or not.
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
        if m.block != 16 || sector == 0 || !sector.is_multiple_of(16) || !bytes.is_multiple_of(16) {
            return Err(Error::Refused(bulat::Error::DataLength));
        }
        if tweaks.len() / 16 < bytes.div_ceil(sector) {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        let (tweaks, masks) = (self.upload(tweaks)?, self.room(bytes)?);
        let args = [
            Arg::Memory(&tweaks.0),
            Arg::Memory(&masks.0),
            Arg::U64(blocks),
            Arg::U32((sector / 16) as u32),
        ];
        self.launch(Program::Beside, "xts_masks", blocks, &args)?;
        let (kernel, keys) = match direction {
            Direction::Encrypt => ("kuznyechik_encrypt", m.masks()),
            Direction::Decrypt => ("kuznyechik_decrypt", m.masks_backwards()),
        };
        let args = [
            Arg::Uniform(&keys),
            Arg::Memory(&source.0),
            Arg::Memory(&destination.0),
            Arg::U64(blocks),
            Arg::U32(4),
            Arg::Memory(&masks.0),
        ];
        self.launch(m.program, kernel, blocks.div_ceil(1024) * 32, &args)?;
        self.give([tweaks, masks]);
        Ok(())
    }

    /// MGM's sums over whole blocks of messages, all of `section` bytes: each block multiplied by its own H_i, the encrypted
    /// values of the message's counter from its register on. A sum is as long as a block.
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
        let args = [
            Arg::Memory(&h.0),
            Arg::Memory(&blocks.0),
            Arg::U64((bytes / n) as u64),
            Arg::U64((section / n) as u64),
            Arg::U32(per as u32),
            Arg::Memory(&sums.0),
        ];
        self.launch(
            Program::Gf,
            if n == 16 { "products128" } else { "products64" },
            threads,
            &args,
        )?;
        let mut all = vec![0; threads as usize * n];
        self.read(&sums, 0, &mut all)?;
        self.give([h, sums]);
        let mut out = vec![0; messages * n];
        for (sum, parts) in out.chunks_mut(n).zip(all.chunks(n * per as usize)) {
            parts.chunks(n).for_each(|c| sum.iter_mut().zip(c).for_each(|(a, b)| *a ^= b));
        }
        Ok(out)
    }

    fn constants(&mut self) -> Result<()> {
        self.ready(Program::Streebog)?;
        if self.constants.is_none() {
            let words = streebog_constants(self.device.driver.ternary());
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            let room = self.allocate(bytes.len())?;
            self.write(&room, 0, &bytes)?;
            self.constants = Some(room);
        }
        Ok(())
    }

    /// The states of Streebog after each message, 64 bytes each: the hash of 512 bits, or with `short` in the second half that of
    /// 256. A prefix is 64 bytes before each message. Without `finish` the states after the whole blocks.
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
            (count.div_ceil(32) * 8).next_multiple_of(Program::Streebog.threads() as usize);
        let (sums, scratch) = (self.room(count * 64)?, self.room(threads * 128 * 4)?);
        let constants = self.constants.take().ok_or(Error::Unsupported("constants"))?;
        let args = [
            Arg::Memory(&constants.0),
            Arg::Memory(&source.0),
            Arg::Memory(&at.0),
            Arg::Memory(&lengths.0),
            Arg::Memory(&prefix.unwrap_or(&at).0),
            Arg::U32(u32::from(prefix.is_some())),
            Arg::U32(count as u32),
            Arg::U32(u32::from(short)),
            Arg::U32(u32::from(finish)),
            Arg::Memory(&sums.0),
            Arg::Memory(&scratch.0),
            Arg::U32(threads as u32),
            Arg::Memory(&states.0),
        ];
        let result = self.launch(Program::Streebog, "streebog_hash", threads as u64, &args);
        self.constants = Some(constants);
        self.give([at, lengths, sums, scratch]);
        result
    }

    /// Streebog of each message: `size` is 32 or 64 bytes; the digests stand one after the other.
    ///
    /// # Errors
    /// As [`Self::map`]; a message begins at a multiple of 4 bytes.
    pub fn hash(&mut self, size: usize, spans: Spans<'_>, source: &Buffer) -> Result<Vec<u8>> {
        let states = self.room(spans.at.len() * 64)?;
        self.hash_to(size, spans, source, &states)?;
        let digests = self.digests(size, spans.at.len(), &states)?;
        self.give([states]);
        Ok(digests)
    }

    /// The same to the device's memory: 64 bytes for each message, of which the shorter hash has the second half.
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

    /// The blocks that HMAC puts before message and digest: K + ipad or opad, for keys of up to 64 bytes.
    fn pads(keys: &[&[u8]], pad: u8) -> Result<zeroize::Zeroizing<Vec<u8>>> {
        let mut all = zeroize::Zeroizing::new(vec![pad; keys.len() * 64]);
        for (block, key) in all.chunks_mut(64).zip(keys) {
            if key.len() > 64 {
                return Err(Error::Unsupported("keys of HMAC of more than 64 bytes"));
            }
            block.iter_mut().zip(*key).for_each(|(b, k)| *b ^= k);
        }
        Ok(all)
    }

    /// HMAC-Streebog of each message under its own key of up to 64 bytes.
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
        // The digests are where the states are: of the shorter hash, in the second half.
        let at: Vec<u64> = (0..keys.len() as u64).map(|i| 64 * i + 64 - size as u64).collect();
        let bytes = vec![size as u64; keys.len()];
        let out = self.room(keys.len() * 64)?;
        let spans = Spans { at: &at, bytes: &bytes };
        self.hash_states(size == 32, true, Some(&prefix), spans, &states, &out)?;
        let tags = self.digests(size, keys.len(), &out)?;
        self.secret(prefix)?;
        self.give([states, out]);
        Ok(tags)
    }

    /// PBKDF2 over HMAC-Streebog-512 of each password with its salt: 64 bytes for each, those of block `number` (from 1).
    ///
    /// # Errors
    /// As [`Self::hmac`].
    pub fn pbkdf2(
        &mut self,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        number: u32,
        iterations: u32,
    ) -> Result<Vec<u8>> {
        let count = passwords.len();
        if salts.len() != count || iterations == 0 || number == 0 {
            return Err(Error::Refused(bulat::Error::Parameter));
        }
        // The first U: HMAC of the salt and the number.
        let (mut text, mut at, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        for salt in salts {
            at.push(text.len() as u64);
            bytes.push(salt.len() as u64 + 4);
            text.extend_from_slice(salt);
            text.extend(number.to_be_bytes());
            text.resize(text.len().next_multiple_of(4), 0);
        }
        let messages = self.upload(&text)?;
        let first = self.hmac(64, passwords, Spans { at: &at, bytes: &bytes }, &messages)?;
        let u = self.allocate(count * 64)?;
        self.write(&u, 0, &first)?;
        // The states after the key's blocks, inner and outer in turn.
        let (inner, outer) = (Self::pads(passwords, 0x36)?, Self::pads(passwords, 0x5c)?);
        let mut both = zeroize::Zeroizing::new(Vec::with_capacity(count * 128));
        for (i, o) in inner.chunks(64).zip(outer.chunks(64)) {
            both.extend_from_slice(i);
            both.extend_from_slice(o);
        }
        let pads = self.allocate(count * 128)?;
        self.write(&pads, 0, &both)?;
        let at: Vec<u64> = (0..2 * count as u64).map(|i| 64 * i).collect();
        let states = self.allocate(count * 128)?;
        self.hash_states(
            false,
            false,
            None,
            Spans { at: &at, bytes: &vec![64; 2 * count] },
            &pads,
            &states,
        )?;
        let threads =
            (count.div_ceil(32) * 8).next_multiple_of(Program::Streebog.threads() as usize);
        let (sums, scratch) = (self.room(count * 64)?, self.room(threads * 192 * 4)?);
        let constants = self.constants.take().ok_or(Error::Unsupported("constants"))?;
        let args = [
            Arg::Memory(&constants.0),
            Arg::Memory(&pads.0),
            Arg::Memory(&states.0),
            Arg::Memory(&u.0),
            Arg::U32(count as u32),
            Arg::U32(iterations),
            Arg::Memory(&sums.0),
            Arg::Memory(&scratch.0),
            Arg::U32(threads as u32),
        ];
        let result = self.launch(Program::Streebog, "streebog_pbkdf2", threads as u64, &args);
        self.constants = Some(constants);
        result?;
        let mut out = vec![0; count * 64];
        self.read(&u, 0, &mut out)?;
        self.give([messages]);
        for room in [u, pads, states, sums, scratch] {
            self.secret(room)?;
        }
        Ok(out)
    }
}
