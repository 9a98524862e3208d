//! The command line, from which help, man page and completions come.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use crate::error::EXIT_CODES;
use crate::secret::{KeyArgs, OpenKeyArgs, PasswordArgs};

/// Hash, encrypt and authenticate files with the GOST algorithms
///
/// Streebog, Kuznyechik, Magma and GOST 28147-89, in constant time. FILE may be "-" for standard
/// input. Nothing is asked where there is no terminal.
#[derive(Parser, Debug)]
#[command(
    name = "bulat",
    version,
    after_long_help = EXIT_CODES,
    after_help = EXIT_CODES,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub struct Cli {
    /// Use the kernel of this name (see `bulat kernels`), not the fastest. The environment variable
    /// BULAT_KERNEL does the same, but this option wins
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    pub kernel: Option<String>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Print or check checksums
    Hash(HashArgs),
    /// Encrypt a file with a key file or a password
    ///
    /// The result (docs/FORMAT.md) is authenticated: a flipped bit, a cut, a moved chunk are found when
    /// it is decrypted. The output appears under its name only when it is whole.
    ///
    /// Without -o the result of FILE goes to FILE.bulat, and that of standard input to standard output. FILE
    /// itself stays as it is.
    Encrypt(EncryptArgs),
    /// Decrypt what `bulat encrypt` made
    ///
    /// Without -o the result of FILE.bulat goes to FILE, and that of standard input to standard output; a
    /// file of another name needs -o.
    ///
    /// To a file, the output appears under its name only when everything has been verified. To
    /// standard output, verified chunks are written as they come: when the file turns out to be
    /// truncated, its beginning is out already, and the exit code is 5.
    Decrypt(DecryptArgs),
    /// Show what the header of an encrypted file says, without a key
    ///
    /// The header is not authenticated here: that takes the key.
    Inspect(InspectArgs),
    /// Print or verify a message authentication code
    Mac(MacArgs),
    /// Make keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Derive keys
    #[command(subcommand)]
    Kdf(KdfCommand),
    /// Wrap a key with KExp15
    Wrap(WrapArgs),
    /// Unwrap a key with KImp15
    Unwrap(WrapArgs),
    /// Encrypt or decrypt in any mode, with explicit key and IV
    ///
    /// Byte-compatible with other tools, such as `openssl enc -provider gostprov`. Only the MGM modes
    /// authenticate: with the others a changed ciphertext decrypts to a changed plaintext, unnoticed.
    /// An error about the padding tells an attacker who may try again something of the plaintext.
    #[command(subcommand)]
    Raw(RawCommand),
    /// List the algorithms
    List(JsonArgs),
    /// List the kernels, and which one each shape of each primitive picks
    Kernels(JsonArgs),
    /// Run every algorithm on every available kernel against known answers
    Selftest(JsonArgs),
    /// Time the kernels
    Bench(BenchArgs),
    /// Be gost12sum (so does a link of that name)
    #[command(disable_help_flag = true)]
    Gost12sum(PersonalityArgs),
    /// Be gostsum (so does a link of that name)
    #[command(disable_help_flag = true)]
    Gostsum(PersonalityArgs),
    /// Print the completions for a shell
    Completions(CompletionsArgs),
    /// Print the man page, or write one page a command into a folder
    Man(ManArgs),
}

#[derive(Args, Debug)]
pub struct HashArgs {
    /// The hash function: see `bulat list`. [default: streebog256; with --check, from the list]
    #[arg(short, long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Read lists of checksums and check the files in them. coreutils, BSD and gost12sum lists are
    /// told apart by themselves
    #[arg(short, long)]
    pub check: bool,
    /// Print BSD lines, which name the algorithm
    #[arg(long, conflicts_with = "check")]
    pub tag: bool,
    /// End lines with a zero byte, and do not escape names
    #[arg(short, long, conflicts_with = "check")]
    pub zero: bool,
    /// Print a JSON object a line
    #[arg(long, conflicts_with_all = ["tag", "zero"])]
    pub json: bool,
    /// Print no OK for files that match
    #[arg(short, long, requires = "check")]
    pub quiet: bool,
    /// Print nothing: the exit code tells
    #[arg(long, requires = "check")]
    pub status: bool,
    /// Do not report missing files
    #[arg(long, requires = "check")]
    pub ignore_missing: bool,
    /// Warn about each line that is no checksum
    #[arg(short, long, requires = "check")]
    pub warn: bool,
    /// Fail when a line is no checksum
    #[arg(long, requires = "check")]
    pub strict: bool,
    /// Hash one file after the other in each thread, not many small ones side by side: the same digests,
    /// more slowly
    #[arg(long)]
    pub no_batch: bool,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The files; "-" or none: standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
}

/// The ciphers of the container and of KExp15.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum BlockName {
    Kuznyechik,
    Magma,
}

#[derive(Args, Debug)]
pub struct JobsArgs {
    /// Work on N threads; 0: as many as there are processors. [default: BULAT_THREADS, or 0]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
}

