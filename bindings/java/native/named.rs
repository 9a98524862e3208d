//! The table of algorithms as text; key derivation and key wraps.

use bulat::algorithm::{ALGORITHMS, KdfParams, WrapParams};
use bulat::kdf::TlsMasks;
use bulat::{Error, ParamSet};
use jni_sys::{jboolean, jbyteArray, jint, jlong, jstring};

use crate::border::{Fault, errors};
use crate::context::sboxes;
use crate::{line, natives};

/// Returns a line for each algorithm, its fields between tabs: name, aliases, OID, kind, primitive, scheme, key, least
/// IV, greatest IV, step, block, output, note.
fn table() -> String {
    let mut text = String::new();
    for a in ALGORITHMS {
        let (least, most, step) = a.iv.range();
        let (aliases, oid) = (a.aliases.join("|"), a.oid.unwrap_or(""));
        let (kind, primitive, scheme) = (a.kind, a.primitive, a.scheme);
        let (name, key, block, out, note) = (a.name, a.key, a.block, a.out, a.note);
        text += &format!(
            "{name}\t{aliases}\t{oid}\t{kind:?}\t{primitive:?}\t{scheme:?}\t{key}\t{least}\t{most}\t{step}\t{block}\t{out}\t{note}\n"
        );
    }
    text
}

fn masks(i: jint) -> Result<Option<TlsMasks>, Fault> {
    Ok(Some(match i {
        -1 => return Ok(None),
        0 => TlsMasks::KUZNYECHIK_CTR_OMAC,
        1 => TlsMasks::MAGMA_CTR_OMAC,
        2 => TlsMasks::KUZNYECHIK_MGM_L,
        3 => TlsMasks::MAGMA_MGM_L,
        4 => TlsMasks::KUZNYECHIK_MGM_S,
        5 => TlsMasks::MAGMA_MGM_S,
        _ => return Err(Error::Parameter.into()),
    }))
}

natives! {
    /// Returns the table of algorithms.
    fn Java_io_github_bulatcrypto_Native_table(env) -> jstring {
        env.string(&table())
    }
    /// Returns a line for each error: its name and its words.
    fn Java_io_github_bulatcrypto_Native_errors(env) -> jstring {
        env.string(&errors())
    }
    /// Returns a line for each set of S-boxes: its object identifier.
    fn Java_io_github_bulatcrypto_Native_sboxes(env) -> jstring {
        env.string(&ParamSet::ALL.map(ParamSet::oid).join("\n"))
    }
    /// Derives bytes.
    fn Java_io_github_bulatcrypto_Native_derive(
        env, algorithm: jint, key: jbyteArray, salt: jbyteArray, label: jbyteArray,
        seed: jbyteArray, iterations: jint, counter: jint, suite: jint, record: jlong,
        output: jbyteArray,
    ) -> jint {
        let (key, salt, label) = (env.bytes(key)?, env.bytes(salt)?, env.bytes(label)?);
        let seed = env.bytes(seed)?;
        let masks = masks(suite)?;
        let params = KdfParams {
            key: &key,
            salt: &salt,
            label: &label,
            seed: &seed,
            iterations: u32::try_from(iterations).ok(),
            counter: usize::try_from(counter).ok(),
            masks,
            record: masks.map(|_| record.cast_unsigned()),
        };
        let output = env.all(output);
        let mut derived = vec![0; output.len()];
        line(algorithm)?.derive(&params, &mut derived)?;
        output.write(0, &derived)?;
        Ok(0)
    }
    /// Returns the length of a wrapped secret.
    fn Java_io_github_bulatcrypto_Native_wrappedLength(
        _env, algorithm: jint, iv: jint, secret: jint,
    ) -> jint {
        let (iv, secret) = (usize::try_from(iv).unwrap_or(0), usize::try_from(secret).unwrap_or(0));
        let len = line(algorithm)?.wrapped_len(iv, secret).ok_or(Fault::Internal)?;
        Ok(jint::try_from(len).map_err(|_| Error::DataLength)?)
    }
    /// Wraps or unwraps a secret into `output`, which has its length.
    fn Java_io_github_bulatcrypto_Native_wrap(
        env, algorithm: jint, wrap: jboolean, key: jbyteArray, iv: jbyteArray, set: jint,
        rows: jbyteArray, input: jbyteArray, output: jbyteArray,
    ) -> jint {
        let (key, iv, rows) = (env.bytes(key)?, env.bytes(iv)?, env.bytes(rows)?);
        let (input, output) = (env.bytes(input)?, env.all(output));
        let params = WrapParams { key: &key, iv: &iv, sboxes: sboxes(set, &rows)? };
        let mut result = vec![0; output.len()];
        let line = line(algorithm)?;
        if wrap {
            line.wrap(&params, &input, &mut result)?;
        } else {
            line.unwrap(&params, &input, &mut result)?;
        }
        output.write(0, &result)?;
        Ok(0)
    }
}
