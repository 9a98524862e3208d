//! The module through OpenSSL: the program in `evp`, built against the installed libcrypto, runs it. A test that needs an
//! absent program says so and is skipped. `BULAT_LIBCRYPTO=FOLDER` reads headers and library of another OpenSSL from
//! FOLDER/usr (unpacked packages: `bindings/openssl/other-openssl`).

#[path = "evp/adapter.rs"]
mod adapter;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use bulat::algorithm::{ALGORITHMS, Kind};
use vectors::serve::Program;
use vectors::{Answer, Filter, Refused, Test, to_hex};

/// Returns the folder with the module, as `bulat.so`, and the program; `None`, with the reason on the output, if it
/// cannot be built.
fn built() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    BUILT
        .get_or_init(|| {
            let deps = std::env::current_exe().ok()?.parent()?.to_owned();
            let module = [deps.join("libbulat_provider.so"), deps.join("../libbulat_provider.so")]
                .into_iter()
                .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
                .max()
                .expect("cargo builds the module before its tests")
                .1;
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("modules");
            std::fs::create_dir_all(&folder).ok()?;
            let link = folder.join("bulat.so");
            let _ = std::fs::remove_file(&link);
            std::fs::copy(module, link).ok()?;
            let mut cc = Command::new("cc");
            let sources = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/evp"));
            let sources = sources.ok()?.flatten().map(|entry| entry.path());
            cc.args(["-O1", "-g", "-Wall", "-o"]).arg(folder.join("evp"));
            cc.args(sources.filter(|path| path.extension().is_some_and(|e| e == "c")));
            if cfg!(target_env = "gnu") {
                cc.arg("-DWITH_FREED");
            }
            if let Some(other) = other() {
                cc.args([
                    format!("-I{other}/usr/include"),
                    format!("-I{other}/usr/include/{}", triple()),
                    format!("-L{other}/usr/lib/{}", triple()),
                    "-Wl,--unresolved-symbols=ignore-in-shared-libs".to_owned(),
                ]);
            }
            let output = cc.args(["-lcrypto", "-lpthread"]).output();
            match output {
                Ok(output) if output.status.success() => Some(folder),
                Ok(output) => {
                    let log = String::from_utf8_lossy(&output.stderr).into_owned();
                    assert!(log.contains("openssl/") || log.contains("-lcrypto"), "{log}");
                    println!(
                        "skipped: OpenSSL's headers are not installed (apt-get install libssl-dev)"
                    );
                    None
                }
                Err(error) => {
                    println!("skipped: no C compiler: {error}");
                    None
                }
            }
        })
        .as_deref()
}

fn other() -> Option<String> {
    std::env::var("BULAT_LIBCRYPTO").ok()
}

/// Returns Debian's name for this machine's folders.
fn triple() -> String {
    format!("{}-linux-gnu", std::env::consts::ARCH)
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut program = match other() {
        None => Command::new(folder.join("evp")),
        // Under the other system's C library.
        Some(other) => {
            let lib = format!("{other}/usr/lib/{}", triple());
            let loader = std::fs::read_dir(&lib).expect("its folder").flatten();
            let mut loader =
                loader.filter(|e| e.file_name().to_string_lossy().starts_with("ld-linux"));
            let mut program = Command::new(loader.next().expect("its loader").path());
            program
                .args(["--library-path", &format!("{lib}:/usr/lib/{}", triple())])
                .arg(folder.join("evp"));
            program
        }
    };
    program.args(arguments).env("BULAT_MODULES", folder);
    program
}

/// Runs the program, which must succeed, and returns its output.
fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = program(folder, arguments).output().expect("it was built");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    print!("{errors}");
    assert!(output.status.success(), "{arguments:?}: {}\n{text}{errors}", output.status);
    text
}

