//! Many messages in one call.

use core::ffi::{c_int, c_void};
use std::sync::Mutex;
use std::thread::JoinHandle;

use crate::border::{Fault, Range, apart, free, guard, guard_value, input, make, object, output};
use crate::key::bulat_key;
use crate::result::{
    BULAT_ERR_DATA_LENGTH, BULAT_ERR_JOB, BULAT_ERR_OVERLAP, BULAT_ERR_THREADS, BULAT_OK,
    bulat_result, code,
};
use bulat::Direction::{Decrypt, Encrypt};
use bulat::algorithm::{Message, Text, Work, run, run_on_threads};
use bulat::{Error, algorithm::Kind};

/// What a job of a batch does.
pub type bulat_work = c_int;
/// Hashes `source`; the digest goes to `tag`.
pub const BULAT_WORK_HASH: bulat_work = 1;
/// Makes a MAC of `source`: `tag`.
pub const BULAT_WORK_MAC: bulat_work = 2;
/// Checks the MAC of `source`: `tag`, which is only read.
pub const BULAT_WORK_VERIFY: bulat_work = 3;
/// Encrypts `source` to `destination`, without padding.
pub const BULAT_WORK_ENCRYPT: bulat_work = 4;
/// Decrypts `source` to `destination`, without padding.
pub const BULAT_WORK_DECRYPT: bulat_work = 5;
/// Encrypts `source` to `destination` and makes `tag`.
pub const BULAT_WORK_SEAL: bulat_work = 6;
/// Checks `tag`, which is only read, then decrypts `source` to `destination`; on an error that is as it was.
pub const BULAT_WORK_OPEN: bulat_work = 7;

/// One message of a batch. What is not used is zero: `bulat_job job = {0};`.
#[repr(C)]
pub struct bulat_job {
    /// The key; for a hash one that was made without bytes.
    pub key: *const bulat_key,
    /// BULAT_WORK_HASH and so on.
    pub work: bulat_work,
    /// What became of it: the call writes it.
    pub result: bulat_result,
    /// The IV or nonce.
    pub iv: *const c_void,
    /// Bytes of it.
    pub iv_len: usize,
    /// The associated data.
    pub aad: *const c_void,
    /// Bytes of it.
    pub aad_len: usize,
    /// The text or message.
    pub source: *const c_void,
    /// Where the text goes: `source` itself, or a buffer that does not overlap it.
    pub destination: *mut c_void,
    /// Bytes of text.
    pub len: usize,
    /// The digest, the MAC or the tag.
    pub tag: *mut c_void,
    /// Bytes of it.
    pub tag_size: usize,
    /// Zeros.
    pub reserved: [usize; 2],
}

/// Threads that batches run on. Any number of threads may use it at once. It does not outlive a fork: the child makes its own.
pub struct bulat_pool {
    pool: Option<rayon::ThreadPool>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    process: u32,
}

impl Drop for bulat_pool {
    fn drop(&mut self) {
        let pool = self.pool.take();
        if self.process != std::process::id() {
            // The threads are another process's.
            core::mem::forget(pool);
            return;
        }
        drop(pool);
        let threads = self.threads.get_mut().map(core::mem::take).unwrap_or_default();
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// Starts so many threads; 0: as many as there are processors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_pool_new(
    pool: *mut *mut bulat_pool,
    threads: usize,
) -> bulat_result {
    let start = || {
        let handles = Mutex::new(Vec::new());
        let built = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.min(1 << 16))
            .spawn_handler(|thread| {
                let handle = std::thread::Builder::new().spawn(move || thread.run())?;
                if let Ok(mut handles) = handles.lock() {
                    handles.push(handle);
                }
                Ok(())
            })
            .build();
        let pool = built.map_err(|_| Fault(BULAT_ERR_THREADS))?;
        Ok(bulat_pool { pool: Some(pool), threads: handles, process: std::process::id() })
    };
    // SAFETY: the caller's word.
    guard(|| unsafe { make(pool, start) })
}

