//! Files of BouncyCastle, and files for it: `peers.sh` names their folder in BULAT_PEERS.

use std::path::PathBuf;

use bulat_pkcs::pbes2::{Cipher, Pbes2};
use bulat_pkcs::pfx::{self, Bag, Content, Mac, Pfx, Section};
use bulat_pkcs::{Error, Limits, Scheme, pkcs8};

#[test]
fn bouncy_castle() {
    let Some(folder) = std::env::var_os("BULAT_PEERS").map(PathBuf::from) else {
        println!("skipped: pkcs/tests/peers.sh runs this test");
        return;
    };
    let mut files = 0;
    while folder.join(format!("{files}.p12")).exists() {
        let read = |end: &str| std::fs::read(folder.join(format!("{files}.{end}"))).expect(end);
        let (password, key, limits) = (read("pw"), read("key"), Limits::default());
        let opened = pkcs8::decrypt(&read("p8"), &password, &limits);
        assert_eq!(opened.expect("theirs").der(), key, "{files}");
        let wrong = pfx::open(&read("p12"), b"wrong", &limits);
        assert_eq!(wrong.err(), Some(Error::Password), "{files}");
        let theirs = pfx::open(&read("p12"), &password, &limits).expect("theirs");
        assert!(theirs.mac.is_some());
        let (mut keys, mut certificates) = (0, 0);
        for bag in theirs.bags() {
            match &bag.content {
                Content::Key(found, _) => {
                    assert_eq!(found.der(), key, "{files}");
                    keys += 1;
                }
                Content::Certificate(found) => {
                    assert_eq!(*found, read("cer"), "{files}");
                    certificates += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((keys, certificates), (1, 1), "{files}");

        let pbes2 = Pbes2::generate(Cipher::KuznyechikCtrAcpkmOmac, 1000).unwrap();
        let key = pkcs8::PrivateKey::try_from(&key[..]).unwrap();
        let content = Content::Key(key, Some(Scheme::Pbes2(pbes2)));
        let bags = vec![Bag { content, attributes: Vec::new() }];
        let mac = Some(Mac::generate(1000).unwrap());
        let ours = Pfx { mac, sections: vec![Section { protection: None, bags }] };
        let ours = ours.seal(&password).unwrap();
        std::fs::write(folder.join(format!("ours{files}.p12")), ours).unwrap();
        files += 1;
    }
    println!("{files} files opened");
    assert!(files > 0);
}
