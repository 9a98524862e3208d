//! Backs up and restores headers.

use serde_json::json;

use super::copies::{find_for, is_of};
use super::meta::Digest;
use super::{Area, Found, Header, Meta, Room, find, wipe};
use crate::error::{Error, Result};
use crate::signs;
use crate::store::Store;

impl Header {
    /// Returns the header and the keyslots as stored, for [`restore`].
    ///
    /// # Errors
    /// The store's.
    pub fn backup(&self, store: &dyn Store) -> Result<Vec<u8>> {
        let mut out = vec![0; self.area() as usize];
        store.read_at(&mut out, 0)?;
        // If a copy is damaged, the backup has the other copy twice.
        for at in [0, self.size] {
            out[at as usize..(at + self.size) as usize].copy_from_slice(&self.bytes(at)?);
        }
        Ok(out)
    }
}

/// Reads a backup, which must be whole.
fn backed_up(backup: &dyn Store) -> Result<Header> {
    let found = find_for(backup, Room::ANY).map_err(|e| match e {
        Error::Foreign => Error::Invalid("this is not a backup of a LUKS2 header".into()),
        e => e,
    })?;
    if let Some(what) = found.other {
        return Err(Error::Ambiguous(what.into()));
    }
    Ok(found.header)
}

/// Checks that a backup is valid and whole, as [`restore`] does first.
///
/// # Errors
/// [`Error::Invalid`] for something else; [`Error::Short`], [`Error::Ambiguous`]; as [`super::read`].
pub fn check_backup(backup: &dyn Store) -> Result<()> {
    backed_up(backup).map(drop)
}

/// Returns the header in the store if the backup may replace it. Refuses to destroy anything else.
fn replaced(
    store: &dyn Store,
    new: &Header,
    insist: &dyn Fn(String) -> Result<()>,
) -> Result<Option<Header>> {
    let old = match find(store) {
        Ok(Found { header, other: None, .. }) => header,
        Ok(Found { other: Some(what), .. }) => {
            insist(Error::Ambiguous(what.into()).to_string())?;
            return Ok(None);
        }
        Err(Error::Io(e)) => return Err(e.into()),
        // A volume with unknown requirements, such as a volume in the middle of a reencryption.
        Err(e @ (Error::Unsupported(_) | Error::Detached)) => {
            insist(format!("there is a LUKS header that is {e}"))?;
            return Ok(None);
        }
        Err(_) => {
            let none =
                |what: &str| insist(format!("there is no LUKS2 header of this volume, but {what}"));
            // Even if this volume's copy is there too, or zeros: a partition table or a RAID has its sign at the end.
            if let Some(what) = signs::beside(store, 0..0)? {
                none(what)?;
                return Ok(None);
            }
            let blank = signs::is_blank(store, 0..new.area())?;
            if !blank && !is_of(store, &new.uuid)? {
                none(signs::look(store, new.area())?.unwrap_or("data"))?;
            }
            return Ok(None);
        }
    };
    if old.uuid != new.uuid {
        insist("the backup is of another volume".into())?;
    }
    let places = |h: &Header| (h.size, h.area(), h.segment().offset);
    if places(&old) != places(new) {
        insist("the backup's data begins elsewhere".into())?;
    }
    let data = |h: &Header| {
        let s = h.segment();
        (s.len, s.first, s.sector, s.cipher.clone())
    };
    let key = |h: &Header| Digest { id: 0, ..h.meta.digest.clone() };
    if data(&old) != data(new) || key(&old) != key(new) {
        insist("the backup's data is under another key, cipher or sector size".into())?;
    }
    Ok(Some(old))
}

/// Writes a backup's header and keyslots to a store. If the store has a header, keyslots that differ go to free room,
/// so that the old header remains usable until the last moment. Nothing is written before everything has been checked.
///
/// # Errors
/// [`Error::Force`] if the backup belongs to another volume or layout, or the store begins with something else, unless
/// `force`; [`Error::Short`] for a store or a backup that is too small; [`Error::Damaged`] for an invalid backup; the
/// store's.
pub fn restore(store: &dyn Store, backup: &dyn Store, force: bool) -> Result<Header> {
    let insist = |what: String| if force { Ok(()) } else { Err(Error::Force(what)) };
    let mut new = backed_up(backup)?;
    // A detached header's data is elsewhere, even if the store has no header that says so.
    let room = if new.segment().offset == 0 { Room::ANY } else { Room::of(store)? };
    // The data must be in this store, or apart.
    Meta::of(&new.text, new.size, room)?;
    let (size, area) = (store.size()?, new.area());
    if size < area {
        return Err(Error::Short(format!("the header has {area} bytes, but there are {size}")));
    }
    let old = replaced(store, &new, &insist)?;
    if let Some(old) = &old {
        new.outline.sequence = new.sequence.max(old.sequence);
    }
    let old = old.filter(|old| (old.size, old.area()) == (new.size, new.area()));
    let (mut text, mut placed) = (new.text.clone(), Vec::new());
    let areas: Vec<Area> = new.meta.slots.iter().map(|s| s.area).collect();
    for slot in &new.meta.slots {
        let read = |from: &dyn Store| -> Result<Vec<u8>> {
            let mut bytes = vec![0; slot.area.len as usize];
            from.read_at(&mut bytes, slot.area.offset)?;
            Ok(bytes)
        };
        let bytes = read(backup)?;
        let mut area = slot.area;
        if let Some(old) = &old
            && old.meta.slots.iter().any(|s| s.area.crosses(area))
            && read(store)? != bytes
        {
            let taken: Vec<Area> =
                areas.iter().chain(placed.iter().map(|(a, _)| a)).copied().collect();
            match old.room(area.len, &taken) {
                Ok(room) => area = room,
                // Restoring the backup again repairs the result of a power cut.
                Err(Error::Full(_)) => insist(
                    "no room to keep the keyslots until the backup's are written: a power cut meanwhile \
                     leaves a volume that opens only after the backup is restored once more"
                        .into(),
                )?,
                Err(e) => return Err(e),
            }
        }
        let place = &mut text["keyslots"][slot.id.to_string()]["area"];
        place["offset"] = json!(area.offset.to_string());
        place["size"] = json!(area.len.to_string());
        placed.push((area, bytes));
    }
    let next = new.next(text, room)?;
    if let Some(old) = &old {
        old.settle(store)?;
    }
    for (area, bytes) in &placed {
        store.write_at(bytes, area.offset)?;
    }
    store.sync()?;
    let new = next.write(store)?;
    // Wipes keyslots that only the old header had.
    for slot in old.iter().flat_map(|old| &old.meta.slots) {
        if !new.meta.slots.iter().any(|s| s.area.crosses(slot.area)) {
            wipe(store, slot.area, &mut |_| ())?;
        }
    }
    Ok(new)
}
