//! The command line, the source of help, man page and completions.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, RangedU64ValueParser, TypedValueParser};
use clap::{ArgAction, Args, FromArgMatches as _, Parser, Subcommand, ValueEnum, ValueHint};

use crate::error::EXIT_CODES;
use crate::secret::{
    KeyArgs, KeyPasswordArgs, NewSecretArgs, NewUnlockArgs, OpenKeyArgs, PasswordArgs, UnlockArgs,
};

/// Hash, encrypt and authenticate files with the GOST algorithms
///
/// Streebog, Kuznyechik, Magma and GOST 28147-89, in constant time. FILE may be "-" for standard input. Without a
/// terminal bulat never asks anything.
#[derive(Parser, Debug)]
#[command(
    name = "bulat",
    version,
    disable_version_flag = true,
    after_long_help = EXIT_CODES,
    after_help = EXIT_CODES,
    max_term_width = 100
)]
pub struct Cli {
    #[command(flatten)]
    pub top: TopArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// Options before the command.
#[derive(Args, Debug, Default)]
pub struct TopArgs {
    /// Use this kernel (see `bulat kernels`), not the fastest. Overrides the environment variable BULAT_KERNEL
    #[arg(long, global = true, value_name = "NAME", help_heading = "Global options")]
    pub kernel: Option<String>,
    /// Print version
    #[arg(short = 'V', short_alias = 'v', long = "version", action = ArgAction::Version)]
    _version: Option<bool>,
}

/// Builds the options of a command that scripts call for many files: the options of all commands take a millisecond.
/// Returns a parser of this command alone, or `None` for the others.
fn alone(name: &str) -> Option<clap::Command> {
    let new = clap::Command::new;
    let command = match name {
        "hash" => HashArgs::augment_args(new("hash")),
        "encrypt" => EncryptArgs::augment_args(new("encrypt")),
        "decrypt" => DecryptArgs::augment_args(new("decrypt")),
        "inspect" => InspectArgs::augment_args(new("inspect")),
        "mac" => MacArgs::augment_args(new("mac")),
        "raw" => RawCommand::augment_subcommands(new("raw")),
        "wrap" => WrapArgs::augment_args(new("wrap")),
        "unwrap" => WrapArgs::augment_args(new("unwrap")),
        _ => return None,
    };
    let top = new("bulat").version(env!("CARGO_PKG_VERSION")).disable_version_flag(true);
    Some(TopArgs::augment_args(top).subcommand(command))
}

impl Cli {
    /// Parses a right command line of a command that [`alone`] builds. `None` means that the parser of all commands
    /// must decide, which also makes help and errors.
    pub fn quick(args: &[OsString]) -> Option<Self> {
        let name = args.get(1)?.to_str()?;
        let is_file = |arg: &OsString| arg == "-" || !arg.as_encoded_bytes().starts_with(b"-");
        if name == "hash" && args[2..].iter().all(is_file) {
            let files = args[2..].iter().map(PathBuf::from).collect();
            let command = Command::Hash(HashArgs { files, ..HashArgs::default() });
            return Some(Cli { top: TopArgs::default(), command });
        }
        let matches = alone(name)?.try_get_matches_from(args).ok()?;
        Cli::from_arg_matches(&matches).ok()
    }
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Print or check checksums
    Hash(HashArgs),
    /// Encrypt files with a key file or a password
    ///
    /// The result (docs/FORMAT.md) is authenticated: decryption detects any flipped bit, cut or moved chunk. The output
    /// appears under its name only when it is complete.
    ///
    /// Without -o the result of FILE goes to FILE.bulat, and that of standard input to standard output. FILE itself
    /// does not change. A file that fails does not stop the others: each is named, and the exit code is that of the
    /// first. Each file has its own salt: a password costs about a second and 256 MiB of memory (Argon2id) for each
    /// file, a key file costs nothing.
    Encrypt(EncryptArgs),
    /// Decrypt files made by `bulat encrypt`
    ///
    /// Without -o the result of FILE.bulat goes to FILE, and that of standard input to standard output. For a file with
    /// another name give -o. A file that fails does not stop the others: each is named, and the exit code is that of
    /// the first.
    ///
    /// An output file appears under its name only when everything has been verified. On standard output, chunks are
    /// written as soon as they are verified: if the file turns out to be truncated, its beginning has already been
    /// written, and the exit code is 5.
    Decrypt(DecryptArgs),
    /// Show the header of an encrypted file, without a key
    ///
    /// The header is not authenticated, because that needs the key.
    Inspect(InspectArgs),
    /// List, add, change or remove the passwords and key files of an encrypted file
    ///
    /// A file has up to 16 slots, each a password or a key file, and any of them opens it. The file is replaced by a copy
    /// with another header, and not encrypted again; other hard links keep the old one. If the program is stopped, the
    /// file is the old or the new one.
    ///
    /// A slot that is removed still opens a copy of the old file. To shut somebody out, decrypt the
    /// file and encrypt it again.
    #[command(subcommand)]
    KeySlot(KeySlotCommand),
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
    /// Byte-compatible with other tools, such as `openssl enc -provider gostprov`. Only the modes with a tag (MGM,
    /// CTR-ACPKM-OMAC) authenticate: in the others a changed ciphertext decrypts to a changed plaintext, unnoticed. A
    /// padding error can reveal plaintext to an attacker who may try repeatedly.
    #[command(subcommand)]
    Raw(RawCommand),
    /// Put private keys under a password: PKCS#8 with PBES2
    ///
    /// Files of RFC 9337, in DER or PEM. A private key stays as it is: bulat signs nothing.
    #[command(subcommand)]
    Pkcs8(Pkcs8Command),
    /// Read and make PFX files: PKCS#12
    ///
    /// Makes files of RFC 9548. Also reads older ones, and those that CryptoPro CSP exports.
    #[command(subcommand)]
    Pfx(PfxCommand),
    /// Make, open and change encrypted volumes: LUKS2, VeraCrypt
    ///
    /// A volume is a file or a block device with a filesystem in it, each sector encrypted: by Kuznyechik,
    /// unless you choose a different cipher. docs/STORAGE.md describes how to use one.
    #[command(subcommand)]
    Volume(VolumeCommand),
    /// List the algorithms
    List(JsonArgs),
    /// List the kernels, and the one picked for each shape of each primitive
    Kernels(JsonArgs),
    /// Run every algorithm on every available kernel against known answers
    Selftest(JsonArgs),
    /// List the GPUs, whether their kernels give right answers, and why a driver has none
    #[cfg(feature = "gpu")]
    Devices(DevicesArgs),
    /// Time the kernels
    Bench(BenchArgs),
    /// Behave as gost12sum (a link of that name does too)
    #[command(disable_help_flag = true)]
    Gost12sum(PersonalityArgs),
    /// Behave as gostsum (a link of that name does too)
    #[command(disable_help_flag = true)]
    Gostsum(PersonalityArgs),
    /// Print the completions for a shell
    Completions(CompletionsArgs),
    /// Print the man page, or write one page per command into a folder
    Man(ManArgs),
}

#[derive(Args, Debug, Default)]
pub struct HashArgs {
    /// The hash function: see `bulat list`. [default: streebog256; with --check, from the list]
    #[arg(short, long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Read lists of checksums and check the files in them. Lists of coreutils, BSD and gost12sum are recognised
    /// automatically
    #[arg(short, long)]
    pub check: bool,
    /// Hash every regular file below each folder that is named, sorted by the bytes of the names. Links in it are not
    /// followed; what is skipped is named
    #[arg(short, long, requires = "files", conflicts_with = "check")]
    pub recursive: bool,
    /// Print BSD lines, which name the algorithm
    #[arg(long, conflicts_with = "check")]
    pub tag: bool,
    /// End lines with a zero byte, and do not escape names
    #[arg(short, long, conflicts_with = "check")]
    pub zero: bool,
    /// Print one JSON object per line
    #[arg(long, conflicts_with_all = ["tag", "zero"])]
    pub json: bool,
    /// Print no OK for files that match
    #[arg(short, long, requires = "check")]
    pub quiet: bool,
    /// Print nothing but errors of a list that cannot be read; only set the exit code
    #[arg(long, requires = "check")]
    pub status: bool,
    /// Do not report missing files
    #[arg(long, requires = "check")]
    pub ignore_missing: bool,
    /// Warn about each line that is not a checksum
    #[arg(short, long, requires = "check")]
    pub warn: bool,
    /// Fail when a line is not a checksum
    #[arg(long, requires = "check")]
    pub strict: bool,
    /// Fail when a regular file below DIR is in none of the lists, and name it; may be repeated. The lists themselves
    /// may be there
    #[arg(long, value_name = "DIR", requires = "check", value_hint = ValueHint::DirPath)]
    pub strict_tree: Vec<PathBuf>,
    /// Hash files one after another in each thread, not many small ones side by side: slower, with equal digests
    #[arg(long)]
    pub no_batch: bool,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The files; "-" or none: standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = any_path())]
    pub files: Vec<PathBuf>,
}

