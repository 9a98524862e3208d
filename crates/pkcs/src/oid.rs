//! Object identifiers, with names for messages.

use der::asn1::ObjectIdentifier as Oid;

macro_rules! oids {
    ($($(#[$doc:meta])* $id:ident $oid:literal $name:literal)*) => {
        // Some are only named, in the error that refuses them.
        $($(#[$doc])* #[allow(dead_code)] pub(crate) const $id: Oid = Oid::new_unwrap($oid);)*
        const NAMES: &[(Oid, &str)] = &[$(($id, $name),)*];
    };
}

oids! {
    PBKDF2 "1.2.840.113549.1.5.12" "PBKDF2"
    PBES2 "1.2.840.113549.1.5.13" "PBES2"
    PBMAC1 "1.2.840.113549.1.5.14" "PBMAC1"
    HMAC_SHA1 "1.2.840.113549.2.7" "hmac-sha1"
    HMAC_SHA256 "1.2.840.113549.2.9" "hmac-sha256"
    HMAC_SHA384 "1.2.840.113549.2.10" "hmac-sha384"
    HMAC_SHA512 "1.2.840.113549.2.11" "hmac-sha512"
    HMAC_STREEBOG256 "1.2.643.7.1.1.4.1" "hmac-streebog256"
    HMAC_STREEBOG512 "1.2.643.7.1.1.4.2" "hmac-streebog512"
    HMAC_GOST94 "1.2.643.2.2.10" "hmac-gost94"
    STREEBOG256 "1.2.643.7.1.1.2.2" "streebog256"
    STREEBOG512 "1.2.643.7.1.1.2.3" "streebog512"
    GOST94 "1.2.643.2.2.9" "gost94"
    SHA1 "1.3.14.3.2.26" "sha1"
    SHA256 "2.16.840.1.101.3.4.2.1" "sha256"
    SHA384 "2.16.840.1.101.3.4.2.2" "sha384"
    SHA512 "2.16.840.1.101.3.4.2.3" "sha512"
    MAGMA_CTR_ACPKM "1.2.643.7.1.1.5.1.1" "magma-ctr-acpkm"
    MAGMA_CTR_ACPKM_OMAC "1.2.643.7.1.1.5.1.2" "magma-ctr-acpkm-omac"
    KUZNYECHIK_CTR_ACPKM "1.2.643.7.1.1.5.2.1" "kuznyechik-ctr-acpkm"
    KUZNYECHIK_CTR_ACPKM_OMAC "1.2.643.7.1.1.5.2.2" "kuznyechik-ctr-acpkm-omac"
    GOST28147 "1.2.643.2.2.21" "gost28147-cfb"
    AES128_CBC "2.16.840.1.101.3.4.1.2" "aes128-cbc"
    AES192_CBC "2.16.840.1.101.3.4.1.22" "aes192-cbc"
    AES256_CBC "2.16.840.1.101.3.4.1.42" "aes256-cbc"
    CRYPTOPRO_PBE "1.2.840.113549.1.12.1.80" "cryptopro-pbe"
    SHA1_TRIPLE_DES "1.2.840.113549.1.12.1.3" "pbe-sha1-3des"
    SHA1_RC2_40 "1.2.840.113549.1.12.1.6" "pbe-sha1-rc2-40"
    MD2_DES "1.2.840.113549.1.5.1" "pbe-md2-des"
    MD5_DES "1.2.840.113549.1.5.3" "pbe-md5-des"
    MD2_RC2 "1.2.840.113549.1.5.4" "pbe-md2-rc2"
    MD5_RC2 "1.2.840.113549.1.5.6" "pbe-md5-rc2"
    SHA1_DES "1.2.840.113549.1.5.10" "pbe-sha1-des"
    SHA1_RC2 "1.2.840.113549.1.5.11" "pbe-sha1-rc2"
    SHA1_RC4_128 "1.2.840.113549.1.12.1.1" "pbe-sha1-rc4-128"
    SHA1_RC4_40 "1.2.840.113549.1.12.1.2" "pbe-sha1-rc4-40"
    SHA1_TWO_KEY_DES "1.2.840.113549.1.12.1.4" "pbe-sha1-2des"
    SHA1_RC2_128 "1.2.840.113549.1.12.1.5" "pbe-sha1-rc2-128"
    DES_CBC "1.3.14.3.2.7" "des-cbc"
    TRIPLE_DES_CBC "1.2.840.113549.3.7" "des-ede3-cbc"
    RC2_CBC "1.2.840.113549.3.2" "rc2-cbc"
    SCRYPT "1.3.6.1.4.1.11591.4.11" "scrypt"
    DATA "1.2.840.113549.1.7.1" "data"
    SIGNED_DATA "1.2.840.113549.1.7.2" "signedData"
    ENVELOPED_DATA "1.2.840.113549.1.7.3" "envelopedData"
    ENCRYPTED_DATA "1.2.840.113549.1.7.6" "encryptedData"
    KEY_BAG "1.2.840.113549.1.12.10.1.1" "keyBag"
    SHROUDED_KEY_BAG "1.2.840.113549.1.12.10.1.2" "pkcs8ShroudedKeyBag"
    CERT_BAG "1.2.840.113549.1.12.10.1.3" "certBag"
    CRL_BAG "1.2.840.113549.1.12.10.1.4" "crlBag"
    SECRET_BAG "1.2.840.113549.1.12.10.1.5" "secretBag"
    SAFE_CONTENTS_BAG "1.2.840.113549.1.12.10.1.6" "safeContentsBag"
    X509_CERTIFICATE "1.2.840.113549.1.9.22.1" "x509Certificate"
    FRIENDLY_NAME "1.2.840.113549.1.9.20" "friendlyName"
    LOCAL_KEY_ID "1.2.840.113549.1.9.21" "localKeyID"
    GOST3410_2001 "1.2.643.2.2.19" "GOST R 34.10-2001"
    GOST3410_2012_256 "1.2.643.7.1.1.1.1" "GOST R 34.10-2012, 256 bits"
    GOST3410_2012_512 "1.2.643.7.1.1.1.2" "GOST R 34.10-2012, 512 bits"
    RSA "1.2.840.113549.1.1.1" "RSA"
    EC "1.2.840.10045.2.1" "EC"
    ED25519 "1.3.101.112" "Ed25519"
    X25519 "1.3.101.110" "X25519"
}

/// Returns the name of an algorithm or type that this crate knows.
pub fn name(oid: &Oid) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| known == oid).map(|(_, name)| *name)
}
