//! The models of the crate `reference` as a subject of the vectors: the oracle. The library's tests
//! include this file too.

use reference::gost28147 as gost;
use reference::{Cipher as BlockCipher, Error, acpkm, cms, gost94, kdf, kexp15, kuznyechik};
use reference::{kuznyechik::Kuznyechik, magma, magma::Gost89, magma::Magma, mgm, modes};
use reference::{streebog, tlstree};
use vectors::{
    Answer, Cipher, Direction, KuznyechikStep, Meshing, Refused, Sbox, Streebog, Subject, Suite,
    Wrap,
};

/// The models of the crate `reference`, each operation straight from its standard.
pub struct Reference;

fn because(error: Error) -> Refused {
    Refused::because(error)
}

fn keyed(cipher: Cipher, key: &[u8]) -> Result<Box<dyn BlockCipher>, Refused> {
    match cipher {
        Cipher::Kuznyechik => Kuznyechik::new(key).map(|cipher| Box::new(cipher) as _),
        Cipher::Magma => Magma::new(key).map(|cipher| Box::new(cipher) as _),
    }
    .map_err(because)
}

/// A function of a cipher type, for the cipher named by a value.
macro_rules! of {
    ($cipher:expr, $($function:ident)::+ ( $($argument:expr),* $(,)? )) => {
        match $cipher {
            Cipher::Kuznyechik => $($function)::+::<Kuznyechik>($($argument),*),
            Cipher::Magma => $($function)::+::<Magma>($($argument),*),
        }
        .map_err(because)
    };
}

fn table(sbox: Sbox) -> &'static magma::Sbox {
    magma::sbox(sbox.name()).expect("every parameter set is there")
}

fn mesh(meshing: Meshing) -> gost::Meshing {
    match meshing {
        Meshing::None => gost::Meshing::None,
        Meshing::CryptoPro => gost::Meshing::CryptoPro,
    }
}

fn hash(hash: Streebog) -> kdf::Hash {
    match hash {
        Streebog::S256 => kdf::Hash::Streebog256,
        Streebog::S512 => kdf::Hash::Streebog512,
    }
}

fn array<const N: usize>(octets: &[u8]) -> Result<[u8; N], Refused> {
    octets.try_into().map_err(Refused::because)
}

fn word(octets: &[u8]) -> Result<u32, Refused> {
    array(octets).map(u32::from_be_bytes)
}

/// Tells a tag that does not match from an input that is not allowed.
fn verdict(result: Result<(), Error>) -> Result<bool, Refused> {
    match result {
        Ok(()) => Ok(true),
        Err(Error::Mac) => Ok(false),
        Err(error) => Err(because(error)),
    }
}

/// `times` blocks, each the image of the one before.
fn iterate(cipher: &dyn BlockCipher, direction: Direction, block: &[u8], times: u64) -> Answer {
    if block.len() != cipher.block() {
        return Err(Refused::Input("not one block".into()));
    }
    let mut block = block.to_vec();
    for _ in 0..times {
        match direction {
            Direction::Encrypt => cipher.encrypt(&mut block),
            Direction::Decrypt => cipher.decrypt(&mut block),
        }
    }
    Ok(block)
}

/// GOST 28147-89 one block after another, for messages too long for the models' one call: the same
/// steps of the standard, the meshing before block 128, 256, ...
struct Blocks {
    cipher: Gost89,
    key: Vec<u8>,
    table: &'static magma::Sbox,
    meshing: Meshing,
    register: [u8; 8],
    count: u64,
}

impl Blocks {
    fn new(sbox: Sbox, meshing: Meshing, key: &[u8], iv: &[u8]) -> Result<Self, Refused> {
        let table = table(sbox);
        let cipher = Gost89::new(key, table).map_err(because)?;
        Ok(Blocks { cipher, key: key.to_vec(), table, meshing, register: array(iv)?, count: 0 })
    }

    /// Called before each block: does the meshing that is due, and says whether there was any.
    fn next(&mut self) -> Result<bool, Refused> {
        let due =
            self.meshing == Meshing::CryptoPro && self.count > 0 && self.count.is_multiple_of(128);
        self.count += 1;
        if due {
            self.key = gost::mesh_key(&self.key, self.table).map_err(because)?;
            self.cipher = Gost89::new(&self.key, self.table).map_err(because)?;
        }
        Ok(due)
    }