/// The ciphers of the container and of KExp15.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum BlockName {
    Kuznyechik,
    Magma,
}

#[derive(Args, Debug, Default)]
pub struct JobsArgs {
    /// Work on N threads; 0: one per processor. [default: BULAT_THREADS, or 0]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
}

/// The device that works on the chunks.
#[cfg(feature = "gpu")]
#[derive(Args, Debug)]
pub struct DeviceArgs {
    /// Work on the processor (cpu), on all GPUs (gpu), on both if that pays (auto), or on the device of
    /// this name or number (see `bulat devices`). If a named device does not work, that is an error. If a device fails
    /// later, the processor does its work, and the result does not change
    #[arg(long, value_name = "cpu|gpu|auto|NAME", default_value = "cpu")]
    pub device: String,
}

#[cfg(feature = "gpu")]
#[derive(Args, Debug)]
pub struct DevicesArgs {
    /// Do not compile and test the kernels, which needs some time
    #[arg(long)]
    pub quick: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct EncryptArgs {
    #[command(flatten)]
    pub key: KeyArgs,
    #[command(flatten)]
    pub password: PasswordArgs,
    #[command(flatten)]
    pub out: OutArgs,
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The block cipher. Magma can encrypt at most 64 GiB
    #[arg(long, value_enum, default_value = "kuznyechik")]
    pub cipher: BlockName,
    #[command(flatten)]
    pub kdf: KdfArgs,
    /// Bind the container to its name: decryption under another name is refused, so that two swapped containers are
    /// noticed. The header shows the name
    #[arg(long)]
    pub bind_name: bool,
    /// Bytes of plaintext in a chunk: a power of two, 4096 to 1048576
    #[arg(long, value_name = "N", default_value_t = 1 << bulat_container::CHUNK_LOG2)]
    pub chunk: u32,
    /// Write text (Base64 between two lines), not bytes. `decrypt` recognises it
    #[arg(short, long)]
    pub armor: bool,
    /// FILE is a folder: encrypt each regular file below it into the folder of -o, under its name with .bulat. Run it
    /// again after an interruption: finished files are skipped
    #[arg(short, long, requires = "output")]
    pub recursive: bool,
    /// The files. [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct DecryptArgs {
    #[command(flatten)]
    pub key: KeyArgs,
    #[command(flatten)]
    pub password: PasswordArgs,
    #[command(flatten)]
    pub out: OutArgs,
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub limits: CostArgs,
    /// Decrypt a container that is bound to another name, or read from a pipe
    #[arg(long)]
    pub any_name: bool,
    /// FILE is a folder: decrypt each *.bulat below it into the folder of -o. Run it again after an interruption:
    /// finished files are skipped
    #[arg(short, long, requires = "output")]
    pub recursive: bool,
    /// The files. [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
}

/// The function from a new password to a key, and its cost.
#[derive(Args, Debug)]
pub struct KdfArgs {
    /// The function from a password to a key: pbkdf2 is that of the GOST standards, over Streebog-512. [default:
    /// argon2id]
    #[arg(long, value_enum, value_name = "NAME")]
    pub kdf: Option<PbkdfName>,
    /// PBKDF2: iterations, at least 200000. [default: as many as run in about a second here]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
    /// Argon2id: KiB of memory, at least 65536. [default: 262144]
    #[arg(long, value_name = "KIB")]
    pub memory: Option<u32>,
    /// Argon2id: passes over the memory, at least 3. [default: 3]
    #[arg(long, value_name = "N")]
    pub passes: Option<u32>,
}

/// Limits on the work that the passwords of a container may cause.
#[derive(Args, Debug)]
pub struct CostArgs {
    /// Allow up to N iterations of PBKDF2 in all slots if the file asks for them
    #[arg(long, value_name = "N", default_value_t = bulat_container::MAX_ITERATIONS)]
    pub max_iterations: u32,
    /// Allow up to KIB of memory for Argon2id in each slot, and 64 times as much in all passes, if the file asks for it
    #[arg(long, value_name = "KIB", default_value_t = bulat_container::MAX_MEMORY)]
    pub max_memory: u32,
}

#[derive(Subcommand, Debug)]
pub enum KeySlotCommand {
    /// List the slots, without a key
    List(InspectArgs),
    /// Add a password or a key file
    Add(KeySlotArgs),
    /// Replace the password or the key file that opens the file
    Change(KeySlotArgs),
    /// Empty the slot of the given password or key file, or the slot of a number
    Remove(KeySlotRemoveArgs),
}

#[derive(Args, Debug)]
pub struct KeySlotArgs {
    #[command(flatten)]
    pub key: KeyArgs,
    #[command(flatten)]
    pub password: PasswordArgs,
    #[command(flatten)]
    pub new: NewSecretArgs,
    #[command(flatten)]
    pub kdf: KdfArgs,
    #[command(flatten)]
    pub limits: CostArgs,
    /// The encrypted file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

#[derive(Args, Debug)]
pub struct KeySlotRemoveArgs {
    #[command(flatten)]
    pub key: KeyArgs,
    #[command(flatten)]
    pub password: PasswordArgs,
    #[command(flatten)]
    pub limits: CostArgs,
    /// The number of the slot; the password or the key file is then that of a slot that stays
    #[arg(long, value_name = "N")]
    pub slot: Option<usize>,
    /// The encrypted file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

#[derive(Args, Debug)]
pub struct OutArgs {
    /// Write to FILE; "-": standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Overwrite an existing file or a block device
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
    /// Compare with this tag in constant time; print nothing, only set the exit code. The tag must have the usual
    /// length, or that of --tag-len
    #[arg(long, value_name = "HEX")]
    pub verify: Option<String>,
    #[command(flatten)]
    pub tuning: Tuning,
    /// Length of the tag in bytes
    #[arg(long, value_name = "N")]
    pub tag_len: Option<usize>,
    /// T*, the period of the ACPKM master key in bytes
    #[arg(long, value_name = "N")]
    pub period: Option<usize>,
    /// Print one JSON object per line
    #[arg(long, conflicts_with = "verify")]
    pub json: bool,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The files; "-" or none: standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = any_path())]
    pub files: Vec<PathBuf>,
}

/// Options that few algorithms accept.
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
    /// Only its owner can read the file (on Windows, the permissions are those of the folder). An existing file is
    /// never overwritten.
    New(KeyNewArgs),
}

