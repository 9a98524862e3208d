//! `bulat wrap` and `unwrap`: KExp15 and KImp15 (RFC 9189, 8.2.1).

use bulat::kdf::{kexp15, kimp15};
use bulat::{BlockCipher, Error as Refusal, Kuznyechik, Magma};
use zeroize::Zeroizing;

use crate::cli::{BlockName, WrapArgs};
use crate::error::{Error, Exit, Result, name};
use crate::io::{Input, Output, Place, distinct, streams_apart};
use crate::locked;
use crate::secret::{Bytes, KeyArgs, LIMIT, decoded, hex_option, random, whole};

/// Runs with the cipher under both keys.
trait Run {
    fn run<C: BlockCipher>(&self, mac: C, enc: C) -> Result<(), Refusal>;
}

fn with<R: Run>(args: &WrapArgs, run: &R) -> Result<Result<(), Refusal>> {
    let keys = key_args(args).read(64)?.expect("a file is named");
    let half = |at: usize| -> &[u8; 32] { keys[at..at + 32].try_into().expect("64 bytes") };
    Ok(match args.cipher {
        BlockName::Kuznyechik => run.run(Kuznyechik::new(half(0)), Kuznyechik::new(half(32))),
        BlockName::Magma => run.run(Magma::new(half(0)), Magma::new(half(32))),
    })
}

fn key_args(args: &WrapArgs) -> KeyArgs {
    let (key_file, password) = (Some(args.key_file.clone()), args.key_password.clone());
    KeyArgs { key_file, key_fd: None, password }
}

fn block(cipher: BlockName) -> usize {
    match cipher {
        BlockName::Kuznyechik => 16,
        BlockName::Magma => 8,
    }
}

fn iv(args: &WrapArgs) -> Result<Option<Vec<u8>>> {
    let Some(digits) = &args.iv else {
        return match args.cipher {
            BlockName::Kuznyechik => Ok(None),
            BlockName::Magma => Err(Error::usage(
                "no --iv given: with magma it has 32 bits, too few to be drawn at random",
            )
            .remedy("count: give --iv 00000001 with the first key, 00000002 with the next")),
        };
    };
    let iv = hex_option("--iv", digits)?;
    let half = block(args.cipher) / 2;
    if iv.len() != half {
        return Err(Error::usage(format_args!("--iv: {half} bytes, {} digits", 2 * half)));
    }
    Ok(Some(iv))
}

/// Wraps a key.
pub fn wrap(args: &WrapArgs) -> Result<Exit> {
    struct Wrap<'a>(&'a [u8], &'a [u8], std::cell::RefCell<Vec<u8>>);
    impl Run for Wrap<'_> {
        fn run<C: BlockCipher>(&self, mac: C, enc: C) -> Result<(), Refusal> {
            let mut out = vec![0; self.1.len() + C::BLOCK];
            kexp15(&mac, &enc, self.0, self.1, &mut out)?;
            self.2.borrow_mut().extend(out);
            Ok(())
        }
    }
    let given = iv(args)?;
    let mut input = begin(args)?;
    let file = read(&mut input)?;
    if locked::is(&file) {
        return Err(Error::at(Exit::Usage, &args.file, "this key is encrypted")
            .remedy("decrypt it first: bulat decrypt"));
    }
    let (secret, _) = decoded(file, &name(&args.file))?;
    let mut fresh = vec![0; block(args.cipher) / 2];
    random(&mut fresh)?;
    let iv = given.as_ref().unwrap_or(&fresh);
    let run = Wrap(iv, &secret, Default::default());
    run.2.borrow_mut().extend(given.is_none().then_some(iv).into_iter().flatten());
    with(args, &run)?.map_err(|e| Error::usage(format_args!("wrap: {e}")))?;
    put(args, &input, &run.2.into_inner(), false)
}

/// Unwraps a key.
pub fn unwrap(args: &WrapArgs) -> Result<Exit> {
    struct Unwrap<'a>(&'a [u8], &'a [u8], std::cell::RefCell<Bytes>);
    impl Run for Unwrap<'_> {
        fn run<C: BlockCipher>(&self, mac: C, enc: C) -> Result<(), Refusal> {
            let n = self.1.len().checked_sub(C::BLOCK).ok_or(Refusal::DataLength)?;
            *self.2.borrow_mut() = Zeroizing::new(vec![0; n]);
            kimp15(&mac, &enc, self.0, self.1, &mut self.2.borrow_mut())
        }
    }
    let given = iv(args)?;
    let mut input = begin(args)?;
    let wrapped = read(&mut input)?;
    let short = || Error::at(Exit::Data, &args.file, "shorter than a wrapped key");
    let at = if given.is_some() { 0 } else { block(args.cipher) / 2 };
    let (front, body) = wrapped.split_at_checked(at).ok_or_else(short)?;
    let run = Unwrap(given.as_deref().unwrap_or(front), body, Default::default());
    with(args, &run)?.map_err(|e| match e {
        Refusal::Verify => {
            Error::at(Exit::Key, &args.file, "wrong wrapping keys or IV, or a damaged file")
                .remedy("check --key-file, --cipher and --iv")
        }
        Refusal::DataLength => short(),
        e => Error::usage(format_args!("unwrap: {e}")),
    })?;
    put(args, &input, &run.2.into_inner(), true)
}

fn begin(args: &WrapArgs) -> Result<Input> {
    let output = args.out.output.as_deref().unwrap_or("-".as_ref());
    let keys = key_args(args);
    let [key, password] = keys.places();
    streams_apart(&[key, password, Some(Place::named("the input", &args.file))])?;
    distinct(output, &keys.places())?;
    Input::open(&args.file)
}

fn read(input: &mut Input) -> Result<Bytes> {
    let all = whole(|buffer| input.fill(buffer))?.ok_or_else(|| {
        Error::at(Exit::Usage, &input.path, format_args!("longer than {LIMIT} bytes: no key"))
            .remedy("use `bulat encrypt`")
    })?;
    if all.is_empty() {
        return Err(Error::at(Exit::Usage, &input.path, "the key is empty"));
    }
    Ok(all)
}

fn put(args: &WrapArgs, input: &Input, bytes: &[u8], private: bool) -> Result<Exit> {
    let path = args.out.output.as_deref().unwrap_or("-".as_ref());
    let create = if private { Output::private } else { Output::create };
    create(path, Some(input), args.out.force)?.finish(bytes)
}