    /// The register with meshing applied, as CNT and CFB have it.
    fn meshed(&mut self) -> Result<(), Refused> {
        if self.next()? {
            self.cipher.encrypt(&mut self.register);
        }
        Ok(())
    }
}

/// Runs `gamma` whenever eight bytes are used up; CFB takes the ciphertext back as its register.
fn gamma_stream<'a>(
    mut blocks: Blocks,
    feedback: bool,
    gamma: fn(&mut Blocks) -> [u8; 8],
) -> vectors::Stream<'a> {
    let (mut current, mut used) = ([0; 8], 8);
    Box::new(move |data| {
        for octet in data {
            if used == 8 {
                blocks.meshed()?;
                current = gamma(&mut blocks);
                used = 0;
            }
            *octet ^= current[used];
            if feedback {
                blocks.register[used] = *octet;
            }
            used += 1;
        }
        Ok(())
    })
}

/// IMIT that holds the last bytes back until it knows that they are the last.
struct Imit {
    blocks: Blocks,
    held: Vec<u8>,
}

impl Imit {
    fn step(&mut self, block: &[u8]) -> Result<(), Refused> {
        self.blocks.next()?;
        self.blocks.register.iter_mut().zip(block).for_each(|(state, octet)| *state ^= octet);
        self.blocks.cipher.mac_step(&mut self.blocks.register);
        Ok(())
    }
}

impl vectors::MacStream for Imit {
    fn update(&mut self, data: &[u8]) -> Result<(), Refused> {
        for octet in data {
            if self.held.len() == 8 {
                let block = std::mem::take(&mut self.held);
                self.step(&block)?;
            }
            self.held.push(*octet);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, tag_len: usize) -> Answer {
        let block = std::mem::take(&mut self.held);
        if !block.is_empty() {
            self.step(&block)?; // a short block is padded with zeros, which change nothing
            if self.blocks.count == 1 {
                self.step(&[])?; // at least two blocks
            }
        }
        Ok(self.blocks.register[..tag_len].to_vec())
    }
}

impl Subject for Reference {
    fn block(&self, cipher: Cipher, direction: Direction, key: &[u8], block: &[u8]) -> Answer {
        self.block_iterated(cipher, direction, key, block, 1)
    }

    fn block_iterated(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        block: &[u8],
        times: u64,
    ) -> Answer {
        iterate(&*keyed(cipher, key)?, direction, block, times)
    }

    fn round_keys(&self, cipher: Cipher, key: &[u8]) -> Answer {
        Ok(match cipher {
            Cipher::Kuznyechik => Kuznyechik::new(key).map_err(because)?.round_keys().concat(),
            Cipher::Magma => {
                let keys = Magma::new(key).map_err(because)?.round_keys();
                keys.iter().flat_map(|key| key.to_be_bytes()).collect()
            }
        })
    }

    fn kuznyechik_step(&self, step: KuznyechikStep, input: &[u8]) -> Answer {
        let step = match step {
            KuznyechikStep::S => kuznyechik::s,
            KuznyechikStep::SInverse => kuznyechik::s_inv,
            KuznyechikStep::R => kuznyechik::r,
            KuznyechikStep::RInverse => kuznyechik::r_inv,
            KuznyechikStep::L => kuznyechik::l,
            KuznyechikStep::LInverse => kuznyechik::l_inv,
        };
        Ok(step(array(input)?).to_vec())
    }

    fn kuznyechik_constant(&self, index: usize) -> Answer {
        Ok(kuznyechik::c(index as u8).to_vec())
    }

    fn kuznyechik_f_chain(&self, key: &[u8], index: usize) -> Answer {
        let (a1, a0) = (array(&key[..16])?, array(&key[16..])?);
        let (a1, a0) = (1..=index)
            .fold((a1, a0), |(a1, a0), index| kuznyechik::f(kuznyechik::c(index as u8), a1, a0));
        Ok([a1, a0].concat())
    }

    fn magma_t(&self, input: &[u8]) -> Answer {
        Ok(magma::t(word(input)?, table(Sbox::Tc26Z)).to_be_bytes().to_vec())
    }

    fn magma_g(&self, k: &[u8], input: &[u8]) -> Answer {
        Ok(magma::g(word(k)?, word(input)?, table(Sbox::Tc26Z)).to_be_bytes().to_vec())
    }