#[derive(Args, Debug)]
pub struct KeyNewArgs {
    /// Write to FILE. [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Length of the key in bytes, 16 to 4096
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(16..=4096))]
    pub size: u16,
    /// Write raw bytes, not hexadecimal digits
    #[arg(long)]
    pub raw: bool,
    /// Put the key under a password, and ask for it if none of the next two is given. The commands that read the file
    /// ask for it too
    #[arg(long)]
    pub password: bool,
    #[command(flatten)]
    pub source: PasswordArgs,
}

/// The ciphers of RFC 9337.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum PbesCipher {
    KuznyechikCtrAcpkmOmac,
    MagmaCtrAcpkmOmac,
    KuznyechikCtrAcpkm,
    MagmaCtrAcpkm,
}

/// The cost of a password in a new file of PKCS#8 or PKCS#12.
#[derive(Args, Debug)]
pub struct PbesArgs {
    /// The cipher. Only those with OMAC notice a wrong password
    #[arg(long, value_enum, default_value = "kuznyechik-ctr-acpkm-omac")]
    pub cipher: PbesCipher,
    /// Iterations of PBKDF2, at least 1000. [default: as many as run in about a second here]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
}

/// A password of a file of PKCS#8 or PKCS#12, and the work it may cause.
#[derive(Args, Debug)]
pub struct PbesOpenArgs {
    #[command(flatten)]
    pub password: PasswordArgs,
    /// The file has an empty password, as exports of CryptoPro CSP often do
    #[arg(long, group = "secret")]
    pub empty_password: bool,
    /// Allow up to N iterations in all if the file asks for them
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub max_iterations: u64,
}

