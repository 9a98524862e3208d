//! Volumes of other programs: Linux's dm-crypt and cryptsetup, VeraCrypt. `BULAT_VOLUMES` names a folder with
//! `luks2/*.img.gz` and `veracrypt/*.vc`; without it the tests are skipped, with a message.

mod common;

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use bulat_block::plain::Plain;
use bulat_block::veracrypt::Place;
use bulat_block::{Hash, Kdf, Memory, Spec, Volume, luks1, luks2, veracrypt};
use common::*;
use shake::digest::{ExtendableOutput as _, Update as _, XofReader as _};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("BULAT_VOLUMES").map(PathBuf::from).filter(|f| f.is_dir());
    if folder.is_none() {
        println!("skipped: volumes of other programs: BULAT_VOLUMES names no folder");
    }
    folder
}

/// Returns an unpacked image.
fn image(folder: &Path, name: &str) -> Arc<Memory> {
    unpacked("gzip", &folder.join("luks2").join(format!("{name}.img.gz")))
}

fn unpacked(program: &str, file: &Path) -> Arc<Memory> {
    let mut child =
        Command::new(program).arg("-dc").arg(file).stdout(Stdio::piped()).spawn().unwrap();
    let mut bytes = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    assert!(child.wait().unwrap().success(), "{}", file.display());
    Arc::new(Memory::new(bytes))
}

/// Real headers and volumes of VeraCrypt, named after their function and cipher: hashcat's headers, and volumes of
/// cryptsetup's tests with a FAT filesystem.
#[test]
fn volumes_of_veracrypt() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<_> = fs::read_dir(folder.join("veracrypt"))
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .collect();
    files.sort();
    println!("image | password | hash | cipher | opened | data | changed | cryptsetup");
    for file in files {
        let (stem, hashcat) = match (file.strip_prefix("hashcat_"), file.strip_prefix("vc_1-")) {
            (Some(rest), _) => (rest.trim_end_matches(".vc"), true),
            (_, Some(rest)) => (rest.trim_end_matches(".xz"), false),
            _ => continue,
        };
        let (prf, cipher) = stem.split_once(if hashcat { "_" } else { "-xts-" }).unwrap();
        let prf =
            veracrypt::Prf::parse(if prf == "streebog" { "stribog512" } else { prf }).unwrap();
        let cipher = veracrypt::Algorithm::parse(cipher).unwrap();
        let password: &[u8] = if hashcat { b"hashcat" } else { b"aaaaaaaaaaaa" };
        let path = folder.join("veracrypt").join(&file);
        let store = if hashcat {
            // The header has the volume's size, but only the header is here.
            let mut bytes = fs::read(&path).unwrap();
            bytes.resize(2 << 20, 0);
            Arc::new(Memory::new(bytes))
        } else {
            unpacked("xz", &path)
        };
        let key = |password: &[u8]| {
            let mut key = veracrypt::Key::new(password, &[], 0).unwrap();
            key.hash = Some(prf);
            key
        };
        let read = |key: &veracrypt::Key| veracrypt::Header::read(&*store, key, &[Place::Volume]);
        let header = read(&key(password)).unwrap();
        assert_eq!((header.cipher, header.hash), (cipher, prf), "{file}");
        let volume = header.open(store.clone(), true).unwrap();
        let data = if hashcat {
            "none"
        } else {
            // The serial number of the FAT.
            assert_eq!(part(&volume, 39, 4), 0xdead_babe_u32.to_le_bytes(), "{file}");
            "right"
        };
        let asked = cryptsetup(&store, password, prf);
        volume.write_at(b"changed", 5000).unwrap();
        let mut new = key(b"another password");
        new.cipher = Some(cipher);
        header.write(&*store, &new).unwrap();
        let volume = read(&new).unwrap().open(store.clone(), false).unwrap();
        assert_eq!(part(&volume, 5000, 7), b"changed");
        let again = cryptsetup(&store, b"another password", prf);
        let (password, prf) = (String::from_utf8_lossy(password), prf.name());
        println!(
            "{file} | {password} | {prf} | {} | yes | {data} | yes | {asked}, changed {again}",
            cipher.name
        );
    }
}

