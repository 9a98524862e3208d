//! Backup and restore: keys stay wrapped.
use std::path::Path;

/// Writes a new file, all or nothing, for its owner alone.
///
/// # Errors
/// A sentence for the user; a file that is there stays as it is.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    use std::io::Write;
    let wrong = |e: std::io::Error| format!("{}: {e}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(wrong)?;
    file.write_all(bytes).map_err(wrong)?;
    file.as_file().sync_all().map_err(wrong)?;
    file.persist_noclobber(path).map_err(|e| wrong(e.error))?;
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(wrong)
}
