//! The form of a file that lacks the wanted form, for the error that refuses it.

use core::fmt;

use der::Tag;
use der::asn1::AnyRef;

use crate::asn1::sequence;
use crate::error::Error;
use crate::pem;

/// The form of a file, by its first bytes and its outer structure. Nothing inside is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// PrivateKeyInfo, or OneAsymmetricKey.
    PrivateKey,
    /// EncryptedPrivateKeyInfo.
    EncryptedPrivateKey,
    /// A PFX, PKCS#12.
    Pfx,
    /// An X.509 certificate.
    Certificate,
    /// A request for a certificate: PKCS#10.
    Request,
    /// A list of revoked certificates.
    Crl,
    /// A public key.
    PublicKey,
    /// ECPrivateKey of SEC 1.
    Sec1,
    /// A key of RSA or DSA in the form of PKCS#1.
    Pkcs1,
    /// A private key of OpenSSH.
    OpenSsh,
    /// Java's keystore.
    Jks,
    /// Java's keystore of the JCE.
    Jceks,
    /// PEM.
    Pem,
    /// Base64 of DER, without the lines of PEM.
    Base64,
    /// Text in UTF-16.
    Utf16,
}

impl Form {
    /// Returns the form of a block of PEM.
    pub fn of_label(label: &str) -> Option<Form> {
        Some(match label {
            pem::PRIVATE_KEY => Form::PrivateKey,
            pem::ENCRYPTED_PRIVATE_KEY => Form::EncryptedPrivateKey,
            pem::PKCS12 => Form::Pfx,
            // The two others are OpenSSL's: the old name, and a certificate with its settings after it.
            pem::CERTIFICATE | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE" => Form::Certificate,
            "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => Form::Request,
            "X509 CRL" => Form::Crl,
            "PUBLIC KEY" | "RSA PUBLIC KEY" => Form::PublicKey,
            "EC PRIVATE KEY" => Form::Sec1,
            "RSA PRIVATE KEY" | "DSA PRIVATE KEY" => Form::Pkcs1,
            "OPENSSH PRIVATE KEY" => Form::OpenSsh,
            _ => return None,
        })
    }

    /// Returns the form of a file.
    pub fn of(data: &[u8]) -> Option<Form> {
        match data {
            [0xfe, 0xed, 0xfe, 0xed, ..] => return Some(Form::Jks),
            [0xce, 0xce, 0xce, 0xce, ..] => return Some(Form::Jceks),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Some(Form::Utf16),
            // BER of Java.
            [0x30, 0x80, 2, 1, 3, ..] => return Some(Form::Pfx),
            _ if pem::is_pem(data) => return Some(Form::Pem),
            // A SEQUENCE of more than 127 bytes.
            [b'M', b'I', ..]
                if data.iter().all(|c| pem::is_base64(*c) || c.is_ascii_whitespace()) =>
            {
                return Some(Form::Base64);
            }
            _ => {}
        }
        let all = sequence(data, "").ok()?;
        let tags: Vec<Tag> = all.iter().map(|any| any.header().tag()).collect();
        Some(match tags[..] {
            [Tag::Integer, Tag::Sequence, Tag::OctetString, ..] => Form::PrivateKey,
            [Tag::Sequence, Tag::OctetString] => Form::EncryptedPrivateKey,
            [Tag::Integer, Tag::Sequence] | [Tag::Integer, Tag::Sequence, Tag::Sequence] => {
                Form::Pfx
            }
            [Tag::Sequence, Tag::Sequence, Tag::BitString] => signed(&all[0]),
            [Tag::Sequence, Tag::BitString] => Form::PublicKey,
            [Tag::Integer, Tag::OctetString, ..] => Form::Sec1,
            [Tag::Integer, Tag::Integer] => Form::PublicKey,
            _ if tags.len() > 4 && tags.iter().all(|tag| *tag == Tag::Integer) => Form::Pkcs1,
            _ => return None,
        })
    }

    /// Returns the name without the way to a different form.
    pub(crate) fn name(self) -> &'static str {
        self.words().0
    }

    /// Returns the name, and the way to a form that is read.
    const fn words(self) -> (&'static str, &'static str) {
        const IMPORT: &str = "`keytool -importkeystore -deststoretype PKCS12` converts it";
        const CONVERT: &str = "`openssl pkcs8 -topk8 -nocrypt` converts it";
        match self {
            Form::PrivateKey => ("a private key without encryption", ""),
            Form::EncryptedPrivateKey => ("an encrypted private key", ""),
            Form::Pfx => ("a PFX", ""),
            Form::Certificate => ("a certificate", ""),
            Form::Request => ("a request for a certificate", ""),
            Form::Crl => ("a list of revoked certificates", ""),
            Form::PublicKey => ("a public key", ""),
            Form::Sec1 => ("a private key in SEC 1", CONVERT),
            Form::Pkcs1 => ("a private key in PKCS#1", CONVERT),
            Form::OpenSsh => ("a private key of OpenSSH", "`ssh-keygen -p -m PKCS8` converts it"),
            Form::Jks => ("a Java keystore (JKS)", IMPORT),
            Form::Jceks => ("a Java keystore (JCEKS)", IMPORT),
            Form::Pem => ("PEM", ""),
            Form::Base64 => ("base64 without the lines of PEM", "`base64 -d` decodes it"),
            Form::Utf16 => ("text in UTF-16", "save it in UTF-8"),
        }
    }
}

/// Tells a request and a list of revoked certificates from a certificate.
fn signed(content: &AnyRef<'_>) -> Form {
    use Tag::{GeneralizedTime, Integer, Sequence, UtcTime};
    let all = crate::asn1::elements(content.value(), "").unwrap_or_default();
    let tags: Vec<Tag> = all.iter().map(|any| any.header().tag()).collect();
    match tags[..] {
        [Integer, Sequence, Sequence, Tag::ContextSpecific { .. }] => Form::Request,
        // The first version has no number.
        [Integer, Sequence, Sequence, UtcTime | GeneralizedTime, ..]
        | [Sequence, Sequence, UtcTime | GeneralizedTime, ..] => Form::Crl,
        _ => Form::Certificate,
    }
}

/// Writes the name, and the way to a form that is read.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words() {
            (name, "") => f.write_str(name),
            (name, way) => write!(f, "{name}: {way}"),
        }
    }
}

/// Converts an error of the parser: names the form that the data has instead.
pub(crate) fn instead(data: &[u8], wanted: Form) -> impl FnOnce(Error) -> Error {
    move |e| match (e, Form::of(data)) {
        (Error::Damaged(_), Some(found)) if found != wanted => Error::Form { wanted, found },
        _ => e,
    }
}
