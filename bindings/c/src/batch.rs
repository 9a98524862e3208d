//! Many messages in one call.

use core::ffi::{c_int, c_void};

use crate::aead::text;
use crate::border::{Fault, Range, apart, calls, guard, input, make, object, output};
use crate::key::bulat_key;
use crate::result::{
    BULAT_ERR_DATA_LENGTH, BULAT_ERR_JOB, BULAT_ERR_OVERLAP, BULAT_OK, bulat_result, code,
};
use crate::threads::Threads;
use bulat::Direction::{Decrypt, Encrypt};
use bulat::algorithm::{Message, Work, run};
use bulat::{Error, algorithm::Kind};

/// The operation of a job.
pub type bulat_work = c_int;
/// Hashes `source` to `tag`.
pub const BULAT_WORK_HASH: bulat_work = 1;
/// Computes the MAC of `source` in `tag`.
pub const BULAT_WORK_MAC: bulat_work = 2;
/// Checks the MAC of `source` in `tag`, which is only read.
pub const BULAT_WORK_VERIFY: bulat_work = 3;
/// Encrypts `source` to `destination`, without padding.
pub const BULAT_WORK_ENCRYPT: bulat_work = 4;
/// Decrypts `source` to `destination`, without padding.
pub const BULAT_WORK_DECRYPT: bulat_work = 5;
/// Encrypts `source` to `destination` and writes `tag`.
pub const BULAT_WORK_SEAL: bulat_work = 6;
/// Checks `tag`, which is only read, then decrypts `source` to `destination`, which is unchanged on an error.
pub const BULAT_WORK_OPEN: bulat_work = 7;

/// A message of a batch. Set unused fields to zero: `bulat_job job = {0};`.
#[repr(C)]
pub struct bulat_job {
    /// The key; for a hash, a key made without bytes.
    pub key: *const bulat_key,
    /// BULAT_WORK_HASH and so on.
    pub work: bulat_work,
    /// The job's own result, written by the call.
    pub result: bulat_result,
    /// The IV or nonce.
    pub iv: *const c_void,
    /// The length of `iv` in bytes.
    pub iv_len: usize,
    /// The associated data.
    pub aad: *const c_void,
    /// The length of `aad` in bytes.
    pub aad_len: usize,
    /// The text or message.
    pub source: *const c_void,
    /// The destination: `source` itself, or a buffer that does not overlap it.
    pub destination: *mut c_void,
    /// The length of the text in bytes.
    pub len: usize,
    /// The digest, the MAC or the tag.
    pub tag: *mut c_void,
    /// The length of `tag` in bytes.
    pub tag_size: usize,
    /// Must be zeros.
    pub reserved: [usize; 2],
}

/// Threads for batches. Any number of threads may use a pool at once. It does not survive a fork: the child must make
/// its own.
pub struct bulat_pool(Threads);

calls! {
    /// Starts this many threads; 0: a thread per processor.
    fn bulat_pool_new(pool: *mut *mut bulat_pool, threads: usize) {
        make(pool, || Ok(bulat_pool(Threads::start(threads)?)))
    }
    /// Returns the number of its threads; 0 for null.
    fn bulat_pool_threads(pool: *const bulat_pool) -> usize = 0 => {
        Ok(object(pool)?.0.count())
    }
    /// Waits for the threads to end and frees the pool; null is ignored.
    free bulat_pool_free(pool: *mut bulat_pool);
}

/// Returns the buffers that a job writes, and the buffers that it reads.
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

/// A buffer of the jobs' buffers: its beginning, its end, whether it is written, and the job's index.
type Owned = (usize, usize, bool, usize);

/// Returns jobs that write to a buffer of a different job, or to the list itself; at least one of each two such jobs.
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
    // The last end so far, and its job: over all buffers, and over the written ones.
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

/// Converts the job to the library's form.
///
/// # Safety
/// As [`bulat_batch`]; the job's buffers must not overlap other jobs' buffers.
unsafe fn message<'a>(job: &bulat_job) -> Result<Message<'a>, Fault> {
    let (written, read) = buffers(job);
    apart(&written, &read)?;
    if job.reserved != [0; 2] {
        return Err(Error::Parameter.into());
    }
    // SAFETY: the header requires the job's pointers to be valid; jobs with overlapping buffers have been refused.
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
        let text = || text(job.source, job.destination, job.len);
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

/// Runs every job to its end, side by side where that is faster, and writes each job's own result. Jobs may differ in
/// every field. They run on `pool`, or if it is null on this thread. A job must not write to a buffer that a different
/// job reads or writes: such jobs get BULAT_ERR_OVERLAP, and the others run. Returns BULAT_OK if all jobs succeeded,
/// BULAT_ERR_JOB if a job failed; after BULAT_ERR_INTERNAL some jobs may have run, after any other code no job has run.
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
        // SAFETY: the header requires an array of `count` jobs. This reference ends before results are written.
        let all = unsafe { core::slice::from_raw_parts(object(jobs)?, count) };
        let threads = if pool.is_null() {
            None
        } else {
            // SAFETY: the header requires `pool` to be a live pool; null was handled above.
            Some(unsafe { object(pool)? }.0.here()?)
        };
        let (mut results, mut numbers) = (vec![BULAT_OK; count], Vec::with_capacity(count));
        let mut messages = Vec::with_capacity(count);
        entangled(all).into_iter().for_each(|i| results[i] = BULAT_ERR_OVERLAP);
        for (i, job) in all.iter().enumerate() {
            if results[i] != BULAT_OK {
                continue;
            }
            // SAFETY: the header requires valid pointers, and `entangled` has excluded jobs that share written buffers.
            match unsafe { message(job) } {
                Ok(message) => {
                    messages.push(message);
                    numbers.push(i);
                }
                Err(Fault(code)) => results[i] = code,
            }
        }
        let done = match threads {
            Some(threads) => threads.run(messages),
            None => run(messages),
        };
        for (i, result) in numbers.into_iter().zip(done) {
            results[i] = result.map_or_else(code, |()| BULAT_OK);
        }
        let well = results.iter().all(|result| *result == BULAT_OK);
        for (i, result) in results.into_iter().enumerate() {
            // SAFETY: `i` is less than `count`, the array's length.
            unsafe { (*jobs.add(i)).result = result };
        }
        if well { Ok(()) } else { Err(Fault(BULAT_ERR_JOB)) }
    })
}
