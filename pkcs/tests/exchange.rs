//! Files of BouncyCastle and of gost-engine, and files for them: `peers.sh` names their folder in BULAT_PEERS.

use std::path::PathBuf;

use bulat_pkcs::pbes2::{Cipher, Pbes2};
use bulat_pkcs::pfx::{self, Attribute, Bag, Content, Pfx};
use bulat_pkcs::{Error, Limits, pkcs8};

#[test]
fn files_of_others() {
    let Some(folder) = std::env::var_os("BULAT_PEERS").map(PathBuf::from) else {
        println!("skipped: pkcs/tests/peers.sh runs this test");
        return;
    };
    // The ciphers that they can read.
    let ciphers = std::fs::read_to_string(folder.join("ciphers")).expect("a list");
    let ciphers: Vec<Cipher> =
        ciphers.lines().map(|name| Cipher::find(name).expect("a cipher")).collect();
    let limits = Limits::default();
    let mut files = 0;
    while folder.join(format!("{files}.p12")).exists() {
        let read = |end: &str| std::fs::read(folder.join(format!("{files}.{end}"))).expect(end);
        let write = |end: &str, octets: &[u8]| {
            std::fs::write(folder.join(format!("ours{files}.{end}")), octets).expect("to write");
        };
        let (password, key, certificate) = (read("pw"), read("key"), read("cer"));
        let opened = pkcs8::decrypt(&read("p8"), &password, &limits);
        assert_eq!(opened.unwrap_or_else(|e| panic!("{files}.p8: {e}")).der(), key, "{files}");
        let wrong = pfx::open(&read("p12"), b"wrong", &limits);
        assert_eq!(wrong.err(), Some(Error::Password), "{files}");
        let theirs = pfx::open(&read("p12"), &password, &limits);
        let theirs = theirs.unwrap_or_else(|e| panic!("{files}.p12: {e}"));
        assert!(theirs.mac.is_some());
        let (mut keys, mut certificates) = (0, 0);
        for bag in theirs.bags() {
            match &bag.content {
                Content::Key(found, _) => {
                    assert_eq!(found.der(), key, "{files}");
                    keys += 1;
                }
                Content::Certificate(found) => {
                    assert_eq!(*found, certificate, "{files}");
                    certificates += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((keys, certificates), (1, 1), "{files}");

        let cipher = ciphers[files % ciphers.len()];
        let iterations = 1000 + files as u32;
        let key = pkcs8::PrivateKey::try_from(&key[..]).unwrap();
        let pbes2 = Pbes2::generate(cipher, iterations).unwrap();
        write("p8", &pkcs8::encrypt(&key, &password, &pbes2).unwrap());
        let bag = |content| {
            let attributes = vec![Attribute::local_key_id(&[1]), Attribute::friendly_name("ключ")];
            Bag { content, attributes }
        };
        let certificate = Content::certificate(&certificate).unwrap();
        let bags = vec![bag(certificate), bag(Content::Key(key, None))];
        let ours = Pfx::protect(bags, cipher, iterations).unwrap();
        write("p12", &ours.seal(&password).unwrap());
        files += 1;
    }
    println!("{files} files opened");
    assert!(files > 0);
}
