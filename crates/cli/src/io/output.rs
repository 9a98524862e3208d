//! Outputs: files that get their names when they are complete, and streams.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bulat_container::armor::Encoder;
use tempfile::NamedTempFile;

use super::place::{block_device, same, same_place};
use super::{Input, StandardOutput, standard, standard_output};
use crate::cleanup;
use crate::error::{Error, Exit, Result, name, note, output_name};

/// Bytes that are copied at a time.
const COPIED: usize = 64 << 10;

/// A file being written. Nothing appears under its name before [`Output::commit`].
pub struct Output {
    /// The name that the user gave; `-` is standard output.
    pub path: PathBuf,
    /// The number of bytes already written irrevocably: to standard output, a device or a FIFO.
    pub out: u64,
    to: To,
    /// Writes the file as text.
    armor: Option<Encoder>,
}

enum To {
    Standard(StandardOutput),
    /// A device or a FIFO, written directly.
    Direct(File),
    Temporary {
        file: NamedTempFile,
        target: PathBuf,
        force: bool,
        /// The permissions that the file gets on commit.
        #[cfg_attr(not(unix), allow(dead_code))]
        mode: Option<u32>,
    },
}

impl Output {
    /// Begins a file with the permissions of `input`, less the umask; if it replaces a file, with at most that file's
    /// permissions. Refuses an existing file unless `force`, and always the input itself.
    pub fn create(path: &Path, input: Option<&Input>, force: bool) -> Result<Self> {
        Self::begin(path, input, force, false)
    }

    /// Begins a file that only its owner can read, from the first byte on.
    pub fn private(path: &Path, input: Option<&Input>, force: bool) -> Result<Self> {
        Self::begin(path, input, force, true)
    }

    /// Begins a copy of a regular file, which replaces it and has its permissions.
    pub fn replacing(input: &Input) -> Result<Self> {
        let mut output = Self::begin(&input.path, None, true, true)?;
        #[cfg(unix)]
        if let (To::Temporary { file, mode: last, .. }, Some(of)) =
            (&mut output.to, &input.metadata)
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // Only root can give a file away. Another's file in a shared folder becomes this user's.
            let _ = fchown(file.as_file(), Some(of.uid()), Some(of.gid()));
            *last = mode(Some(of));
        }
        Ok(output)
    }

    /// Writes bytes.
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|e| Error::write(&self.path, &e))
    }

    /// Writes the last bytes, and commits.
    pub fn finish(mut self, bytes: &[u8]) -> Result<Exit> {
        self.put(bytes)?;
        self.commit().map(|()| Exit::Success)
    }

    /// Copies the rest of an input, in the kernel if both are files.
    pub fn copy_rest(&mut self, input: &mut Input) -> Result<()> {
        if let (To::Temporary { file, .. }, Some(from)) = (&mut self.to, input.plain()) {
            // The system does not tell which of the two failed.
            let copied = io::copy(from, file.as_file_mut());
            return copied.map(drop).map_err(|e| Error::write(&self.path, &e));
        }
        let mut piece = vec![0; COPIED];
        loop {
            match input.fill(&mut piece)? {
                0 => return Ok(()),
                n => self.put(&piece[..n])?,
            }
        }
    }

    fn begin(path: &Path, input: Option<&Input>, force: bool, private: bool) -> Result<Self> {
        let to = match target(path, input, force)? {
            Target::Open(to) => to,
            Target::Name(target, replaced) => {
                let source = input.and_then(|input| input.metadata.as_ref());
                let most = (!private).then(|| most(source, replaced.as_ref()));
                temporary(path, target, most, force)?
            }
        };
        Ok(Output { path: path.into(), out: 0, to, armor: None })
    }

    /// Writes the file in armour.
    pub fn armored(self) -> Self {
        Output { armor: Some(Encoder::default()), ..self }
    }

    /// Returns the file, if any position in it can be written before it gets its name.
    #[cfg(unix)]
    pub fn places(&self) -> Option<&File> {
        match &self.to {
            To::Temporary { file, .. } if self.armor.is_none() => Some(file.as_file()),
            _ => None,
        }
    }

    /// Gives the complete file its name: syncs it to the disk, renames it, syncs the folder.
    pub fn commit(mut self) -> Result<()> {
        if let Some(encoder) = self.armor.take() {
            let mut text = Vec::new();
            encoder.finish(&mut text);
            self.put(&text)?;
        }
        let path = self.path;
        let fail = |e: io::Error| Error::write(&path, &e);
        match self.to {
            To::Standard(mut out) => out.flush().map_err(fail),
            To::Direct(mut file) => match file.metadata() {
                Ok(m) if block_device(&m).is_some() => {
                    file.sync_all().map_err(fail)?;
                    // It cannot be cut to the length, and a container with more behind it does not verify.
                    if file.seek(SeekFrom::End(0)).is_ok_and(|all| all > self.out) {
                        note(format_args!(
                            "warning: {0}: behind the first {1} bytes it has its old content; read the new one with: head -c {1} {0}",
                            name(&path),
                            self.out
                        ));
                    }
                    Ok(())
                }
                _ => Ok(()),
            },
            To::Temporary { file, target, force, mode } => {
                #[cfg(unix)]
                if let Some(mode) = mode {
                    use std::os::unix::fs::PermissionsExt as _;
                    let mode = fs::Permissions::from_mode(mode);
                    file.as_file().set_permissions(mode).map_err(fail)?;
                }
                #[cfg(not(unix))]
                let _ = mode;
                file.as_file().sync_all().map_err(fail)?;
                let part = file.path().to_path_buf();
                let renamed = cleanup::settled(&part, || {
                    if force { file.persist(&target) } else { file.persist_noclobber(&target) }
                });
                match renamed {
                    Ok(_) => {}
                    Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
                        return Err(exists(&path));
                    }
                    Err(e) => return Err(fail(e.error)),
                }
                sync_folder(&target);
                Ok(())
            }
        }
    }
}