#[derive(Args, Debug)]
pub struct EncryptArgs {
    #[command(flatten)]
    pub key: KeyArgs,
    #[command(flatten)]
    pub password: PasswordArgs,
    #[command(flatten)]
    pub out: OutArgs,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The block cipher. Magma is for at most 64 GiB
    #[arg(long, value_enum, default_value = "kuznyechik")]
    pub cipher: BlockName,
    /// Iterations of PBKDF2, at least 200000. [default: about a second's work on this machine]
    #[arg(long, value_name = "N", conflicts_with_all = ["key_file", "key_fd"])]
    pub iterations: Option<u32>,
    /// Bytes of plaintext in a chunk: a power of two, 4096 to 1048576
    #[arg(long, value_name = "N", default_value_t = 1 << bulat_container::CHUNK_LOG2)]
    pub chunk: u32,
    /// The file. [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct DecryptArgs {
    #[command(flatten)]
    pub key: KeyArgs,
    #[command(flatten)]
    pub password: PasswordArgs,
    #[command(flatten)]
    pub out: OutArgs,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// Do up to N iterations of PBKDF2 if the file asks for them
    #[arg(long, value_name = "N", default_value_t = bulat_container::MAX_ITERATIONS)]
    pub max_iterations: u32,
    /// The file. [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct OutArgs {
    /// Write to FILE; "-": standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct InspectArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// The encrypted file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

#[derive(Args, Debug)]
pub struct MacArgs {
    /// The MAC: see `bulat list`
    #[arg(short, long, value_name = "NAME")]
    pub algorithm: String,
    #[command(flatten)]
    pub key: OpenKeyArgs,
    /// Compare with this tag, in constant time, and print nothing: the exit code tells. The tag must
    /// have the usual length, or that of --tag-len
    #[arg(long, value_name = "HEX")]
    pub verify: Option<String>,
    #[command(flatten)]
    pub tuning: Tuning,
    /// Bytes of tag
    #[arg(long, value_name = "N")]
    pub tag_len: Option<usize>,
    /// T*, the period of the ACPKM master key in bytes
    #[arg(long, value_name = "N")]
    pub period: Option<usize>,
    /// Print a JSON object a line
    #[arg(long, conflicts_with = "verify")]
    pub json: bool,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The files; "-" or none: standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
}

/// What few algorithms take.
#[derive(Args, Debug)]
pub struct Tuning {
    /// The IV in hexadecimal digits
    #[arg(long, value_name = "HEX", default_value = "", hide_default_value = true)]
    pub iv: String,
    /// ACPKM section in bytes
    #[arg(long, value_name = "N")]
    pub section: Option<usize>,
    /// S-boxes of GOST 28147-89: test, a, b, c, d, z, hash-test, hash-cryptopro
    #[arg(long, value_name = "NAME")]
    pub sbox: Option<String>,
    /// CryptoPro key meshing of GOST 28147-89
    #[arg(long, value_enum, value_name = "on|off")]
    pub meshing: Option<Switch>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}

#[derive(Subcommand, Debug)]
pub enum KeyCommand {
    /// Make a random key
    ///
    /// The file can be read by its owner alone (on Windows, by whom its folder admits). An existing file is
    /// never replaced.
    New(KeyNewArgs),
}

#[derive(Args, Debug)]
pub struct KeyNewArgs {
    /// Write to FILE. [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Bytes of key, 16 to 4096
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(16..=4096))]
    pub size: u16,
    /// Write the bytes themselves, not hexadecimal digits
    #[arg(long)]
    pub raw: bool,
}

#[derive(Subcommand, Debug)]
pub enum KdfCommand {
    /// KDF_TREE_GOSTR3411_2012_256 (RFC 7836, 4.4)
    Tree {
        #[command(flatten)]
        key: KeyArgs,
        /// The label in hexadecimal digits
        #[arg(long, value_name = "HEX")]
        label: String,
        /// The seed in hexadecimal digits
        #[arg(long, value_name = "HEX")]
        seed: String,
        /// Bytes of the counter, 1 to 4
        #[arg(short, long, default_value_t = 1)]
        r: usize,
        #[command(flatten)]
        out: DerivedArgs,
    },
    /// KDF_GOSTR3411_2012_256 (RFC 7836, 4.5): one key of 32 bytes
    Kdf256 {
        #[command(flatten)]
        key: KeyArgs,
        /// The label in hexadecimal digits
        #[arg(long, value_name = "HEX")]
        label: String,
        /// The seed in hexadecimal digits
        #[arg(long, value_name = "HEX")]
        seed: String,
        #[command(flatten)]
        out: PlaceArgs,
    },
    /// PBKDF2 over HMAC-Streebog (R 50.1.111-2016, RFC 9337)
    Pbkdf2 {
        #[command(flatten)]
        password: PasswordArgs,
        /// The salt in hexadecimal digits
        #[arg(long, value_name = "HEX")]
        salt: String,
        /// Iterations
        #[arg(long, value_name = "N")]
        iterations: u32,
        /// The hash function: streebog512 or streebog256
        #[arg(long, value_name = "NAME", default_value = "streebog512")]
        hash: String,
        #[command(flatten)]
        out: DerivedArgs,
    },
    /// TLSTREE (RFC 9189, 8.1; RFC 9367, 4.1.2): the key of a TLS record
    Tlstree {
        #[command(flatten)]
        key: KeyArgs,
        /// The cipher suite's masks
        #[arg(long, value_enum)]
        suite: Suite,
        /// The record's number
        #[arg(long, value_name = "N")]
        seqnum: u64,
        #[command(flatten)]
        out: PlaceArgs,
    },
}

