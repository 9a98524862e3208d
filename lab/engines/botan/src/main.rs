//! Botan 3 as an engine of the lab: keys set up once, each call one message. `BOTAN_CLEAR_CPUID=avx512` in the
//! environment shows its Streebog by tables.

use botan::{BlockCipher, Cipher, CipherDirection, HashFunction, MsgAuthCode};
use engine::{Case, Engine, Work, iv, key, serve};

struct Botan;

/// Our name; Botan's; bytes of IV from the lab (the rest are zeros); its kind.
const ALL: [(&str, &str, usize, usize, char); 8] = [
    ("kuznyechik-ecb", "Kuznyechik", 0, 0, 'b'),
    ("kuznyechik-ctr", "CTR(Kuznyechik)", 16, 8, 'c'),
    ("kuznyechik-cbc", "CBC(Kuznyechik,NoPadding)", 16, 16, 'c'),
    ("kuznyechik-cfb", "CFB(Kuznyechik)", 16, 16, 'c'),
    ("kuznyechik-ofb", "OFB(Kuznyechik)", 16, 16, 'c'),
    ("kuznyechik-omac", "CMAC(Kuznyechik)", 0, 0, 'm'),
    ("streebog256", "Streebog-256", 0, 0, 'h'),
    ("streebog512", "Streebog-512", 0, 0, 'h'),
];

fn text(e: botan::Error) -> String {
    format!("{e:?}").replace('\n', " ")
}

impl Engine for Botan {
    fn name(&self) -> (String, String) {
        let v = botan::Version::current().map(|v| format!("{}.{}.{}", v.major, v.minor, v.patch));
        ("botan".into(), v.unwrap_or_else(|_| "3".into()))
    }

    fn list(&self) -> Vec<(String, String)> {
        let here = |kind, name| match kind {
            'b' => BlockCipher::new(name).is_ok(),
            'c' => Cipher::new(name, CipherDirection::Encrypt).is_ok(),
            'm' => MsgAuthCode::new(name).is_ok(),
            _ => HashFunction::new(name).is_ok(),
        };
        let all = ALL.iter().filter(|(_, name, _, _, kind)| here(*kind, name));
        all.map(|(ours, ..)| ((*ours).into(), "-".into())).collect()
    }

    fn open(&self, case: &Case) -> Result<Work, String> {
        let found = ALL.iter().find(|(ours, ..)| *ours == case.algorithm);
        let &(_, name, iv_len, ours, kind) = found.ok_or("no such algorithm")?;
        let streams = 0..case.streams;
        let ivs: Vec<Vec<u8>> = streams
            .clone()
            .map(|i| {
                let mut iv = iv(i, ours);
                iv.resize(iv_len, 0);
                iv
            })
            .collect();
        match kind {
            'b' => {
                let new = |i| {
                    let mut c = BlockCipher::new(name)?;
                    c.set_key(&key(i, 32))?;
                    Ok(c)
                };
                let mut ciphers = streams.map(new).collect::<Result<Vec<_>, _>>().map_err(text)?;
                if case.size % ciphers[0].block_size().map_err(text)? != 0 {
                    return Err("not whole blocks".into());
                }
                let decrypt = case.decrypt;
                Ok(Box::new(move |input| {
                    for (text, c) in input.texts().zip(&mut ciphers) {
                        match decrypt {
                            false => c.encrypt_in_place(text).expect("encrypt"),
                            true => c.decrypt_in_place(text).expect("decrypt"),
                        }
                    }
                }))
            }
            'c' => {
                let direction =
                    if case.decrypt { CipherDirection::Decrypt } else { CipherDirection::Encrypt };
                let new = |i| {
                    let mut c = Cipher::new(name, direction)?;
                    c.set_key(&key(i, 32))?;
                    Ok(c)
                };
                let mut ciphers = streams.map(new).collect::<Result<Vec<_>, _>>().map_err(text)?;
                // One trial: lengths that the mode refuses.
                ciphers[0].process(&ivs[0], &vec![0; case.size]).map_err(text)?;
                Ok(Box::new(move |input| {
                    for ((text, c), iv) in input.texts().zip(&mut ciphers).zip(&ivs) {
                        let out = c.process(iv, text).expect("process");
                        text.copy_from_slice(&out);
                    }
                }))
            }
            'm' => {
                let new = |i| {
                    let mut m = MsgAuthCode::new(name)?;
                    m.set_key(&key(i, 32))?;
                    Ok(m)
                };
                let mut macs = streams.map(new).collect::<Result<Vec<_>, _>>().map_err(text)?;
                Ok(Box::new(move |input| {
                    for ((text, out), m) in input.both().zip(&mut macs) {
                        m.update(text).expect("update");
                        *out = m.finish().expect("finish");
                    }
                }))
            }
            _ => {
                let mut h = HashFunction::new(name).map_err(text)?;
                Ok(Box::new(move |input| {
                    for (text, out) in input.both() {
                        h.update(text).expect("update");
                        *out = h.finish().expect("finish");
                    }
                }))
            }
        }
    }
}

fn main() -> std::io::Result<()> {
    serve(&Botan)
}