/// The place of an output.
enum Target {
    /// A stream or a device, which is written directly.
    Open(To),
    /// The name of the complete file, and the file that it replaces, if there is one.
    Name(PathBuf, Option<Metadata>),
}

/// Returns the place of an output. Refuses an existing file or device unless `force`, and always the input.
fn target(path: &Path, input: Option<&Input>, force: bool) -> Result<Target> {
    let fail = |e: io::Error| Error::write(path, &e);
    let refuse = |existing: &Metadata| refuse_input(path, input, existing);
    let is = |what: &str, remedy: &str| Error::at(Exit::Io, path, what).remedy(remedy);
    if path == Path::new("-") {
        if let Some(m) = standard(&io::stdout()) {
            refuse(&m)?;
        }
        return Ok(Target::Open(To::Standard(standard_output()?)));
    }
    match fs::metadata(path) {
        Ok(m) if m.is_dir() => Err(is("is a directory", "name a file in it with -o")),
        #[cfg(unix)]
        Ok(m) if block_device(&m).is_some() => {
            refuse(&m)?;
            if !force {
                let remedy = "name another output with -o, or --force if nothing there is needed";
                return Err(is("is a block device", remedy));
            }
            Ok(Target::Open(To::Direct(device(path)?)))
        }
        Ok(m) if !m.is_file() => {
            refuse(&m)?;
            let file = OpenOptions::new().write(true).open(path).map_err(fail)?;
            Ok(Target::Open(To::Direct(file)))
        }
        Ok(m) => {
            refuse(&m)?;
            if !force {
                return Err(exists(path));
            }
            // Replaces the file that a link leads to, not the link.
            Ok(Target::Name(fs::canonicalize(path).map_err(fail)?, Some(m)))
        }
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(fail(e)),
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            let remedy = "remove it, or name another output with -o";
            Err(is("a link to a missing file", remedy))
        }
        Err(_) => Ok(Target::Name(path.into(), None)),
    }
}