    fn ecb(&self, cipher: Cipher, direction: Direction, key: &[u8], data: &[u8]) -> Answer {
        let cipher = keyed(cipher, key)?;
        match direction {
            Direction::Encrypt => modes::ecb_encrypt(&*cipher, data),
            Direction::Decrypt => modes::ecb_decrypt(&*cipher, data),
        }
        .map_err(because)
    }

    fn ctr(&self, cipher: Cipher, key: &[u8], iv: &[u8], s: usize, data: &[u8]) -> Answer {
        modes::ctr(&*keyed(cipher, key)?, iv, s, data).map_err(because)
    }

    fn ctr_full_block(&self, cipher: Cipher, key: &[u8], counter: &[u8], data: &[u8]) -> Answer {
        modes::ctr_full(&*keyed(cipher, key)?, counter, data).map_err(because)
    }

    fn ofb(&self, cipher: Cipher, key: &[u8], iv: &[u8], s: usize, data: &[u8]) -> Answer {
        modes::ofb(&*keyed(cipher, key)?, iv, s, data).map_err(because)
    }

    fn cbc(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        let cipher = keyed(cipher, key)?;
        match direction {
            Direction::Encrypt => modes::cbc_encrypt(&*cipher, iv, data),
            Direction::Decrypt => modes::cbc_decrypt(&*cipher, iv, data),
        }
        .map_err(because)
    }

    fn cfb(
        &self,
        cipher: Cipher,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        s: usize,
        data: &[u8],
    ) -> Answer {
        let cipher = keyed(cipher, key)?;
        match direction {
            Direction::Encrypt => modes::cfb_encrypt(&*cipher, iv, s, data),
            Direction::Decrypt => modes::cfb_decrypt(&*cipher, iv, s, data),
        }
        .map_err(because)
    }

    fn omac(&self, cipher: Cipher, key: &[u8], data: &[u8], tag_len: usize) -> Answer {
        modes::omac(&*keyed(cipher, key)?, data, tag_len).map_err(because)
    }

    fn omac_verify(
        &self,
        cipher: Cipher,
        key: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        verdict(modes::omac_verify(&*keyed(cipher, key)?, data, tag_len, tag))
    }

    fn omac_subkeys(&self, cipher: Cipher, key: &[u8]) -> Answer {
        Ok(modes::omac_keys(&*keyed(cipher, key)?).concat())
    }

    fn acpkm(&self, cipher: Cipher, key: &[u8]) -> Answer {
        of!(cipher, acpkm::next_key(key))
    }

    fn acpkm_master(&self, cipher: Cipher, key: &[u8], period: usize, len: usize) -> Answer {
        of!(cipher, acpkm::master(key, period, 32 + cipher.block(), len / (32 + cipher.block())))
    }

    fn ctr_acpkm(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        section: usize,
        s: usize,
        data: &[u8],
    ) -> Answer {
        of!(cipher, acpkm::ctr_acpkm(key, iv, section, s, data))
    }

    fn omac_acpkm(
        &self,
        cipher: Cipher,
        key: &[u8],
        section: usize,
        period: usize,
        data: &[u8],
        tag_len: usize,
    ) -> Answer {
        of!(cipher, acpkm::omac_acpkm(key, section, period, data, tag_len))
    }

    fn omac_acpkm_verify(
        &self,
        cipher: Cipher,
        key: &[u8],
        section: usize,
        period: usize,
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        verdict(match cipher {
            Cipher::Kuznyechik => {
                acpkm::omac_acpkm_verify::<Kuznyechik>(key, section, period, data, tag_len, tag)
            }
            Cipher::Magma => {
                acpkm::omac_acpkm_verify::<Magma>(key, section, period, data, tag_len, tag)
            }
        })
    }

    fn mgm_seal(
        &self,
        cipher: Cipher,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        message: &[u8],
        tag_len: usize,
    ) -> Answer {
        let cipher = keyed(cipher, key)?;
        let (ciphertext, tag) =
            mgm::encrypt(&*cipher, nonce, aad, message, tag_len).map_err(because)?;
        Ok([ciphertext, tag].concat())
    }

