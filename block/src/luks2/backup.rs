//! Headers put away, and brought back.

use serde_json::json;

use super::{Area, Header, read, wipe};
use crate::error::{Error, Result};
use crate::store::Store;

impl Header {
    /// The header and the keyslots as they stand in the store: what [`restore`] takes.
    ///
    /// # Errors
    /// The store's.
    pub fn backup(&self, store: &dyn Store) -> Result<Vec<u8>> {
        let mut out = vec![0; self.area() as usize];
        store.read_at(&mut out, 0)?;
        // Where one copy is damaged, the backup has the other twice.
        for at in [0, self.size] {
            out[at as usize..(at + self.size) as usize].copy_from_slice(&self.bytes(at)?);
        }
        Ok(out)
    }
}

/// A store that ends before its data does: a backup.
struct Beginning<'a>(&'a dyn Store);

impl Store for Beginning<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        self.0.read_at(buffer, offset)
    }
    fn write_at(&self, _: &[u8], _: u64) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
    fn sync(&self) -> std::io::Result<()> {
        Ok(())
    }
    fn size(&self) -> std::io::Result<u64> {
        Ok(u64::MAX)
    }
}

/// Puts a backup's header and keyslots into a store. While the store has a header, keyslots that differ go to room that
/// none has, so that until the last moment the old header opens what it did.
///
/// # Errors
/// [`Error::Invalid`] when the backup is of another volume or of another layout, unless `force`; [`Error::Damaged`]
/// for a backup that is none; the store's.
pub fn restore(store: &dyn Store, backup: &dyn Store, force: bool) -> Result<Header> {
    let mut new = read(&Beginning(backup)).map(|found| found.header).map_err(|e| match e {
        Error::Foreign => Error::Invalid("this is no backup of a LUKS2 header".into()),
        e => e,
    })?;
    let old = match read(store) {
        Ok(found) => Some(found.header),
        Err(Error::Io(e)) => return Err(e.into()),
        Err(_) => None,
    };
    if let Some(old) = &old {
        if old.uuid != new.uuid && !force {
            return Err(Error::Invalid("the backup is of another volume".into()));
        }
        if (old.size, old.area(), old.segment().offset)
            != (new.size, new.area(), new.segment().offset)
            && !force
        {
            return Err(Error::Invalid("the backup's data begins elsewhere".into()));
        }
        old.settle(store)?;
        new.sequence = new.sequence.max(old.sequence);
    }
    let old = old.filter(|old| (old.size, old.area()) == (new.size, new.area()));
    let (mut text, mut placed) = (new.text.clone(), Vec::new());
    for slot in &new.meta.slots {
        let read = |from: &dyn Store| -> Result<Vec<u8>> {
            let mut bytes = vec![0; slot.area.len as usize];
            from.read_at(&mut bytes, slot.area.offset)?;
            Ok(bytes)
        };
        let bytes = read(backup)?;
        let mut area = slot.area;
        if let Some(old) = &old
            && read(store)? != bytes
        {
            let taken = old.meta.slots.iter().any(|s| s.area.crosses(area));
            if taken {
                let mut others: Vec<Area> = new.meta.slots.iter().map(|s| s.area).collect();
                others.extend(&placed);
                area = old.room(area.len, &others)?;
                placed.push(area);
            }
        }
        text["keyslots"][slot.id.to_string()]["area"]["offset"] = json!(area.offset.to_string());
        text["keyslots"][slot.id.to_string()]["area"]["size"] = json!(area.len.to_string());
        store.write_at(&bytes, area.offset)?;
    }
    store.sync()?;
    new.write(store, text)?;
    // Keyslots that only the old header had are gone with it.
    for slot in old.iter().flat_map(|old| &old.meta.slots) {
        if !new.meta.slots.iter().any(|s| s.area.crosses(slot.area)) {
            wipe(store, slot.area, &mut |_| ())?;
        }
    }
    Ok(new)
}