/// The cipher suites of TLSTREE.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Suite {
    KuznyechikCtrOmac,
    MagmaCtrOmac,
    KuznyechikMgmL,
    MagmaMgmL,
    KuznyechikMgmS,
    MagmaMgmS,
}

#[derive(Args, Debug)]
pub struct DerivedArgs {
    /// Bytes to derive
    #[arg(short, long, value_name = "N", default_value_t = 32)]
    pub length: usize,
    #[command(flatten)]
    pub place: PlaceArgs,
}

#[derive(Args, Debug)]
pub struct PlaceArgs {
    /// Write to FILE, which its owner alone can read. [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Write the bytes themselves, not hexadecimal digits
    #[arg(long)]
    pub raw: bool,
}

#[derive(Args, Debug)]
pub struct WrapArgs {
    /// The block cipher
    #[arg(long, value_enum, default_value = "kuznyechik")]
    pub cipher: BlockName,
    /// The wrapping keys: 64 bytes, or 128 hexadecimal digits: the MAC's key, then the encryption's.
    /// Make one with `bulat key new --size 64`
    #[arg(short, long, value_name = "FILE")]
    pub key_file: PathBuf,
    /// The IV: half a block, in hexadecimal digits, never used twice under these keys. Without it a
    /// random one is put before the wrapped key, and read from there: for at most 2^24 keys (two of them
    /// have one IV with a chance of 2^-17). Magma's has 32 bits, too few for that: there it must be
    /// given; count
    #[arg(long, value_name = "HEX")]
    pub iv: Option<String>,
    #[command(flatten)]
    pub out: OutArgs,
    /// The key to wrap (bytes or hexadecimal digits, as in a key file), or the wrapped key
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

#[derive(Subcommand, Debug)]
pub enum RawCommand {
    /// Encrypt
    Encrypt(RawArgs),
    /// Decrypt; MGM in memory, up to 1 GiB, since nothing is written before the tag is checked
    Decrypt(RawArgs),
}

#[derive(Args, Debug)]
pub struct RawArgs {
    /// The cipher and mode: see `bulat list`
    #[arg(short, long, value_name = "NAME")]
    pub cipher: String,
    #[command(flatten)]
    pub key: OpenKeyArgs,
    #[command(flatten)]
    pub tuning: Tuning,
    /// Padding of ECB and CBC. [default: pkcs7, as OpenSSL does]
    #[arg(long, value_enum, value_name = "NAME")]
    pub padding: Option<PaddingName>,
    /// The same as --padding none
    #[arg(long, conflicts_with = "padding")]
    pub nopad: bool,
    /// s of GOST R 34.13 in bytes, from 1 to the block: CTR, OFB, CFB
    #[arg(short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=16))]
    pub s: Option<usize>,
    /// MGM: associated data in hexadecimal digits
    #[arg(long, value_name = "HEX", conflicts_with = "aad_file")]
    pub aad: Option<String>,
    /// MGM: associated data from FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub aad_file: Option<PathBuf>,
    /// MGM: bytes of tag, from 4 to the block
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(4..=16))]
    pub tag_len: Option<usize>,
    /// MGM, decryption: the tag. [default: the end of the ciphertext]
    #[arg(long, value_name = "HEX", conflicts_with = "tag_file")]
    pub tag: Option<String>,
    /// MGM: write the tag to FILE, or read it from there. [default: the end of the ciphertext]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub tag_file: Option<PathBuf>,
    #[command(flatten)]
    pub out: OutArgs,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The file. [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
}

/// Padding procedures.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaddingName {
    /// The data is whole blocks
    None,
    /// As OpenSSL does
    Pkcs7,
    /// GOST R 34.13, procedure 1: zeros; they stay after decryption
    #[value(name = "1")]
    Procedure1,
    /// GOST R 34.13, procedure 2: a bit 1, then zeros
    #[value(name = "2")]
    Procedure2,
}

#[derive(Args, Debug)]
pub struct JsonArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Time every kernel that this machine can run, on each shape of each primitive; show which is
    /// picked, and which would be the fastest here
    #[arg(long)]
    pub calibrate: bool,
    /// About how long it may take, without the peer [default: 15; with --calibrate 5]
    #[arg(long, value_name = "N")]
    pub seconds: Option<f64>,
    /// Do not run `openssl speed` with gost-engine's provider beside ours
    #[arg(long)]
    pub no_peer: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct PersonalityArgs {
    /// What the tool takes: see its -h
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write bulat.1, bulat-hash.1, ... there
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}