#[test]
fn exports_one_function_and_links_to_no_libcrypto() {
    let Some(folder) = built() else { return };
    let module = folder.join("bulat.so");
    let Ok(symbols) = Command::new("nm").args(["-D", "--defined-only"]).arg(&module).output()
    else {
        println!("skipped: nm is not installed (apt-get install binutils)");
        return;
    };
    let symbols = String::from_utf8_lossy(&symbols.stdout).into_owned();
    let names: Vec<&str> = symbols.lines().filter_map(|line| line.split(' ').next_back()).collect();
    assert_eq!(names, ["OSSL_provider_init"]);
    let needed =
        Command::new("readelf").arg("-d").arg(&module).output().expect("readelf is there with nm");
    let needed = String::from_utf8_lossy(&needed.stdout).into_owned();
    assert!(needed.contains("libc.so") && !needed.contains("libcrypto"), "{needed}");
}

#[test]
fn bad_input_is_an_error_with_words() {
    let Some(folder) = built() else { return };
    print!("{}", run(folder, &["bad"]));
}

#[test]
fn what_is_not_given_anew_is_as_it_was() {
    let Some(folder) = built() else { return };
    print!("{}", run(folder, &["rules"]));
}

#[test]
fn the_defects_of_gost_engine_are_not_here() {
    let Some(folder) = built() else { return };
    let ours = run(folder, &["defects", "bulat"]);
    assert!(
        ours.lines().count() > 20 && ours.lines().all(|line| line.ends_with(" right")),
        "{ours}"
    );
    // The control: the test finds the defects in gostprov.
    let there = program(folder, &["defects", "gostprov"]).output().expect("it was built");
    let text = String::from_utf8_lossy(&there.stdout);
    if text.is_empty() {
        println!(
            "skipped: gostprov is not installed for this OpenSSL (apt-get install libengine-gost-openssl)"
        );
        return;
    }
    print!("{text}");
    assert!(text.contains("WRONG"), "the test does not see them");
}

#[test]
fn threads_share_what_was_fetched() {
    let Some(folder) = built() else { return };
    print!("{}", run(folder, &["threads", "100"]));
}

#[test]
fn nothing_freed_holds_a_key() {
    let Some(folder) = built() else { return };
    if cfg!(target_env = "gnu") {
        print!("{}", run(folder, &["wiped"]));
    }
}

/// RFC 9367's records, sealed and opened by the calls of an OpenSSL with gost-engine's patch for TLS 1.3: each write
/// key on one context, its records in their order.
#[test]
fn records_of_tls_1_3_are_right_by_the_patched_librarys_calls() {
    let Some(folder) = built() else { return };
    let evp = Evp::start(folder);
    let files = vectors::load().expect("the vectors are whole");
    let mut keys: BTreeMap<[String; 3], Vec<&Test>> = BTreeMap::new();
    for test in files.iter().flat_map(|file| &file.tests) {
        if test.has("writeIv") && test.has("suite") && test.text("suite").unwrap().contains("MGM") {
            let key = ["suite", "writeKey", "writeIv"].map(|f| test.text(f).unwrap().to_owned());
            keys.entry(key).or_default().push(test);
        }
    }
    let (mut suites, mut records, mut first_bits) = (BTreeMap::new(), 0, 0);
    for ([suite, key, iv], mut tests) in keys {
        tests.sort_by_key(|test| test.number("seqnum").unwrap());
        let name = if suite.contains("MAGMA") { "magma-mgm" } else { "kuznyechik-mgm" };
        let mode = if suite.ends_with("_S") { "strong" } else { "light" };
        let numbers: Vec<_> =
            tests.iter().map(|t| t.number("seqnum").unwrap().to_string()).collect();
        let all = |way: &str, texts: &[Vec<u8>]| {
            let texts: Vec<_> = texts.iter().map(|text| hex(text)).collect();
            let mut words = vec!["records", name, mode, way, &key, &iv];
            words.extend(numbers.iter().zip(&texts).flat_map(|(n, text)| [n.as_str(), text]));
            evp.ask(&words).unwrap_or_else(|why| panic!("{suite} {key} {way}: {why:?}"))
        };
        let plain: Vec<_> = tests.iter().map(|test| test.bytes("msg").unwrap()).collect();
        let tag = if name == "magma-mgm" { 8 } else { 16 };
        let sealed = all("enc", &plain);
        let (mut at, mut bodies) = (0, Vec::new());
        for (test, plain) in tests.iter().zip(&plain) {
            let body = &sealed[at..at + plain.len() + tag];
            at += body.len();
            let record = [&[23, 3, 3][..], &(body.len() as u16).to_be_bytes(), body].concat();
            if test.has("record") {
                assert_eq!(
                    to_hex(&record),
                    test.text("record").unwrap(),
                    "{suite}, test {}",
                    test.id
                );
            } else {
                let sum = test.text("record_sha256").unwrap();
                assert_eq!(vectors::sha256(&record), sum, "{suite}, test {}", test.id);
            }
            bodies.push(body.to_vec());
        }
        assert_eq!(at, sealed.len());
        assert_eq!(all("dec", &bodies), plain.concat(), "{suite} {key}: opened");
        *suites.entry(suite).or_insert(0) += tests.len();
        records += tests.len();
        first_bits += if iv.as_bytes()[0] >= b'8' { tests.len() } else { 0 };
    }
    println!("{records} records, {first_bits} under a write IV with the first bit: {suites:?}");
    assert!(suites.len() == 4 && records > 40 && first_bits > 15);
}

