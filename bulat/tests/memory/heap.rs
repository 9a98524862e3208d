//! The content of freed blocks of the heap: of keys, schedules and decrypted texts, no 16 consecutive bytes.
//! Less may be found in the space between the fields of an object that was moved there.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::SeqCst};

use bulat::batch::{self, Job, MacMode, Mode};
use bulat::esp::{self, Association, Packet, Transform};
use bulat::kdf::kdf_tree;
use bulat::modes::{Aead, CtrAcpkmOmac, Mgm, Xts, acpkm_key};
use bulat::{Direction, Kuznyechik};

use crate::remains::{keys_of, octets};

struct Watched;

#[global_allocator]
static HEAP: Watched = Watched;

/// The secrets, in words.
static SECRETS: [AtomicU64; 96] = [const { AtomicU64::new(0) }; 96];
static WATCHES: AtomicBool = AtomicBool::new(false);
static FREED: AtomicUsize = AtomicUsize::new(0);
static FOUND: AtomicUsize = AtomicUsize::new(0);
/// A block that is not looked at.
static EXCEPT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

// SAFETY: the system's allocator, but for a look at freed blocks. `realloc` is the trait's: another block, a copy, and
// this `dealloc`.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises. Zeros, so that a freed block may be read as bytes.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if WATCHES.load(SeqCst) && block != EXCEPT.load(SeqCst) {
            // SAFETY: a block of this size that nobody else uses. It came as zeros; where its last user left
            // padding, the bytes are formally undetermined: any value does, this is a test.
            let block = unsafe { std::slice::from_raw_parts(block, layout.size()) };
            FREED.fetch_add(1, SeqCst);
            let secret = |w: &[u8]| {
                let (Some(a), Some(b)) = (w.first_chunk(), w.last_chunk()) else { return false };
                let (a, b) = (u64::from_ne_bytes(*a), u64::from_ne_bytes(*b));
                a != 0
                    && SECRETS.windows(2).any(|s| (s[0].load(SeqCst), s[1].load(SeqCst)) == (a, b))
            };
            if block.windows(16).any(secret) {
                FOUND.fetch_add(1, SeqCst);
            }
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Blocks that were freed meanwhile with something of the secrets.
fn found(secrets: &[&[u8]], run: impl FnOnce()) -> usize {
    let words = secrets.iter().flat_map(|s| s.chunks_exact(8));
    let words: Vec<u64> = words.map(|w| u64::from_ne_bytes(w.try_into().expect("8"))).collect();
    assert!(words.len() <= SECRETS.len());
    SECRETS.iter().for_each(|s| s.store(0, SeqCst));
    SECRETS.iter().zip(&words).for_each(|(s, w)| s.store(*w, SeqCst));
    FOUND.store(0, SeqCst);
    FREED.store(0, SeqCst);
    WATCHES.store(true, SeqCst);
    run();
    WATCHES.store(false, SeqCst);
    println!("{} blocks freed, {} with secrets", FREED.load(SeqCst), FOUND.load(SeqCst));
    FOUND.load(SeqCst)
}