/// The answer of `cryptsetup open --test-passphrase`, which knows the ciphers of its library and of the kernel.
fn cryptsetup(store: &Memory, password: &[u8], prf: veracrypt::Prf) -> String {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("volume");
    fs::write(&path, store.bytes()).unwrap();
    let command = Command::new("cryptsetup")
        .args("open --type tcrypt --veracrypt --test-passphrase --hash".split(' '))
        .arg(prf.name())
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = command else { return "not installed".into() };
    child.stdin.take().unwrap().write_all(password).unwrap();
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    if out.status.success() { "opens".into() } else { said.lines().next().unwrap_or("no").into() }
}

/// Two images from cryptsetup's own tests: a keyslot of another key next to the data's only one, and an LVM volume over
/// an old LUKS2 volume.
#[test]
fn what_cryptsetup_guards() {
    let Some(folder) = folder() else { return };
    let foreign = |name: &str| folder.join("luks2/foreign").join(name);
    let (unbound, leftover) =
        (foreign("luks2_keyslot_unassigned.img.xz"), foreign("blkid-luks2-pv.img.xz"));
    let xz = Command::new("xz").arg("--version").output().is_ok();
    if !xz || !unbound.is_file() || !leftover.is_file() {
        return println!("skipped: images of cryptsetup's tests: no luks2/foreign, or no xz");
    }
    let store = unpacked("xz", &unbound);
    let mut header = luks2::read(&*store).unwrap().header;
    assert_eq!(header.slots().iter().map(|s| s.bound).collect::<Vec<_>>(), [true, false]);
    refuses!(store, Force, header.remove(&*store, 0, false));
    header.remove(&*store, 1, false).unwrap();
    let read = fails!(Ambiguous, luks2::read(&*unpacked("xz", &leftover)));
    assert!(read.contains("LVM"), "{read}");
}

fn shake(label: &str, len: usize) -> Vec<u8> {
    let mut hash = shake::Shake128::default();
    hash.update(label.as_bytes());
    let mut out = vec![0; len];
    hash.finalize_xof().read(&mut out);
    out
}

fn luks2_volume(store: Arc<Memory>) -> (luks2::Header, Volume) {
    let found = luks2::read(&*store).unwrap();
    assert_eq!((found.first, found.second), (luks2::Copy::Good, luks2::Copy::Good));
    let (key, slot) = found.header.unlock(&*store, b"bulat", None, &LIMITS()).unwrap();
    assert_eq!(slot, 0);
    assert!(found.header.unlock(&*store, b"bulat?", None, &LIMITS()).is_err());
    let volume = found.header.open(store, &key, false).unwrap();
    (found.header, volume)
}

fn all(volume: &Volume) -> Vec<u8> {
    part(volume, 0, volume.len() as usize)
}

#[test]
fn luks2_of_cryptsetup() {
    let Some(folder) = folder() else { return };
    for (name, len) in [("A", 262_144), ("B", 262_144), ("G", 262_144), ("K", 65_536)] {
        let (header, volume) = luks2_volume(image(&folder, name));
        assert_eq!(volume.len(), len, "{name}");
        assert_eq!(all(&volume), shake(&format!("bulat-luks-{name}"), len as usize), "{name}");
        assert_eq!(header.label(), format!("bulat-{name}"));
        let lock = header.slots()[0].lock.as_ref().unwrap();
        let (spec, kdf) = match name {
            "A" | "G" => (Spec::AES, Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1000 }),
            "B" => (Spec::AES, Kdf::Argon2 { id: true, time: 4, memory: 32768, lanes: 1 }),
            _ => (Spec::KUZNYECHIK, Kdf::Pbkdf2 { hash: Hash::Streebog512, iterations: 1000 }),
        };
        assert_eq!((lock.spec, lock.kdf), (spec, kdf), "{name}");
        let data = if name == "G" { Spec::AES } else { Spec::KUZNYECHIK };
        assert_eq!(header.segment().spec, Ok(data));
        println!("{name}: {} bytes, as the list has them", volume.len());
    }
}

