//! `bulatd` with AES-256-GCM of `ring` instead of the library's ciphers, to measure a request without the cost of its cipher.
//! Only for measurements: the key is fixed, and nonces and limits are not the ring's.
//!
//! ```sh
//! cargo build --release -p bulatd --bin bulatd --example aes --example load
//! target/release/examples/load --server target/release/examples/aes
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock};

use bulatd::collect::{Collector, Message, What, library};
use bulatd::config::Config;
use bulatd::http::listen;
use bulatd::root::{Root, RootKey};
use bulatd::state::State;
use bulatd::store::Store;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};

type Error = Box<dyn std::error::Error>;

static KEY: LazyLock<LessSafeKey> = LazyLock::new(|| {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &[7; 32]).expect("a key of 32 bytes"))
});

/// Seals or opens a message with AES-256-GCM. Returns false for other work and other lengths of the tag.
fn aes(message: &mut Message) -> bool {
    let (What::Seal | What::Open) = message.what else { return false };
    let Some(text) = message.data.len().checked_sub(32) else { return false };
    let (nonce, rest) = message.data.split_at_mut(16);
    let Ok(nonce) = Nonce::try_assume_unique_for_key(&nonce[4..]) else { return false };
    let aad = Aad::from(&message.aad);
    let done = match message.what {
        What::Seal => {
            let (text, tag) = rest.split_at_mut(text);
            KEY.seal_in_place_separate_tag(nonce, aad, text)
                .map(|made| tag.copy_from_slice(made.as_ref()))
        }
        _ => KEY.open_in_place(nonce, aad, rest).map(|_| ()),
    };
    message.result = done.map_err(|_| bulat::Error::Verify);
    true
}

/// Processes messages: the library gets those that AES does not seal or open.
fn work(messages: &mut [&mut Message]) {
    let mut rest: Vec<&mut Message> = Vec::new();
    for message in messages {
        if !aes(message) {
            rest.push(message);
        }
    }
    library(&mut rest);
}

fn serve(file: &Path) -> Result<(), Error> {
    let config = Config::read(file)?;
    let store = Arc::new(Store::open(&config.database)?);
    let root = Root::default();
    root.unseal(&store, &RootKey::read(&config.root)?.ok_or("[root] names no root key")?)?;
    let mut state = State::new(config, store, root)?;
    state.collector = Collector::by(state.config.batch.clone(), state.metrics.clone(), work);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    Ok(runtime.block_on(listen::run(Arc::new(state)))?)
}

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["server", "--config", file] => serve(Path::new(file)),
        // The other commands are `bulatd`'s own.
        _ => {
            let this = std::env::current_exe()?;
            let folder = this.parent().and_then(Path::parent).map_or(PathBuf::new(), PathBuf::from);
            let status = Command::new(folder.join("bulatd")).args(words).status()?;
            if status.success() { Ok(()) } else { Err(status.to_string().into()) }
        }
    }
}