#[derive(Subcommand, Debug)]
pub enum Pkcs8Command {
    /// Put a private key under a password
    Encrypt {
        #[command(flatten)]
        password: PasswordArgs,
        #[command(flatten)]
        pbes: PbesArgs,
        #[command(flatten)]
        file: DerArgs,
    },
    /// Decrypt a private key
    ///
    /// Only its owner can read the output file.
    Decrypt {
        #[command(flatten)]
        open: PbesOpenArgs,
        #[command(flatten)]
        file: DerArgs,
    },
    /// Show how a private key is encrypted, without a password
    Info(InspectArgs),
}

#[derive(Args, Debug)]
pub struct DerArgs {
    #[command(flatten)]
    pub out: OutArgs,
    /// Write DER, not PEM
    #[arg(long)]
    pub der: bool,
    /// The private key, in DER or PEM. [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub enum PfxCommand {
    /// List the contents, after the MAC was checked
    ///
    /// Says so if the file has no MAC.
    Info {
        #[command(flatten)]
        open: PbesOpenArgs,
        /// Ask for no password: show only the MAC's algorithm and the encryption of each section. Nothing is checked
        #[arg(long, conflicts_with_all = ["password_file", "password_fd", "empty_password"])]
        unchecked: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// The file. [default: standard input]
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
    },
    /// Write the private keys and the certificates in PEM
    ///
    /// Private keys are not under a password in the output; only its owner can read the file.
    Extract {
        #[command(flatten)]
        open: PbesOpenArgs,
        /// Only the private keys
        #[arg(long, conflicts_with = "certificates")]
        keys: bool,
        /// Only the certificates
        #[arg(long)]
        certificates: bool,
        /// Also a file without a MAC
        #[arg(long)]
        no_mac: bool,
        #[command(flatten)]
        out: OutArgs,
        /// The file. [default: standard input]
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
    },
    /// Make a file of private keys and certificates
    ///
    /// The MAC is that of Streebog-512. Each key is encrypted, and so are the certificates together.
    Create {
        #[command(flatten)]
        password: PasswordArgs,
        #[command(flatten)]
        pbes: PbesArgs,
        /// The name that other programs show for the key; with several keys one for each, in their order
        #[arg(long, value_name = "NAME")]
        name: Vec<String>,
        #[command(flatten)]
        out: OutArgs,
        /// Private keys and certificates, in PEM (also several in a file) or DER. A key and its certificate get one ID:
        /// RSA and EC are compared. Other keys, as of GOST, do not tell: one gets the first certificate that has issued no
        /// other, several get theirs in the order of the arguments
        #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
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
        /// Length of the counter in bytes, 1 to 4
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
    /// Number of bytes to derive
    #[arg(short, long, value_name = "N", default_value_t = 32)]
    pub length: usize,
    #[command(flatten)]
    pub place: PlaceArgs,
}

#[derive(Args, Debug)]
pub struct PlaceArgs {
    /// Write to FILE, which only its owner can read. [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Write raw bytes, not hexadecimal digits
    #[arg(long)]
    pub raw: bool,
}

#[derive(Args, Debug)]
pub struct WrapArgs {
    /// The block cipher
    #[arg(long, value_enum, default_value = "kuznyechik")]
    pub cipher: BlockName,
    /// The wrapping keys: 64 bytes, or 128 hexadecimal digits: first the MAC's key, then the encryption's. Make one
    /// with `bulat key new --size 64`
    #[arg(short, long, value_name = "FILE")]
    pub key_file: PathBuf,
    #[command(flatten)]
    pub key_password: KeyPasswordArgs,
    /// The IV: half a block, in hexadecimal digits, never used twice under these keys. By default wrap puts a random IV
    /// before the wrapped key, and unwrap reads it there: enough for 2^24 keys (a chance of 2^-17 that two share an
    /// IV). Magma's IV, of 32 bits, is too short for that and must be given: use a counter
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
    /// Padding of ECB and CBC. [default: pkcs7, as in OpenSSL]
    #[arg(long, value_enum, value_name = "NAME")]
    pub padding: Option<PaddingName>,
    /// Short for --padding none
    #[arg(long, conflicts_with = "padding")]
    pub nopad: bool,
    /// s of GOST R 34.13 in bytes, from 1 to the block's length: CTR, OFB, CFB
    #[arg(short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=16))]
    pub s: Option<usize>,
    /// MGM: associated data in hexadecimal digits
    #[arg(long, value_name = "HEX", conflicts_with = "aad_file")]
    pub aad: Option<String>,
    /// MGM: associated data from FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub aad_file: Option<PathBuf>,
    /// MGM: length of the tag in bytes, from 4 to the block's length
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

/// The padding procedures.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaddingName {
    /// The data must be whole blocks
    None,
    /// As in OpenSSL
    Pkcs7,
    /// GOST R 34.13, procedure 1: zeros, which decryption does not remove
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
    /// Time every kernel of this machine, on each shape of each primitive; show the ones picked, and the ones that
    /// would be fastest here
    #[arg(long)]
    pub calibrate: bool,
    /// About how many seconds to run, not counting the peer [default: 15; with --calibrate 5]
    #[arg(long, value_name = "N")]
    pub seconds: Option<f64>,
    /// Time the GPUs: on data in their memory, on the host's, and together with the processor, with their limits
    #[cfg(feature = "gpu")]
    #[arg(long, conflicts_with = "calibrate")]
    pub gpu: bool,
    /// Do not also run `openssl speed` with gost-engine's provider
    #[arg(long)]
    pub no_peer: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct PersonalityArgs {
    /// The tool's arguments: see its -h
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
    /// Write bulat.1, bulat-hash.1, ... into DIR
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub enum VolumeCommand {
    /// Make a volume
    ///
    /// A file or device that seems to hold a filesystem, a volume or other data is overwritten only with --force. Linux
    /// can open a LUKS2 volume if it has a module for Kuznyechik. Its keyslots are under AES, the only cipher that all
    /// versions of cryptsetup accept there. With --gost they are under Kuznyechik and Streebog: then only `bulat` and a
    /// patched cryptsetup can open it.
    Create(Box<VolumeCreateArgs>),
    /// Serve the plaintext of a volume as a network block device (NBD) on a socket, by nbdkit
    ///
    /// It prints a line when it is ready, and runs in the foreground until it is interrupted. docs/STORAGE.md describes
    /// how to use the socket.
    Open(Box<VolumeOpenArgs>),
    /// Mount the filesystem of a volume at a folder
    ///
    /// It returns when the files are there. Processes in the background serve the volume until it is unmounted. If one of
    /// them ends, the rest is unmounted too. This needs root, nbdkit, nbdfuse, FUSE and loop devices.
    Mount(Box<VolumeMountArgs>),
    /// Unmount a folder of `bulat volume mount`, and wait until the volume is released
    Unmount(VolumeUnmountArgs),
    /// Show the header of a volume; for LUKS, without a key
    Info(VolumeInfoArgs),
    /// LUKS2: add a password
    ///
    /// The volume may be in use by `bulat volume open` or `mount`, as for change-key, remove-key and verify.
    AddKey(Box<VolumeAddArgs>),
    /// Replace a password, of LUKS2 or VeraCrypt
    ChangeKey(Box<VolumeChangeArgs>),
    /// LUKS2: destroy the keyslot of a password, or of a number
    RemoveKey(VolumeRemoveArgs),
    /// Copy the header and the keyslots of a volume to a file; with it, today's passwords open the volume forever
    BackupHeader(VolumeBackupArgs),
    /// Restore the header from a backup, or from VeraCrypt's own copy at the volume's end
    RestoreHeader(Box<VolumeRestoreArgs>),
    /// Give a VeraCrypt volume the rest of a file that has grown; show the size of a LUKS volume, which follows its file
    Resize(VolumeResizeArgs),
    /// Check whether both copies of the header are whole, and whether a password opens them
    Verify(VolumeVerifyArgs),
}

/// The kinds of volumes.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolumeKind {
    /// LUKS2; for opening, also LUKS1
    #[default]
    Luks,
    /// VeraCrypt, with any of its ciphers
    Veracrypt,
    /// A plain dm-crypt mapping: no header
    Plain,
}

impl std::fmt::Display for VolumeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            VolumeKind::Luks => "luks",
            VolumeKind::Veracrypt => "veracrypt",
            VolumeKind::Plain => "plain",
        })
    }
}