    fn mgm_open(
        &self,
        cipher: Cipher,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        ciphertext: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Answer {
        let cipher = keyed(cipher, key)?;
        mgm::decrypt(&*cipher, nonce, aad, ciphertext, tag_len, tag).map_err(because)
    }

    fn gf_multiply(&self, _: Cipher, a: &[u8], b: &[u8]) -> Answer {
        mgm::multiply(a, b).map_err(because)
    }

    fn gost28147_sbox(&self, sbox: Sbox) -> Answer {
        Ok(table(sbox).concat())
    }

    fn gost28147_block(
        &self,
        sbox: Sbox,
        direction: Direction,
        key: &[u8],
        block: &[u8],
    ) -> Answer {
        iterate(&Gost89::new(key, table(sbox)).map_err(because)?, direction, block, 1)
    }

    fn gost28147_ecb(&self, sbox: Sbox, direction: Direction, key: &[u8], data: &[u8]) -> Answer {
        match direction {
            Direction::Encrypt => gost::ecb_encrypt(key, table(sbox), data),
            Direction::Decrypt => gost::ecb_decrypt(key, table(sbox), data),
        }
        .map_err(because)
    }

    fn gost28147_mesh(&self, sbox: Sbox, key: &[u8], iv: &[u8]) -> Answer {
        let (key, iv) = gost::mesh(key, iv, table(sbox)).map_err(because)?;
        Ok([key, iv].concat())
    }

    fn gost28147_cnt(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        gost::cnt(key, table(sbox), iv, mesh(meshing), data).map_err(because)
    }

    fn gost28147_cfb(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        let cfb = match direction {
            Direction::Encrypt => gost::cfb_encrypt,
            Direction::Decrypt => gost::cfb_decrypt,
        };
        cfb(key, table(sbox), iv, mesh(meshing), data).map_err(because)
    }

    fn gost28147_cbc(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        direction: Direction,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
    ) -> Answer {
        let cbc = match direction {
            Direction::Encrypt => gost::cbc_encrypt,
            Direction::Decrypt => gost::cbc_decrypt,
        };
        cbc(key, table(sbox), iv, mesh(meshing), data).map_err(because)
    }

    fn gost28147_imit(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
        tag_len: usize,
    ) -> Answer {
        gost::imit(key, table(sbox), iv, mesh(meshing), data, tag_len).map_err(because)
    }

    fn gost28147_imit_verify(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        verdict(gost::imit_verify(key, table(sbox), iv, mesh(meshing), data, tag_len, tag))
    }

    fn gost28147_cnt_stream(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<vectors::Stream<'_>, Refused> {
        let mut blocks = Blocks::new(sbox, meshing, key, iv)?;
        blocks.cipher.encrypt(&mut blocks.register);
        Ok(gamma_stream(blocks, false, |blocks| {
            let (low, high) = blocks.register.split_at_mut(4);
            let n3 = u32::from_le_bytes(low.try_into().expect("four bytes"));
            let n4 = u32::from_le_bytes(high.try_into().expect("four bytes"));
            let (n4, carry) = n4.overflowing_add(0x0101_0104);
            low.copy_from_slice(&n3.wrapping_add(0x0101_0101).to_le_bytes());
            high.copy_from_slice(&(n4 + u32::from(carry)).to_le_bytes());
            let mut gamma = blocks.register;
            blocks.cipher.encrypt(&mut gamma);
            gamma
        }))
    }

    fn gost28147_cfb_stream(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<vectors::Stream<'_>, Refused> {
        let blocks = Blocks::new(sbox, meshing, key, iv)?;
        Ok(gamma_stream(blocks, true, |blocks| {
            let mut gamma = blocks.register;
            blocks.cipher.encrypt(&mut gamma);
            gamma
        }))
    }

    fn gost28147_imit_stream(
        &self,
        sbox: Sbox,
        meshing: Meshing,
        key: &[u8],
        iv: &[u8],
    ) -> Result<Box<dyn vectors::MacStream + '_>, Refused> {
        let blocks = Blocks::new(sbox, meshing, key, iv)?;
        Ok(Box::new(Imit { blocks, held: Vec::new() }))
    }

    fn key_wrap(&self, wrap: Wrap, sbox: Sbox, kek: &[u8], ukm: &[u8], cek: &[u8]) -> Answer {
        match wrap {
            Wrap::Gost28147 => gost::wrap_gost(kek, ukm, cek, table(sbox)),
            Wrap::CryptoPro => gost::wrap_cryptopro(kek, ukm, cek, table(sbox)),
            Wrap::Rfc7836 => gost::wrap_rfc7836(kek, ukm, cek),
        }
        .map_err(because)
    }

