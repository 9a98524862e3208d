//! EVP as a subject of the vectors. A table has the name to fetch and the parameters to set.

use vectors::{Answer, Call, Meshing, Op, Refused, Sbox, Subject, to_hex};

use crate::{Evp, hex};

/// A line: the algorithm; the S-boxes and the meshing that EVP has for it; EVP's name; the names of its parameters.
/// CIPHER is `kuznyechik` or `magma`, BITS are 256 or 512.
type Line = (&'static str, Option<Sbox>, Option<Meshing>, &'static str, &'static str);

const A: Option<Sbox> = Some(Sbox::CryptoProA);
const Z: Option<Sbox> = Some(Sbox::Tc26Z);
const MESHED: Option<Meshing> = Some(Meshing::CryptoPro);
const PLAIN: Option<Meshing> = Some(Meshing::None);

const TABLE: [Line; 30] = [
    ("CIPHER-ecb", None, None, "CIPHER-ecb", ""),
    ("CIPHER-ctr", None, None, "CIPHER-ctr", ""),
    ("CIPHER-ofb", None, None, "CIPHER-ofb", ""),
    ("CIPHER-cbc", None, None, "CIPHER-cbc", ""),
    ("CIPHER-cfb", None, None, "CIPHER-cfb", ""),
    ("CIPHER-mgm", None, None, "CIPHER-mgm", ""),
    ("CIPHER-ctr-acpkm", None, None, "CIPHER-ctr-acpkm", "key-mesh"),
    ("CIPHER-ctr-acpkm-omac", None, None, "CIPHER-ctr-acpkm-omac", "key-mesh"),
    ("CIPHER-omac", None, None, "CIPHER-mac", "size"),
    ("CIPHER-omac-acpkm", None, None, "CIPHER-ctr-acpkm-omac", "size key-mesh cipher-key-mesh"),
    ("gost89-ecb", None, None, "gost89-ecb", "paramset"),
    ("gost89", None, MESHED, "gost89", "paramset"),
    ("gost89-cbc", None, PLAIN, "gost89-cbc", "paramset"),
    ("gost89-cnt", A, MESHED, "gost89-cnt", ""),
    ("gost89-cnt", Z, MESHED, "gost89-cnt-12", ""),
    ("gost-mac", A, MESHED, "gost-mac", "size iv"),
    ("gost-mac", Z, MESHED, "gost-mac-12", "size iv"),
    ("gost94", Some(Sbox::HashCryptoPro), None, "md_gost94", ""),
    ("gost94", Some(Sbox::HashTest), None, "gost94-test", ""),
    ("streebogBITS", None, None, "md_gost12_BITS", ""),
    ("hmac-streebogBITS", None, None, "hmac-streebogBITS", "size"),
    ("kdf-gostr3411-2012-BITS", None, None, "KDF_GOSTR3411_2012_BITS", "key label seed"),
    ("kdf-tree", None, None, "KDF_TREE", "key label seed r"),
    ("prf-tls-gostr3411-2012-BITS", None, None, "prf-tls-gostr3411-2012-BITS", "secret label seed"),
    ("prf-plus-streebogBITS", None, None, "prf-plus-streebogBITS", "key seed"),
    ("pbkdf2-hmac-streebogBITS", None, None, "pbkdf2-hmac-streebogBITS", "pass salt iter"),
    ("hkdf-streebogBITS", None, None, "hkdf-streebogBITS", "key salt info"),
    ("hkdf-extract-streebogBITS", None, None, "hkdf-streebogBITS", "key salt mode=EXTRACT_ONLY"),
    ("hkdf-expand-streebogBITS", None, None, "hkdf-streebogBITS", "key info mode=EXPAND_ONLY"),
    ("tlstree", None, None, "TLSTREE", "key cipher tlstree_mode record"),
];

/// The name to fetch and the parameters to set; `None` if EVP has no such algorithm or choice.
fn evp(call: &Call) -> Option<(String, Vec<String>)> {
    let cipher = call.mode().map_or("-", |(cipher, _)| cipher.name());
    let bits = call.over_streebog().map_or("-".to_owned(), |(_, hash)| hash.bits().to_string());
    let fill = |name: &str| name.replace("CIPHER", cipher).replace("BITS", &bits);
    let (.., name, words) = TABLE.iter().find(|(algorithm, sbox, meshing, ..)| {
        fill(algorithm) == call.algorithm
            && (sbox.is_none() || *sbox == call.sbox)
            && (meshing.is_none() || *meshing == call.meshing)
    })?;
    if let Some((cipher, mode)) = call.mode() {
        // Whole blocks of gamma, and registers of one block.
        let wide = matches!(mode, "ofb" | "cbc" | "cfb") && call.iv.len() > cipher.block();
        if wide || call.s.is_some_and(|s| s != cipher.block()) {
            return None;
        }
    }
    let of_a_hash = matches!(call.sbox, Some(Sbox::HashTest | Sbox::HashCryptoPro));
    if of_a_hash && *words == "paramset" {
        return None;
    }
    Some((fill(name), words.split_whitespace().filter_map(|word| parameter(word, call)).collect()))
}

/// A parameter of the table with its value in the call, if the call has it.
fn parameter(word: &str, call: &Call) -> Option<String> {
    let number = |value: Option<usize>| value.map(|value| value.to_string());
    let (name, value) = match word {
        "size" => (word, number(call.tag_len)?),
        "key-mesh" => (word, number(call.section)?),
        "cipher-key-mesh" => (word, number(call.period)?),
        "r" => (word, number(call.counter)?),
        "iter" => (word, call.times?.to_string()),
        "paramset" => (word, call.sbox?.name().to_owned()),
        "cipher" => {
            let mode = if call.suite?.name().contains("MGM") { "mgm" } else { "ctr" };
            (word, format!("{}-{mode}", call.suite?.cipher().name()))
        }
        "tlstree_mode" if call.suite?.name().ends_with("_L") => (word, "light".to_owned()),
        "tlstree_mode" if call.suite?.name().ends_with("_S") => (word, "strong".to_owned()),
        "tlstree_mode" => return None,
        "record" => ("hexseed", to_hex(&call.record?.to_be_bytes())),
        "iv" => ("hexiv", to_hex(call.iv)),
        "salt" => ("hexsalt", to_hex(call.salt)),
        "label" => ("hexlabel", to_hex(call.label)),
        "seed" => ("hexseed", to_hex(call.seed)),
        "info" => ("hexinfo", to_hex(call.seed)),
        "key" | "secret" | "pass" => return Some(format!("hex{word}={}", to_hex(call.key))),
        _ => return Some(word.to_owned()),
    };
    Some(format!("{name}={value}"))
}

impl Subject for Evp {
    fn run(&self, call: &Call) -> Answer {
        if let Some((cipher, "")) = call.mode() {
            // A line each: many iterations are left to the library's own tests.
            let times = Some(call.times.unwrap_or(1)).filter(|times| *times <= 1000);
            let ecb = Call { key: call.key, ..Call::of(call.op, cipher, "ecb") };
            return (0..times.ok_or(Refused::Unsupported)?)
                .try_fold(call.data.to_vec(), |block, _| self.run(&ecb.with(call.op, &block)));
        }
        let (name, params) = evp(call).ok_or(Refused::Unsupported)?;
        let Call { key, iv, aad, data, tag, .. } = *call;
        if call.op == Op::Verify {
            let right = self.run(&call.with(Op::Mac, data))? == tag;
            return right.then(Vec::new).ok_or_else(|| Refused::Input("another tag".to_owned()));
        }
        // To see that the tag has the length agreed on is up to the caller of EVP.
        if call.op == Op::Open && call.tag_len.is_some_and(|len| len != tag.len()) {
            return Err(Refused::Input("a tag of another length".to_owned()));
        }
        let block = call.mode().map_or(8, |(cipher, _)| cipher.block());
        let sealed = [call.tag_len.unwrap_or(block) as u8];
        let tag = if call.op == Op::Seal { &sealed[..] } else { tag };
        let way = if matches!(call.op, Op::Decrypt | Op::Open) { "dec" } else { "enc" };
        let [key, iv, aad, data, tag] = [key, iv, aad, data, tag].map(hex);
        let whole = call.over_streebog().map_or(32, |(_, hash)| hash.bytes());
        let len = call.len.unwrap_or(whole).to_string();
        let mut words = match call.op {
            Op::Hash => vec!["digest", &name, &data],
            Op::Mac => vec!["mac", &name, &key, &data],
            Op::Derive => vec!["kdf", &name, &len],
            _ => vec!["cipher", &name, way, &key, &iv, &aad, &data, &tag],
        };
        words.extend(params.iter().map(String::as_str));
        self.counted(&name, &words)
    }
}
