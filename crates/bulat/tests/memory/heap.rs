//! The content of freed blocks of the heap: of keys, schedules and decrypted texts, no 16 consecutive bytes.
//! Less may be found in the space between the fields of an object that was moved there.

use bulat::batch::{self, Job, MacMode, Mode};
use bulat::esp::{self, Association, Packet, Transform};
use bulat::kdf::kdf_tree;
use bulat::modes::{Aead, CtrAcpkmOmac, Mgm, Xts, acpkm_key};
use bulat::{Direction, Kuznyechik};
use testkit::freed::{self, Searched, except, found, search};

use crate::remains::{bytes, keys_of};

#[global_allocator]
static HEAP: Searched = Searched;

/// Jobs of the sorts that keep keys, chains or plaintext for a while, more than fit without growing.
#[test]
fn heap() {
    // A key and a text that no other test has: those free theirs meanwhile.
    let key: &[u8; 32] = &bytes(32, 11).try_into().expect("32");
    let plain = bytes(64, 12);
    let (iv, ukm) = ([1; 16], [2; 16]);
    let mut derived = [0; 64];
    kdf_tree(key, b"kdf tree", &ukm[8..], 1, &mut derived).expect("lengths");
    let of_key = keys_of(key);
    let mut secrets: Vec<&[u8]> = of_key.iter().map(|k| &k[..]).collect();
    let of_section = acpkm_key(&Kuznyechik::new(key));
    secrets.extend([&plain[..], &derived, &of_section[..]]);
    search(16, &secrets);

    const JOBS: usize = 100;
    let cipher = Kuznyechik::new(key);
    let xts = Xts::new(key, &[9; 32]).expect("two keys");
    let cms = CtrAcpkmOmac::<Kuznyechik>::new(key, 256 << 10).expect("lengths");
    let mgm = Mgm::with(cipher.clone());
    // Sealed texts of 512 bytes, and a long text.
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
    let found = found(|| {
        let period = 64 << 10;
        for (text, tweak) in sectors.chunks_mut(512).zip(&tweaks) {
            jobs.push(Job::sector(&xts, tweak, Direction::Decrypt, text));
        }
        for (i, tag) in macs.iter_mut().enumerate() {
            // Messages of many lengths, so that they end at different times.
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
        except(jobs.as_ptr());
        assert!(batch::run(jobs).iter().all(|result| result.is_ok()));
        let run = |jobs: Vec<Job<'_>>| {
            except(jobs.as_ptr());
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
        assert_eq!(esp::seal(&mut association, &mut packets), Ok(()));
    });
    assert!(texts.iter().all(|text| *text == plain.repeat(8)) && long == plain.repeat(1 << 14));
    assert_eq!(found, 0);
}

/// Bursts of up to 64 packets, sealed and opened, once their leaf is ready.
#[test]
fn a_burst_of_packets_allocates_nothing() {
    for transform in [Transform::KuznyechikMgm, Transform::MagmaMgm, Transform::MagmaMac] {
        let key = bytes(transform.key_len(), 13);
        let make = || [Association::new(transform, &key).expect("its length")];
        let (mut us, mut them) = (make(), make());
        for len in [1, 64] {
            let mut texts = vec![(bytes(1444, 14), vec![0; transform.icv_len()]); len];
            let mut packets: Vec<_> = (texts.iter_mut().enumerate())
                .map(|(i, (text, icv))| Packet::new(0, esp::iv(i as u64), &[0; 12], text, icv))
                .collect();
            let mut allocated = 0;
            // The first call makes the leaf.
            for _ in 0..2 {
                let before = freed::allocated();
                assert_eq!(esp::seal(&mut us, &mut packets), Ok(()));
                assert_eq!(esp::open(&mut them, &mut packets), Ok(()));
                allocated = freed::allocated() - before;
            }
            assert_eq!(allocated, 0, "{transform:?}, {len} packets");
        }
    }
}
