//! Functions without a session: key derivation, wrapping, many lanes at once, GF multiplication.

use bulat::batch::{self, Job};
use bulat::kdf::{self, Candidate, Derivation, KeyWrap, TlsMasks, TlsTree};
use bulat::{BlockCipher, Gost28147, HmacStreebog256, Kuznyechik, Magma};
use bulat::{ParamSet, Sboxes};
use bulat_core::cipher::{Chain, Chained as _, Data, Lane, Shapes as _};
use bulat_core::kernel::{HashLane, HashState, Ready};

use crate::{pattern, secret, valgrind};

/// A name and the function to run.
pub type Case = (&'static str, fn());

/// Every case; each is run on the kernel that is forced at the time.
pub const CASES: [Case; 18] = [
    ("kdf-gostr3411-2012-256", || {
        drop(kdf::kdf_256(&secret(32, 1), b"label", b"seed"));
    }),
    ("kdf-tree", || {
        let mut out = [0; 64];
        kdf::kdf_tree(&secret(32, 1), b"label", b"seed", 1, &mut out).expect("parameters");
    }),
    ("kdf-gostr3411-2012-256: 11 side by side", || {
        let keys = secret(32 * 11, 1);
        let mut out = [[0; 32]; 11];
        let all = keys.chunks(32).zip(&mut out);
        let derivation = |(key, out)| Derivation { key, label: b"label", seed: b"seed", out };
        kdf::kdf_256_many(&mut all.map(derivation).collect::<Vec<_>>());
    }),
    ("kuznyechik: schedules, 70 and 7", || {
        let keys: Vec<_> = (0..70).map(key).collect();
        Kuznyechik::new_many(&keys);
        Kuznyechik::new_many(&keys[..7]);
    }),
    ("streebog and hmac: a batch of short ones", || {
        let (texts, key) = (secret(64 * 20, 1), HmacStreebog256::new(&secret(32, 2)));
        let (mut tags, mut digests) = ([[0; 32]; 20], [[0; 32]; 20]);
        let tags = texts.chunks(64).zip(&mut tags).map(|(m, d)| Job::Hmac256(&key, m, d));
        let digests = texts.chunks(63).zip(&mut digests).map(|(m, d)| Job::Hash256(m, d));
        batch::run(tags.chain(digests).collect());
    }),
    ("gost94: a batch of short ones", || {
        let (texts, sboxes) = (secret(63 * 20, 1), Sboxes::from(ParamSet::HashCryptoPro));
        let mut digests = [[0; 32]; 20];
        let all = texts.chunks(63).zip(&mut digests);
        batch::run(all.map(|(m, d)| Job::Gost94(&sboxes, m, d)).collect());
    }),
    ("pbkdf2-hmac-streebog512", || {
        let mut out = [0; 64];
        kdf::pbkdf2::<64>(&secret(20, 1), b"salt", 3, &mut out).expect("parameters");
    }),
    ("pbkdf2-hmac-streebog512 of 3", || {
        let (words, mut out) = (secret(60, 1), [0; 210]);
        let all = words.chunks(20).zip(out.chunks_mut(70));
        let candidate = |(password, dk)| Candidate { password, salt: b"salt", dk };
        kdf::pbkdf2_many::<64>(3, &mut all.map(candidate).collect::<Vec<_>>()).expect("parameters");
    }),
    ("prf-tls", || {
        let mut out = [0; 64];
        kdf::prf_tls::<32>(&secret(32, 1), b"label", b"seed", &mut out);
    }),
    ("tlstree", || {
        let root = key(1);
        TlsTree::new(&root, TlsMasks::KUZNYECHIK_CTR_OMAC).key(77);
    }),
    ("kuznyechik-kexp15, kimp15", || kexp15(Kuznyechik::new)),
    ("magma-kexp15, kimp15", || kexp15(Magma::new)),
    ("gost28147 key wraps", || {
        for wrap in [
            KeyWrap::Gost28147(ParamSet::Tc26Z.into()),
            KeyWrap::CryptoPro(ParamSet::CryptoProA.into()),
            KeyWrap::Rfc7836,
        ] {
            let (kek, mut wrapped, mut cek) = (key(1), [0; 44], [0; 32]);
            wrap.wrap(&kek, b"8 bytes!", &secret(32, 2), &mut wrapped).expect("lengths");
            wrap.unwrap(&kek, &wrapped, &mut cek).expect("its own");
        }
    }),
    ("magma: user-given S-boxes", || {
        let rows = core::array::from_fn(|i| core::array::from_fn(|j| ((j * 7 + 3 * i) % 16) as u8));
        let cipher = Gost28147::new(&key(1), Sboxes::new(rows).expect("permutations"));
        let mut text = secret(8 * 700, 2);
        cipher.map(bulat::Direction::Encrypt, text.as_mut_slice().into());
        cipher.map(bulat::Direction::Decrypt, text[..8].as_mut().into());
    }),
    ("kuznyechik: 70 lanes, own keys", || {
        let ciphers: Vec<_> = (0..70).map(|i| Kuznyechik::new(&key(i))).collect();
        for chain in [Chain::CbcEncrypt, Chain::CfbEncrypt, Chain::Ofb] {
            let (mut states, mut texts) = ([[0; 16]; 70], vec![[0; 48]; 70]);
            texts.iter_mut().for_each(|t| t.copy_from_slice(&secret(48, 9)));
            let mut lanes: Vec<_> = (ciphers.iter().zip(&mut states).zip(&mut texts))
                .map(|((c, state), text)| Lane {
                    schedule: c.schedule(),
                    state,
                    data: Data::Through(text[..].as_mut().into()),
                })
                .collect();
            ciphers[0].lanes(chain, &mut lanes);
        }
    }),
    ("gost28147: 200 lanes, own keys, IMIT", || {
        let ciphers: Vec<_> =
            (0..200).map(|i| Gost28147::new(&key(i), ParamSet::CryptoProA)).collect();
        for chain in [Chain::Mac, Chain::Imit] {
            let (mut states, text) = ([[0; 8]; 200], secret(32, 9));
            let mut lanes: Vec<_> = (ciphers.iter().zip(&mut states))
                .map(|(c, state)| Lane { schedule: c.schedule(), state, data: Data::Read(&text) })
                .collect();
            ciphers[0].lanes(chain, &mut lanes);
        }
    }),
    ("streebog: 11 messages side by side", || {
        let list = bulat_core::streebog::KERNELS;
        let forced = bulat::kernel::forced();
        let Some(kernel) = list.iter().find(|k| Some(k.name) == forced) else { return };
        let kernel = Ready::new(kernel).expect("forced, so available");
        let text = secret(256, 1);
        let mut states = vec![HashState { h: [0; 64], n: [0; 64], sigma: [0; 64] }; 11];
        let mut lanes: Vec<_> =
            states.iter_mut().map(|state| HashLane { state, blocks: &text }).collect();
        kernel.blocks(&mut lanes);
    }),
    ("gf: MGM's sums of products", || {
        let list = bulat_core::gf::KERNELS;
        let forced = bulat::kernel::forced();
        let Some(kernel) = list.iter().find(|k| Some(k.name) == forced) else { return };
        let kernel = Ready::new(kernel).expect("forced, so available");
        let (h, a) = (secret(80, 1), secret(80, 2));
        kernel.mac64(&mut [0; 8], &h[..72], &a[..72]); // pairs and a single block
        kernel.mac128(&mut [0; 16], &h, &a);
    }),
];

/// A secret key.
pub fn key(seed: u8) -> [u8; 32] {
    let key: [u8; 32] = pattern(32, seed).try_into().expect("32 bytes");
    valgrind::secret(&key);
    key
}

fn kexp15<C: BlockCipher>(new: fn(&[u8; 32]) -> C) {
    let (mac, enc) = (new(&key(1)), new(&key(2)));
    let iv = pattern(C::BLOCK / 2, 3);
    let mut exported = vec![0; 32 + C::BLOCK];
    kdf::kexp15(&mac, &enc, &iv, &secret(32, 4), &mut exported).expect("lengths");
    let mut imported = [0; 32];
    kdf::kimp15(&mac, &enc, &iv, &exported, &mut imported).expect("its own");
}