/// Refuses an output that is the input.
fn refuse_input(path: &Path, input: Option<&Input>, existing: &Metadata) -> Result<()> {
    match input.and_then(|input| input.metadata.as_ref()) {
        Some(source) if same(source, existing) || same_place(input, path) => {
            let what = format_args!("{}: input and output are the same file", output_name(path));
            Err(Error::usage(what).remedy("name another output with -o"))
        }
        _ => Ok(()),
    }
}

/// Returns the permissions of an output before the umask: the source's, and at most those of the file it replaces.
#[cfg(unix)]
fn most(source: Option<&Metadata>, replaced: Option<&Metadata>) -> u32 {
    mode(source).unwrap_or(0o666) & mode(replaced).unwrap_or(0o777)
}
#[cfg(not(unix))]
fn most(_: Option<&Metadata>, _: Option<&Metadata>) -> u32 {
    0
}

/// Begins a temporary file beside the target. It gets the permissions `most`, less the umask; without them only its
/// owner can read it.
fn temporary(path: &Path, target: PathBuf, most: Option<u32>, force: bool) -> Result<To> {
    let folder = match target.parent() {
        Some(p) if p != Path::new("") => p,
        _ => Path::new("."),
    };
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(target.file_name().ok_or_else(|| Error::at(Exit::Io, path, "not a file name"))?);
    prefix.push(".");
    // A name of 255 bytes leaves no room for a suffix.
    if prefix.len() > 200 {
        prefix = ".bulat.".into();
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // Until it is complete only its owner can read it. If the umask is unknown, `open` applies it.
    #[cfg(unix)]
    let mode = most.and_then(|most| {
        let mode = umask().map(|umask| most & !umask);
        if mode.is_none() {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(most));
        }
        mode
    });
    #[cfg(not(unix))]
    let (mode, _) = (None, most);
    let file =
        cleanup::watched(|| builder.tempfile_in(folder)).map_err(|e| Error::write(path, &e))?;
    Ok(To::Temporary { file, target, force, mode })
}

/// Opens a block device that nobody else has open.
#[cfg(unix)]
fn device(path: &Path) -> Result<File> {
    use bulat_block::{Error as Refusal, hold};
    hold::open(path, hold::Access::Write).map_err(|e| match e {
        Refusal::Io(e) => Error::write(path, &e),
        e => Error::at(Exit::Io, path, e)
            .remedy("unmount it, or stop its server or loop device (losetup -d)"),
    })
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(mut encoder) = self.armor.take() {
            let mut text = Vec::with_capacity(bytes.len() / 2 * 3);
            encoder.push(bytes, &mut text);
            self.write_all(&text)?;
            self.armor = Some(encoder);
            return Ok(bytes.len());
        }
        let n = match &mut self.to {
            To::Standard(out) => out.write(bytes)?,
            To::Direct(file) => file.write(bytes)?,
            To::Temporary { file, .. } => return file.as_file_mut().write(bytes),
        };
        self.out += n as u64;
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Standard(out) => out.flush(),
            To::Direct(file) => file.flush(),
            To::Temporary { file, .. } => file.as_file_mut().flush(),
        }
    }
}

fn exists(path: &Path) -> Error {
    Error::at(Exit::Io, path, "already exists")
        .remedy("use --force to replace it, or name another output with -o")
}

/// Makes a new name in a folder durable. Errors are ignored: not every file system supports this, and the file itself
/// is safe.
pub fn sync_folder(target: &Path) {
    #[cfg(unix)]
    {
        let folder = target.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
    #[cfg(not(unix))]
    let _ = target;
}

/// Returns the umask, on systems that show it.
#[cfg(unix)]
fn umask() -> Option<u32> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let umask = status.lines().find_map(|l| l.strip_prefix("Umask:"))?;
    u32::from_str_radix(umask.trim(), 8).ok()
}

/// Returns the permissions of a regular file.
#[cfg(unix)]
fn mode(of: Option<&Metadata>) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    of.filter(|m| m.is_file()).map(|m| m.permissions().mode() & 0o777)
}