/// Every way to read a part gives that part.
#[test]
fn parts_of_a_volume() {
    let Some(folder) = folder() else { return };
    let (_, volume) = luks2_volume(image(&folder, "B"));
    let text = all(&volume);
    for (at, len) in [(0, 1), (1, 4096), (4095, 2), (8192, 4096), (5000, 100_000), (262_143, 1)] {
        assert_eq!(part(&volume, at, len), text[at as usize..at as usize + len], "{at} {len}");
    }
    assert!(volume.read_at(&mut [0; 2], 262_143).is_err());
    assert!(volume.write_at(&[0; 512], 0).is_err(), "opened for reading");
}

#[test]
fn luks1_of_cryptsetup() {
    let Some(folder) = folder() else { return };
    let store = image(&folder, "D");
    let header = luks1::Header::read(&*store).unwrap();
    let (key, slot) = header.unlock(&*store, b"bulat", &LIMITS()).unwrap();
    assert_eq!((slot, &*header.cipher), (0, "kuznyechik-xts-plain64"));
    assert!(header.unlock(&*store, b"bulat?", &LIMITS()).is_err());
    let volume = header.open(store, &key, false).unwrap();
    assert_eq!(all(&volume), shake("bulat-luks-D", volume.len() as usize));
    println!("D: {} bytes, as the list has them", volume.len());
}

#[test]
fn plain_dm_crypt() {
    let Some(folder) = folder() else { return };
    let key = shake("bulat-luks-key512", 64);
    let volume = Plain::default().open(image(&folder, "F1"), &key, false).unwrap();
    assert_eq!(all(&volume), shake("bulat-luks-F1", 262_144));
    println!("F1: {} bytes, as the list has them", volume.len());
}

/// Reads the files of the ext4 in a LUKS2 volume, by e2fsprogs.
#[test]
fn the_files_of_a_filesystem() {
    let Some(folder) = folder() else { return };
    let (_, volume) = luks2_volume(image(&folder, "H"));
    let dir = tempfile::tempdir().unwrap();
    let plain = dir.path().join("plain");
    fs::write(&plain, all(&volume)).unwrap();
    let debugfs = || Command::new("debugfs");
    if debugfs().arg("-V").output().is_err() {
        return println!("skipped: H's files: no debugfs (apt-get install e2fsprogs)");
    }
    let cat = |path: &str| {
        debugfs().arg("-R").arg(format!("cat {path}")).arg(&plain).output().unwrap().stdout
    };
    assert_eq!(cat("hello.txt"), b"hello from bulat: LUKS2 + Kuznyechik + ext4\n");
    assert_eq!(cat("dir/pattern.bin"), shake("bulat-luks-H", 100_000));
    println!("H: the files of its ext4, as the list has them");
}

#[test]
fn headers_of_veracrypt() {
    let Some(folder) = folder() else { return };
    for (name, hash) in [("sha512", Hash::Sha512), ("streebog", Hash::Streebog512)] {
        let file = folder.join(format!("veracrypt/hashcat_{name}_kuznyechik.vc"));
        let bytes: [u8; 512] = fs::read(file).unwrap().try_into().unwrap();
        let mut key = veracrypt::Key::new(b"hashcat", &[], 0).unwrap();
        key.hash = Some(veracrypt::Prf::Pbkdf2(hash));
        let header = veracrypt::Header::decrypt(&bytes, &key, veracrypt::Place::Volume);
        let header = header.unwrap().expect("it opens");
        assert_eq!((header.version, header.program, header.sector), (5, 0x010b, 512));
        assert_eq!((header.size, header.offset), (1_835_008, 131_072));
        assert_eq!((header.hidden, header.len), (0, 1_835_008));
        assert_eq!(header.layout().first, 256);
        // The master keys work for a volume.
        let store = zeros(2 << 20);
        let volume = header.open(store.clone(), true).unwrap();
        volume.write_at(&[7; 512], 512).unwrap();
        assert_eq!(part(&volume, 512, 512), [7; 512]);
        assert_ne!(store.bytes()[131_072 + 512..][..512], [7; 512]);
        println!("{name}: VERA, both checksums, the sizes and the sectors are those of the list");
    }
}