#[test]
fn every_name_is_right_and_the_table_says_so() {
    let Some(folder) = built() else { return };
    let sizes = std::env::var("BULAT_LARGE").is_ok();
    let lines = run(folder, if sizes { &["check", "large"] } else { &["check"] });
    let counts = Evp::start(folder).vectors();
    let mut rows: Vec<String> = Vec::new();
    for line in lines.lines() {
        let cells: Vec<&str> = line.split('|').collect();
        let [kind, name, again, split, place, peer, large] = cells[..] else { panic!("{line}") };
        let passed = counts.get(name).map_or("-".to_owned(), usize::to_string);
        rows.push(format!(
            "| {kind} | `{name}` | {passed} | {again} | {split} | {place} | {peer} | {large} |"
        ));
    }
    let expected = ALGORITHMS.iter().filter(|a| a.kind != Kind::Wrap).count();
    assert_eq!(rows.len(), expected, "every algorithm of the table but the wraps");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).expect("bindings/openssl/README.md");
    let (begin, end) = ("<!-- evp: table -->\n", "<!-- end -->");
    let at = readme.find(begin).expect("a place for the table") + begin.len();
    let to = at + readme[at..].find(end).expect("its end");
    let written: Vec<&str> = readme[at..to].lines().skip(2).collect();
    // The last column is from a run with BULAT_LARGE=1, the one before it from a run with gostprov.
    let columns = if sizes { 8 } else { 7 };
    let compare = |row: &str| row.split('|').take(columns).map(str::to_owned).collect::<Vec<_>>();
    if std::env::var("BLESS").is_ok() {
        let mut table = "| kind | name | vectors | fresh = re-init = dup | pieces | in place | = gostprov | over 2^31 |\n\
             |---|---|--:|---|---|---|---|---|\n".to_owned();
        for row in &rows {
            let before =
                written.iter().find(|old| compare(old)[..3] == compare(row)[..3] && !sizes);
            let last = before.and_then(|old| old.split('|').nth(8));
            let mut cells: Vec<&str> = row.split('|').collect();
            cells[8] = last.unwrap_or(cells[8]);
            writeln!(table, "{}", cells.join("|")).expect("a string");
        }
        std::fs::write(path, [&readme[..at], &table, &readme[to..]].concat()).expect("written");
        return;
    }
    let written: Vec<_> = written.iter().map(|row| compare(row)).collect();
    let now: Vec<_> = rows.iter().map(|row| compare(row)).collect();
    assert_eq!(now, written, "BLESS=1 cargo test -p openssl-provider-bulat writes it anew");
}

/// Fetches every name of the table, and every name of gost-engine's provider.
#[test]
fn every_name_is_fetched() {
    let Some(folder) = built() else { return };
    let evp = Evp::start(folder);
    let has = |kind: &str, name: &str| {
        let answer = evp.ask(&["fetch", kind, &to_hex(name.as_bytes())]);
        assert!(answer.is_ok(), "{kind} {name}: {answer:?}");
    };
    for a in ALGORITHMS {
        let kind = match a.kind {
            Kind::Hash => "digest",
            Kind::Cipher | Kind::Aead => "cipher",
            Kind::Mac => "mac",
            Kind::Kdf => "kdf",
            Kind::Wrap => continue,
        };
        [a.name].iter().chain(a.aliases).copied().chain(a.oid).for_each(|name| has(kind, name));
    }
    for (kind, names) in GOST_ENGINE {
        names.split(':').for_each(|name| has(kind, name));
    }
}