/// Jobs of the sorts that keep keys, chains or plaintext for a while, more than fit without growing.
#[test]
fn heap() {
    // A key and a text that no other test has: those free theirs meanwhile.
    let key: &[u8; 32] = &octets(32, 11).try_into().expect("32");
    let plain = octets(64, 12);
    let (iv, ukm) = ([1; 16], [2; 16]);
    let mut derived = [0; 64];
    kdf_tree(key, b"kdf tree", &ukm[8..], 1, &mut derived).expect("lengths");
    let of_key = keys_of(key);
    let mut secrets: Vec<&[u8]> = of_key.iter().map(|k| &k[..]).collect();
    let of_section = acpkm_key(&Kuznyechik::new(key));
    secrets.extend([&plain[..], &derived, &of_section[..]]);
    let copies = found(&secrets, || drop(std::hint::black_box(key.to_vec())));
    assert_eq!(copies, 1, "the control: a copy that nobody wipes is found");

    const JOBS: usize = 100;
    let cipher = Kuznyechik::new(key);
    let xts = Xts::new(key, &[9; 32]).expect("two keys");
    let cms = CtrAcpkmOmac::<Kuznyechik>::new(key, 256 << 10).expect("lengths");
    let mgm = Mgm::with(cipher.clone());
    // Sealed texts of 512 bytes, and one that is long.
    let sealed = |len: usize| {
        let mut text = plain.repeat(len / 64);
        let tag = mgm.seal_in_place(&iv, &[], &mut text).expect("short");
        (text, tag)
    };
    let (short, tag) = sealed(512);
    let (long, long_tag) = sealed(1 << 20);
    let mut sectors = plain.repeat(512 / 64 * JOBS);
    xts.sectors(0, 512, Direction::Encrypt, &mut sectors).expect("whole sectors");
    let tweaks: Vec<_> = (0..JOBS as u128).map(Xts::tweak).collect();
    let mut texts = vec![short; JOBS];
    let mut other = vec![plain.repeat(5); JOBS];
    let mut tags = vec![[0; 16]; 3 * JOBS];
    let (macs, rest) = tags.split_at_mut(JOBS);
    let (changing, of_cms) = rest.split_at_mut(JOBS);
    let mut long = long.to_vec();
    let mut association =
        [Association::new(Transform::KuznyechikMgm, &[&key[..], &[4; 12]].concat()).expect("44")];
    let mut payloads = vec![[5; 64]; JOBS];
    let mut icvs = vec![[0; 12]; JOBS];

    // The list is the test's, and may have old bytes of its stack between the fields of a job.
    let mut jobs = Vec::with_capacity(5 * JOBS);
    let found = found(&secrets, || {
        let period = 64 << 10;
        for (text, tweak) in sectors.chunks_mut(512).zip(&tweaks) {
            jobs.push(Job::sector(&xts, tweak, Direction::Decrypt, text));
        }
        for (i, tag) in macs.iter_mut().enumerate() {
            // Of many lengths, so that they end one after the other.
            jobs.push(Job::mac(&cipher, MacMode::Omac, &plain[..i % 64], tag));
        }
        for (i, tag) in changing.iter_mut().enumerate() {
            let mode = MacMode::OmacAcpkm { section: 16, period };
            jobs.push(Job::mac(&cipher, mode, &plain[..i % 64], tag));
        }
        for ((text, other), own) in texts.iter_mut().zip(&mut other).zip(of_cms) {
            jobs.push(Job::open(&mgm, &iv, &[], text, &tag));
            jobs.push(Job::seal(&cms, &ukm, &[], other, own));
        }
        EXCEPT.store(jobs.as_mut_ptr().cast(), SeqCst);
        assert!(batch::run(jobs).iter().all(|result| result.is_ok()));
        let run = |mut jobs: Vec<Job<'_>>| {
            EXCEPT.store(jobs.as_mut_ptr().cast(), SeqCst);
            #[cfg(feature = "threads")]
            return batch::run_on_threads(jobs);
            #[cfg(not(feature = "threads"))]
            batch::run(jobs)
        };
        assert_eq!(run(vec![Job::open(&mgm, &iv, &[], &mut long, &long_tag)]), [Ok(())]);
        // There and back.
        for _ in 0..2 {
            let job = Job::cipher(&cipher, Mode::CtrAcpkm(4096), &iv[..8], &mut long);
            assert_eq!(run(vec![job]), [Ok(())]);
        }
        let mut packets: Vec<_> = payloads
            .iter_mut()
            .zip(&mut icvs)
            .enumerate()
            .map(|(i, (payload, icv))| Packet::new(0, [i as u8; 8], &[6; 8], payload, icv))
            .collect();
        let results = esp::seal(&mut association, &mut packets);
        assert!(results.iter().all(|result| result.is_ok()));
    });
    assert!(texts.iter().all(|text| *text == plain.repeat(8)) && long == plain.repeat(1 << 14));
    assert_eq!(found, 0);
}