/// The functions from a password to a key.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PbkdfName {
    Argon2id,
    Pbkdf2,
}

/// The cost of trying a new password of LUKS2.
#[derive(Args, Debug)]
pub struct PbkdfArgs {
    /// Encrypt the keyslot under Kuznyechik and Streebog, not AES: see `bulat volume create`. Also if the old password's
    /// keyslot is so, without --pbkdf
    #[arg(long)]
    pub gost: bool,
    /// The function from the password to a key. [default: argon2id; with --gost pbkdf2 over Streebog-512]
    #[arg(long, value_enum, value_name = "NAME")]
    pub pbkdf: Option<PbkdfName>,
    /// PBKDF2: iterations
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub iterations: u32,
    /// Argon2id: KiB of memory
    #[arg(long, value_name = "KIB", default_value_t = 512 << 10)]
    pub memory: u32,
    /// Argon2id: passes over the memory
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub passes: u32,
    /// Argon2id: number of lanes
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub lanes: u32,
}

/// The secrets of VeraCrypt other than the password.
#[derive(Args, Debug)]
pub struct VeraArgs {
    /// VeraCrypt: a keyfile; may be repeated
    #[arg(id = "keyfile", long, value_name = "FILE")]
    pub keyfiles: Vec<PathBuf>,
    /// VeraCrypt: the PIM: 15000 + 1000 N iterations instead of 500000
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub pim: u32,
    /// VeraCrypt: the hash: sha512, stribog512, sha256, blake2s-256, whirlpool, argon2id. [default: try all; stribog512
    /// for a new volume]
    #[arg(long, value_name = "NAME")]
    pub hash: Option<String>,
    /// The cipher. LUKS2 and plain: its name in Linux, kuznyechik-xts-plain64 by default. VeraCrypt: kuznyechik, aes or
    /// a cascade, such as kuznyechik-aes. [default for VeraCrypt: try all; kuznyechik for a new volume]
    #[arg(long, value_name = "NAME")]
    pub cipher: Option<String>,
}

