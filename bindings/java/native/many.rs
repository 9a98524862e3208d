//! Many messages in one call: copied in groups, run side by side, and their results copied back.

use bulat::Error;
use bulat::algorithm::{Message, Params, Text, Work, run};
use jni_sys::{jboolean, jbyteArray, jint, jintArray, jobjectArray};

use crate::border::{Env, Fault};
use crate::{line, natives};

/// A group ends at this many bytes, or at this many messages.
const GROUP: usize = 1 << 20;
const MOST: usize = 4096;

/// Returns the bytes of an element of an array of arrays; null has no bytes.
fn element(env: Env, arrays: jobjectArray, i: usize) -> Result<Vec<u8>, Fault> {
    if arrays.is_null() {
        return Ok(Vec::new());
    }
    let array = env.element(arrays, i)?;
    let bytes = env.bytes(array);
    env.forget(array);
    bytes
}

/// One message under authenticated encryption.
struct Sealed {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    tag: Vec<u8>,
}

natives! {
    /// Hashes every message; the digests lie side by side in `digests`.
    fn Java_io_github_bulatcrypto_Native_hashAll(
        env, algorithm: jint, messages: jobjectArray, digests: jbyteArray,
    ) -> jint {
        let algorithm = line(algorithm)?;
        let key = algorithm.key(&Params::new(&[]))?;
        let (count, digests) = (env.length(messages), env.all(digests));
        let (mut first, mut group, mut bytes) = (0, Vec::new(), 0);
        for i in 0..count {
            let message = element(env, messages, i)?;
            bytes += message.len();
            group.push(message);
            if bytes < GROUP && group.len() < MOST && i + 1 < count {
                continue;
            }
            let mut out = vec![0; group.len() * algorithm.out];
            let each = group.iter().zip(out.chunks_exact_mut(algorithm.out));
            let jobs = each.map(|(message, digest)| Message {
                key: &key,
                iv: &[],
                work: Work::Hash(message, digest),
            });
            run(jobs.collect()).into_iter().collect::<Result<(), Error>>()?;
            digests.write(first * algorithm.out, &out)?;
            (first, bytes) = (i + 1, 0);
            group.clear();
        }
        Ok(0)
    }
    /// Seals or opens every message under the context's key; `results` gets 0 or the number of the error for each.
    fn Java_io_github_bulatcrypto_Native_aeadAll(
        env on context, seal: jboolean, nonces: jobjectArray, aads: jobjectArray,
        texts: jobjectArray, outputs: jobjectArray, results: jintArray,
    ) -> jint {
        let key = context.key()?;
        let (tag, count) = (key.tag_len(), env.length(texts));
        let (mut first, mut group, mut bytes) = (0, Vec::new(), 0);
        let mut numbers = vec![0; count];
        for i in 0..count {
            let mut text = element(env, texts, i)?;
            bytes += text.len();
            // A ciphertext that is too short for a tag has an empty tag, which is refused.
            let end = if seal { vec![0; tag] } else { text.split_off(text.len().saturating_sub(tag)) };
            let (nonce, aad) = (element(env, nonces, i)?, element(env, aads, i)?);
            group.push(Sealed { nonce, aad, text, tag: end });
            if bytes < GROUP && group.len() < MOST && i + 1 < count {
                continue;
            }
            let jobs = group.iter_mut().map(|m| {
                let text = Text::InPlace(&mut m.text);
                let work = match seal {
                    true => Work::Seal(&m.aad, text, &mut m.tag),
                    false => Work::Open(&m.aad, text, &m.tag),
                };
                Message { key, iv: &m.nonce, work }
            });
            let done = run(jobs.collect());
            for (n, (message, result)) in group.iter().zip(done).enumerate() {
                if let Err(error) = result {
                    numbers[first + n] = Fault::from(error).number();
                    continue;
                }
                let array = env.element(outputs, first + n)?;
                let output = env.all(array);
                output.write(0, &message.text)?;
                if seal {
                    output.write(message.text.len(), &message.tag)?;
                }
                env.forget(array);
            }
            (first, bytes) = (i + 1, 0);
            group.clear();
        }
        env.write_numbers(results, &numbers)?;
        Ok(0)
    }
}