    fn key_unwrap(&self, wrap: Wrap, sbox: Sbox, kek: &[u8], wrapped: &[u8]) -> Answer {
        match wrap {
            Wrap::Gost28147 => gost::unwrap_gost(kek, wrapped, table(sbox)),
            Wrap::CryptoPro => gost::unwrap_cryptopro(kek, wrapped, table(sbox)),
            Wrap::Rfc7836 => gost::unwrap_rfc7836(kek, wrapped),
        }
        .map_err(because)
    }

    fn cryptopro_diversify(&self, sbox: Sbox, kek: &[u8], ukm: &[u8]) -> Answer {
        gost::kek_diversify(kek, ukm, table(sbox)).map_err(because)
    }

    fn kexp15(
        &self,
        cipher: Cipher,
        k_mac: &[u8],
        k_enc: &[u8],
        iv: &[u8],
        secret: &[u8],
    ) -> Answer {
        of!(cipher, kexp15::kexp15(secret, k_mac, k_enc, iv))
    }

    fn kimp15(
        &self,
        cipher: Cipher,
        k_mac: &[u8],
        k_enc: &[u8],
        iv: &[u8],
        exported: &[u8],
    ) -> Answer {
        of!(cipher, kexp15::kimp15(exported, k_mac, k_enc, iv))
    }

    fn streebog(&self, hash: Streebog, data: &[u8]) -> Answer {
        Ok(match hash {
            Streebog::S256 => streebog::hash256(data),
            Streebog::S512 => streebog::hash512(data),
        })
    }

    fn gostr341194(&self, sbox: Sbox, data: &[u8]) -> Answer {
        Ok(gost94::hash(table(sbox), data))
    }

    fn hmac(&self, size: Streebog, key: &[u8], data: &[u8]) -> Answer {
        Ok(kdf::hmac(hash(size), key, data))
    }

    fn hmac_verify(
        &self,
        size: Streebog,
        key: &[u8],
        data: &[u8],
        tag_len: usize,
        tag: &[u8],
    ) -> Result<bool, Refused> {
        verdict(kdf::hmac_verify(hash(size), key, data, tag_len, tag))
    }

    fn kdf(&self, key: &[u8], label: &[u8], seed: &[u8]) -> Answer {
        Ok(kdf::kdf_256(key, label, seed))
    }

    fn kdf_tree(&self, key: &[u8], label: &[u8], seed: &[u8], r: u32, len: usize) -> Answer {
        kdf::kdf_tree(key, label, seed, r as usize, len).map_err(because)
    }

    fn pbkdf2(
        &self,
        size: Streebog,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        len: usize,
    ) -> Answer {
        kdf::pbkdf2(hash(size), password, salt, iterations, len).map_err(because)
    }

    fn prf_tls(
        &self,
        size: Streebog,
        secret: &[u8],
        label: &[u8],
        seed: &[u8],
        len: usize,
    ) -> Answer {
        Ok(kdf::prf_tls(hash(size), secret, label, seed, len))
    }

    fn prf_plus(&self, size: Streebog, key: &[u8], seed: &[u8], len: usize) -> Answer {
        kdf::prf_plus(hash(size), key, seed, len).map_err(because)
    }

    fn hkdf_extract(&self, size: Streebog, salt: &[u8], ikm: &[u8]) -> Answer {
        Ok(kdf::hkdf_extract(hash(size), salt, ikm))
    }

    fn hkdf_expand(&self, size: Streebog, prk: &[u8], info: &[u8], len: usize) -> Answer {
        kdf::hkdf_expand(hash(size), prk, info, len).map_err(because)
    }

    fn tlstree(&self, suite: Suite, key: &[u8], seqnum: u64) -> Answer {
        tlstree::tlstree(key, seqnum, suite.masks()).map_err(because)
    }

    fn cms_seal(
        &self,
        cipher: Cipher,
        cek: &[u8],
        ukm: &[u8],
        section: usize,
        message: &[u8],
    ) -> Answer {
        let (ciphertext, mac) =
            of!(cipher, cms::ctr_acpkm_omac_encrypt(cek, ukm, section, message))?;
        Ok([ciphertext, mac].concat())
    }

    fn cms_open(
        &self,
        cipher: Cipher,
        cek: &[u8],
        ukm: &[u8],
        section: usize,
        sealed: &[u8],
    ) -> Answer {
        let at = sealed.len().saturating_sub(cipher.block());
        let (ciphertext, mac) = sealed.split_at(at);
        of!(cipher, cms::ctr_acpkm_omac_decrypt(cek, ukm, section, ciphertext, mac))
    }
}