/// The other secrets of a hidden VeraCrypt volume.
#[derive(Args, Debug)]
pub struct HiddenArgs {
    /// VeraCrypt: a keyfile of the hidden volume; may be repeated
    #[arg(id = "hidden-keyfile", long, value_name = "FILE")]
    hidden_keyfiles: Vec<PathBuf>,
    /// VeraCrypt: the PIM of the hidden volume
    #[arg(long, value_name = "N", default_value_t = 0)]
    hidden_pim: u32,
    /// VeraCrypt: the hash of the hidden volume. [default: try all; stribog512 for a new one]
    #[arg(long, value_name = "NAME")]
    hidden_hash: Option<String>,
    /// VeraCrypt: the cipher of the hidden volume. [default: try all; kuznyechik for a new one]
    #[arg(long, value_name = "NAME")]
    hidden_cipher: Option<String>,
}

impl HiddenArgs {
    /// Returns these secrets in the form of an outer volume's.
    pub fn vera(&self) -> VeraArgs {
        VeraArgs {
            keyfiles: self.hidden_keyfiles.clone(),
            pim: self.hidden_pim,
            hash: self.hidden_hash.clone(),
            cipher: self.hidden_cipher.clone(),
        }
    }
}

/// Limits on the work that a header may ask for.
#[derive(Args, Debug)]
pub struct LimitArgs {
    /// Allow up to N iterations of PBKDF2 if the header asks for them
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub max_iterations: u32,
    /// Allow up to KIB of memory for Argon2 if the header asks for it
    #[arg(long, value_name = "KIB", default_value_t = 1 << 20)]
    pub max_memory: u32,
}

