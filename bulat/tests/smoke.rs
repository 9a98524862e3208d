//! RFC 7801 A.1, RFC 8891 A.2, RFC 6986.
use bulat::*;
#[test]
fn smoke() {
    let hex = |s: &str| -> Vec<u8> {
        (0..s.len() / 2).map(|i| u8::from_str_radix(&s[2 * i..2 * i + 2], 16).unwrap()).collect()
    };
    let k: [u8; 32] =
        hex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef").try_into().unwrap();
    let mut b: [u8; 16] = hex("1122334455667700ffeeddccbbaa9988").try_into().unwrap();
    let c = Kuznyechik::new(&k);
    c.encrypt_block(&mut b);
    assert_eq!(b.to_vec(), hex("7f679d90bebc24305a468d42b9d4edcd"));
    c.decrypt_block(&mut b);
    assert_eq!(b.to_vec(), hex("1122334455667700ffeeddccbbaa9988"));
    let k: [u8; 32] =
        hex("ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff").try_into().unwrap();
    let mut b: [u8; 8] = hex("fedcba9876543210").try_into().unwrap();
    let c = Magma::new(&k);
    c.encrypt_block(&mut b);
    assert_eq!(b.to_vec(), hex("4ee901e5c2d8ca3d"));
    c.decrypt_block(&mut b);
    assert_eq!(b.to_vec(), hex("fedcba9876543210"));
    assert_eq!(
        Streebog256::digest(b"012345678901234567890123456789012345678901234567890123456789012")
            .to_vec(),
        hex("9d151eefd8590b89daa6ba6cb74af9275dd051026bb149a452fd84e5e57b5500")
    );
    assert_eq!(
        Streebog512::digest(b"012345678901234567890123456789012345678901234567890123456789012")
            [..4]
            .to_vec(),
        hex("1b54d01a")
    );
}