/// How many threads it has; 0 for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_pool_threads(pool: *const bulat_pool) -> usize {
    guard_value(0, || {
        // SAFETY: the caller's word.
        let pool = unsafe { object(pool) }.ok().and_then(|pool| pool.pool.as_ref());
        pool.map_or(0, rayon::ThreadPool::current_num_threads)
    })
}

/// Waits for the threads to end and frees the pool; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_pool_free(pool: *mut bulat_pool) {
    // SAFETY: the caller's word.
    unsafe { free(pool) }
}

/// A job's buffers: what it writes, what it reads.
fn buffers(job: &bulat_job) -> ([(*mut c_void, usize); 2], [Range; 4]) {
    let (tag, none) = ((job.tag, job.tag_size), (core::ptr::null_mut(), 0));
    let (to, tag, checked) = match job.work {
        BULAT_WORK_ENCRYPT | BULAT_WORK_DECRYPT => ((job.destination, job.len), none, none),
        BULAT_WORK_SEAL => ((job.destination, job.len), tag, none),
        BULAT_WORK_OPEN => ((job.destination, job.len), none, tag),
        BULAT_WORK_VERIFY => (none, none, tag),
        _ => (none, tag, none),
    };
    let in_place = job.source == to.0.cast_const();
    let source = if in_place { (core::ptr::null(), 0) } else { (job.source, job.len) };
    let read =
        [source, (job.iv, job.iv_len), (job.aad, job.aad_len), (checked.0.cast_const(), checked.1)];
    ([to, tag], read)
}

/// A buffer among those of all jobs: where it begins and ends, whether it is written, the job's number.
type Owned = (usize, usize, bool, usize);