/// A volume: its file, and its detached header.
#[derive(Args, Debug)]
pub struct VolumeFileArgs {
    /// LUKS2: the header is detached: it is in this file, and all of the volume is data. A command that needs only the
    /// header accepts this file in place of the volume
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub header: Option<PathBuf>,
    /// The file or block device
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

impl VolumeFileArgs {
    /// Returns the file with the header.
    pub fn header_path(&self) -> &Path {
        self.header.as_deref().unwrap_or(&self.file)
    }
}

/// The secrets that open a volume, and its kind.
#[derive(Args, Debug)]
pub struct AccessArgs {
    #[command(flatten)]
    pub secret: UnlockArgs,
    /// The kind
    #[arg(long = "type", value_enum, value_name = "KIND", default_value = "luks")]
    pub kind: VolumeKind,
    #[command(flatten)]
    pub vera: VeraArgs,
}

#[derive(Args, Debug)]
pub struct VolumeCreateArgs {
    #[command(flatten)]
    pub secret: UnlockArgs,
    #[command(flatten)]
    pub new: NewUnlockArgs,
    /// The kind
    #[arg(long = "type", value_enum, value_name = "KIND", default_value = "luks")]
    pub kind: VolumeKind,
    /// The size of a new file: bytes, or with K, M, G, T (powers of 1024)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub size: Option<u64>,
    #[command(flatten)]
    pub pbkdf: PbkdfArgs,
    #[command(flatten)]
    pub vera: VeraArgs,
    #[command(flatten)]
    pub inner: HiddenArgs,
    /// LUKS2: length of a sector in bytes: 512, 1024, 2048 or 4096
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub sector_size: usize,
    /// LUKS2: number of bytes before the data, for both copies of the header and the keyslots
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "16M")]
    pub header_size: u64,
    /// LUKS2: a label
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub label: String,
    /// VeraCrypt: make a hidden volume of this size in the volume that the password (with --pim and --keyfile) opens,
    /// under the new password (with --hidden-pim and --hidden-keyfile). From then on open the outer volume with
    /// --protect; otherwise writing to it can destroy the hidden one
    #[arg(long, value_name = "SIZE", value_parser = size, conflicts_with_all = ["size", "wipe", "force"])]
    pub hidden: Option<u64>,
    /// Fill the data with encrypted zeros, to hide how much of it is used
    #[arg(long)]
    pub wipe: bool,
    /// Overwrite existing data
    #[arg(short, long)]
    pub force: bool,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

/// Opens a volume and serves it.
#[derive(Args, Debug)]
pub struct ServeArgs {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Open the volume read-only
    #[arg(short, long)]
    pub read_only: bool,
    /// Return trimmed space to the file. This shows which sectors are in use to anyone who can see the file
    #[arg(long)]
    pub discard: bool,
    /// LUKS2: try only the keyslot of this number
    #[arg(long, value_name = "N")]
    pub slot: Option<u32>,
    /// VeraCrypt: refuse to overwrite the hidden volume that the new password opens. After the first refusal, refuse
    /// all writes
    #[arg(long)]
    pub protect: bool,
    #[command(flatten)]
    pub new: NewUnlockArgs,
    #[command(flatten)]
    pub inner: HiddenArgs,
    /// Plain: number of bytes before the data
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "0")]
    pub offset: u64,
    /// Plain: offset added to the sectors' numbers, in units of 512 bytes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip: u64,
    /// Plain: length of a sector in bytes
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub sector_size: usize,
    /// Plain: number sectors by their own size, not by 512 bytes
    #[arg(long)]
    pub iv_large_sectors: bool,
    /// Process N requests at once. [default: the number of processors; a slow disk may want more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// The plugin. [default: next to the program, or nbdkit's folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub plugin: Option<PathBuf>,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

#[derive(Args, Debug)]
pub struct VolumeOpenArgs {
    /// Create this Unix socket, which only its owner may use. A socket left behind by an earlier server is replaced
    #[arg(long, value_name = "SOCKET")]
    pub socket: PathBuf,
    #[command(flatten)]
    pub serve: ServeArgs,
}

#[derive(Args, Debug)]
pub struct VolumeMountArgs {
    /// First make a filesystem of this type, such as ext4, in a volume that has none
    #[arg(long, value_name = "TYPE", conflicts_with = "read_only")]
    pub format: Option<String>,
    /// Options of mount, such as noatime
    #[arg(short, long, value_name = "OPTIONS")]
    pub options: Option<String>,
    /// This process stays behind the mount
    #[arg(long, hide = true)]
    pub kept: bool,
    #[command(flatten)]
    pub serve: ServeArgs,
    /// The folder
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: PathBuf,
}

#[derive(Args, Debug)]
pub struct VolumeUnmountArgs {
    /// The folder
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: PathBuf,
}