/// The names that gost-engine's provider lists (3.0.1 and later), and those of its engine.
const GOST_ENGINE: [(&str, &str); 3] = [
    (
        "digest",
        "md_gost12_256:id-tc26-gost3411-12-256:1.2.643.7.1.1.2.2:md_gost12_512:\
         id-tc26-gost3411-12-512:1.2.643.7.1.1.2.3:md_gost94:id-GostR3411-94:1.2.643.2.2.9",
    ),
    (
        "cipher",
        "gost89:GOST 28147-89:1.2.643.2.2.21:id-Gost28147-89:gost89-cnt:gost89-cnt-12:\
         gost89-cbc:kuznyechik-ecb:kuznyechik-cbc:kuznyechik-cfb:kuznyechik-ofb:\
         kuznyechik-ctr:grasshopper-ecb:grasshopper-cbc:grasshopper-cfb:grasshopper-ofb:\
         grasshopper-ctr:magma-ecb:magma-cbc:magma-ctr:magma-ctr-acpkm:\
         id-tc26-cipher-gostr3412-2015-magma-ctracpkm:1.2.643.7.1.1.5.1.1:\
         magma-ctr-acpkm-omac:1.2.643.7.1.1.5.1.2:kuznyechik-ctr-acpkm:1.2.643.7.1.1.5.2.1:\
         kuznyechik-ctr-acpkm-omac:1.2.643.7.1.1.5.2.2:magma-mgm:kuznyechik-mgm",
    ),
    (
        "mac",
        "gost-mac:id-Gost28147-89-MAC:1.2.643.2.2.22:GOST 28147-89 MAC:gost-mac-12:magma-mac:\
         kuznyechik-mac:kuznyechik-ctr-acpkm-omac:1.2.643.7.1.1.5.2.2:magma-ctr-acpkm-omac:\
         1.2.643.7.1.1.5.1.2",
    ),
];

/// `evp serve`, which answers each line with a line; and the number of vectors that each name passed.
struct Evp {
    program: Program,
    asked: Mutex<BTreeMap<String, usize>>,
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() { "-".to_owned() } else { to_hex(bytes) }
}

impl Evp {
    fn start(folder: &Path) -> Self {
        let program = Program::start(&mut program(folder, &["serve"])).expect("it was built");
        Evp { program, asked: Mutex::default() }
    }

    fn ask(&self, words: &[&str]) -> Answer {
        let answer = self.program.ask(&words.join(" "));
        if let Err(Refused::Input(why)) = &answer {
            assert!(!why.starts_with("no words"), "{words:?}: an error without words");
        }
        answer
    }

    /// An answer, counted under its name. Of PBKDF2, the default provider's function over our digest answers too.
    fn counted(&self, name: &str, words: &[&str]) -> Answer {
        let mut asked = self.asked.lock().expect("no other test failed here");
        *asked.entry(name.to_owned()).or_default() += 1;
        drop(asked);
        let answer = self.ask(words);
        let few = |times: &str| times.parse().is_ok_and(|times| (1..3000).contains(&times));
        let times = words.iter().find_map(|word| word.strip_prefix("iter="));
        if let Some(bits) = name.strip_prefix("pbkdf2-hmac-streebog")
            && times.is_some_and(few)
            && answer.is_ok()
        {
            let digest = format!("digest=md_gost12_{bits}");
            let words = [&["kdf", "PBKDF2"], &words[2..], &[&digest, "pkcs5=1"]].concat();
            assert_eq!(self.ask(&words), answer, "PBKDF2 of the default provider");
        }
        answer
    }

    /// All known answers; how many each name of EVP's was asked.
    fn vectors(&self) -> BTreeMap<String, usize> {
        let files = vectors::load().expect("the vectors are whole");
        let report = vectors::run(self, &files, &Filter::default());
        println!("{report}");
        assert!(report.failures.is_empty() && report.differences.is_empty(), "{report}");
        self.asked.lock().expect("no other test failed here").clone()
    }
}