/// Which jobs have a buffer to be written that another job has too, or that is the list itself. Of two such jobs one is found,
/// at least.
fn entangled(jobs: &[bulat_job]) -> Vec<usize> {
    let mut all: Vec<Owned> = Vec::with_capacity(4 * jobs.len() + 1);
    let list = (jobs.as_ptr() as usize, size_of_val(jobs));
    all.push((list.0, list.0.saturating_add(list.1), false, jobs.len()));
    for (i, job) in jobs.iter().enumerate() {
        let (written, read) = buffers(job);
        let written = written.iter().map(|&(at, len)| (at as usize, len, true));
        let read = read.iter().map(|&(at, len)| (at as usize, len, false));
        let filled = written.chain(read).filter(|(_, len, _)| *len > 0);
        all.extend(filled.map(|(at, len, writes)| (at, at.saturating_add(len), writes, i)));
    }
    all.sort_unstable();
    // Of those before, of all and of the written ones: the last end, and whose it is.
    let (mut any, mut written, mut found) = ((0, 0), (0, 0), Vec::new());
    for (from, to, writes, job) in all {
        for (end, other) in [if writes { any } else { written }, written] {
            if from < end && other != job {
                found.extend([job, other]);
            }
        }
        any = any.max((to, job));
        if writes {
            written = written.max((to, job));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|job| *job < jobs.len());
    found
}

/// The job as the library takes it.
///
/// # Safety
/// As [`bulat_batch`]; its buffers are its own.
unsafe fn message<'a>(job: &bulat_job) -> Result<Message<'a>, Fault> {
    let (written, read) = buffers(job);
    apart(&written, &read)?;
    if job.reserved != [0; 2] {
        return Err(Error::Parameter.into());
    }
    // SAFETY: the caller's word; what overlaps was refused.
    unsafe {
        let (key, iv) = (&object(job.key)?.0, input(job.iv, job.iv_len)?);
        let wanted = match job.work {
            BULAT_WORK_HASH => Kind::Hash,
            BULAT_WORK_MAC | BULAT_WORK_VERIFY => Kind::Mac,
            BULAT_WORK_ENCRYPT | BULAT_WORK_DECRYPT => Kind::Cipher,
            BULAT_WORK_SEAL | BULAT_WORK_OPEN => Kind::Aead,
            _ => return Err(Error::Parameter.into()),
        };
        if key.algorithm().kind != wanted {
            return Err(Error::UnknownAlgorithm.into());
        }
        if job.aad_len > 0 && wanted != Kind::Aead {
            return Err(Error::Order.into());
        }
        let source = || input(job.source, job.len);
        let aad = || input(job.aad, job.aad_len);
        let tag = || input(job.tag.cast_const(), job.tag_size);
        let tag_out = || output(job.tag, job.tag_size);
        let text = || {
            Ok::<_, Fault>(if job.source == job.destination.cast_const() {
                Text::InPlace(output(job.destination, job.len)?)
            } else {
                Text::Apart(input(job.source, job.len)?, output(job.destination, job.len)?)
            })
        };
        let work = match job.work {
            BULAT_WORK_HASH => Work::Hash(source()?, tag_out()?),
            BULAT_WORK_MAC => Work::Mac(source()?, tag_out()?),
            BULAT_WORK_VERIFY => Work::Verify(source()?, tag()?),
            BULAT_WORK_ENCRYPT => Work::Cipher(Encrypt, text()?),
            BULAT_WORK_DECRYPT => Work::Cipher(Decrypt, text()?),
            BULAT_WORK_SEAL => Work::Seal(aad()?, text()?, tag_out()?),
            _ => Work::Open(aad()?, text()?, tag()?),
        };
        Ok(Message { key, iv, work })
    }
}

/// Runs every job to its end, side by side where that is faster, and writes its own result into each. Jobs may differ in all.
/// On `pool`, or with null on this thread alone. What one job writes no other may read or write: such jobs get
/// BULAT_ERR_OVERLAP, the others run. BULAT_OK when all jobs are well, BULAT_ERR_JOB when one is not; after BULAT_ERR_INTERNAL some jobs may have run, with any other code no job
/// ran.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bulat_batch(
    jobs: *mut bulat_job,
    count: usize,
    pool: *const bulat_pool,
) -> bulat_result {
    guard(|| {
        if count == 0 {
            return Ok(());
        }
        if count > isize::MAX as usize / size_of::<bulat_job>() {
            return Err(Fault(BULAT_ERR_DATA_LENGTH));
        }
        // SAFETY: the caller's word: an array of so many jobs. No reference to it is left when results are written.
        let all = unsafe { core::slice::from_raw_parts(object(jobs)?, count) };
        let threads = if pool.is_null() {
            None
        } else {
            // SAFETY: the caller's word.
            let pool = unsafe { object(pool)? };
            if pool.process != std::process::id() {
                return Err(Fault(BULAT_ERR_THREADS));
            }
            pool.pool.as_ref()
        };
        let (mut results, mut numbers) = (vec![BULAT_OK; count], Vec::with_capacity(count));
        let mut messages = Vec::with_capacity(count);
        entangled(all).into_iter().for_each(|i| results[i] = BULAT_ERR_OVERLAP);
        for (i, job) in all.iter().enumerate() {
            if results[i] != BULAT_OK {
                continue;
            }
            // SAFETY: the caller's word; no other job has what it writes.
            match unsafe { message(job) } {
                Ok(message) => {
                    messages.push(message);
                    numbers.push(i);
                }
                Err(Fault(code)) => results[i] = code,
            }
        }
        let done = match threads {
            Some(pool) => pool.install(|| run_on_threads(messages)),
            None => run(messages),
        };
        for (i, result) in numbers.into_iter().zip(done) {
            results[i] = result.map_or_else(code, |()| BULAT_OK);
        }
        let well = results.iter().all(|result| *result == BULAT_OK);
        for (i, result) in results.into_iter().enumerate() {
            // SAFETY: within the array.
            unsafe { (*jobs.add(i)).result = result };
        }
        if well { Ok(()) } else { Err(Fault(BULAT_ERR_JOB)) }
    })
}