#[derive(Args, Debug)]
pub struct VolumeInfoArgs {
    #[command(flatten)]
    pub access: AccessArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

#[derive(Args, Debug)]
pub struct VolumeAddArgs {
    #[command(flatten)]
    pub secret: UnlockArgs,
    #[command(flatten)]
    pub new: NewUnlockArgs,
    /// The kind
    #[arg(long = "type", value_enum, value_name = "KIND", default_value = "luks")]
    pub kind: VolumeKind,
    #[command(flatten)]
    pub pbkdf: PbkdfArgs,
    #[command(flatten)]
    pub vera: VeraArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// LUKS2: the number of the keyslot. [default: the first that is free]
    #[arg(long, value_name = "N")]
    pub slot: Option<u32>,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

#[derive(Args, Debug)]
pub struct VolumeChangeArgs {
    /// LUKS2: if there is no room for another keyslot, write a backup of the header to this new file, then change the
    /// password in its place
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub backup: Option<PathBuf>,
    #[command(flatten)]
    pub both: VolumeAddArgs,
}

#[derive(Args, Debug)]
pub struct VolumeRemoveArgs {
    #[command(flatten)]
    pub secret: UnlockArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The number of the keyslot to destroy; the password is then one that stays
    #[arg(long, value_name = "N")]
    pub slot: Option<u32>,
    /// Destroy even the last keyslot: then nothing opens the volume any more. With --slot this asks for no password
    #[arg(short, long)]
    pub force: bool,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

#[derive(Args, Debug)]
pub struct VolumeBackupArgs {
    /// The kind
    #[arg(long = "type", value_enum, value_name = "KIND", default_value = "luks")]
    pub kind: VolumeKind,
    /// Write to FILE, which only its owner can read
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Overwrite an existing file
    #[arg(short, long)]
    pub force: bool,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

#[derive(Args, Debug)]
pub struct VolumeRestoreArgs {
    #[command(flatten)]
    pub access: AccessArgs,
    /// The backup. [default for VeraCrypt: the copy at the volume's end, which the password must open]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub from: Option<PathBuf>,
    /// Restore even the header of another volume, and overwrite any data
    #[arg(short, long)]
    pub force: bool,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

#[derive(Args, Debug)]
pub struct VolumeResizeArgs {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

#[derive(Args, Debug)]
pub struct VolumeVerifyArgs {
    #[command(flatten)]
    pub access: AccessArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// LUKS2: replace a damaged or older copy with the other one
    #[arg(long)]
    pub repair: bool,
    /// With --repair: also overwrite other data at the beginning of the file
    #[arg(short, long, requires = "repair")]
    pub force: bool,
    #[command(flatten)]
    pub volume: VolumeFileArgs,
}

/// Accepts any path, even an empty one: it counts as a missing file, and the other files are still processed.
fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Parses a number of bytes; K, M, G or T multiplies it by a power of 1024.
fn size(text: &str) -> Result<u64, String> {
    let (digits, power) = match text.char_indices().last() {
        Some((at, unit)) if unit.is_ascii_alphabetic() => {
            let power = "KMGT".find(unit.to_ascii_uppercase()).ok_or("K, M, G or T, or nothing")?;
            (&text[..at], power as u32 + 1)
        }
        _ => (text, 0),
    };
    let number: u64 =
        digits.parse().map_err(|_| "a number of bytes, or with K, M, G, T".to_string())?;
    number.checked_mul(1 << (10 * power)).ok_or_else(|| "too large".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    /// The options of a command and of the commands below it.
    fn options(command: &clap::Command) -> String {
        let own: Vec<_> = command.get_arguments().collect();
        let below: Vec<_> = command.get_subcommands().map(options).collect();
        format!("{} {own:?} {:?} {below:?}", command.get_name(), command.get_groups().count())
    }

    #[test]
    fn a_command_alone_has_its_options_in_the_whole() {
        let (whole, mut count) = (Cli::command(), 0);
        for command in whole.get_subcommands() {
            let Some(alone) = alone(command.get_name()) else { continue };
            let own: Vec<_> = alone.get_subcommands().map(options).collect();
            assert_eq!(own, [options(command)]);
            let top =
                |all: &clap::Command| format!("{:?}", all.get_arguments().collect::<Vec<_>>());
            assert_eq!(top(&alone), top(&whole));
            count += 1;
        }
        assert_eq!(count, 8);
    }

    #[test]
    fn files_to_hash_without_options_parse_as_clap_parses_them() {
        for files in [&[][..], &["-"], &["a", "-", "b"], &[""], &["a b", "hash", "help"]] {
            let args = [&["bulat", "hash"], files].concat();
            let quick = Cli::quick(&args.iter().map(OsString::from).collect::<Vec<_>>());
            let (quick, whole) = (quick.expect("files alone"), Cli::try_parse_from(args).ok());
            assert_eq!(format!("{quick:?}"), format!("{:?}", whole.expect("files alone")));
        }
    }
}
