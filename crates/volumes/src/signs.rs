//! Recognises the content of a store before it is overwritten.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::store::Store;

/// The magic of LUKS1, and of the first copy of a LUKS2 header.
pub const MAGIC: [u8; 6] = *b"LUKS\xba\xbe";
/// The magic of the second copy of a LUKS2 header.
pub const SECOND: [u8; 6] = *b"SKUL\xba\xbe";

/// The bytes at each end that can have signs.
const END: u64 = 128 << 10;

/// The signs: position, bytes, and name of their owner. The first two are of volumes made here.
const SIGNS: [(u64, &[u8], &str); 42] = [
    (0, &MAGIC, "a LUKS volume"),
    (0x4000, &SECOND, "a LUKS2 volume with a damaged header"),
    (1080, b"\x53\xef", "an ext2, ext3 or ext4 filesystem"),
    (0, b"XFSB", "an XFS filesystem"),
    (0x1_0040, b"_BHRfS_M", "a Btrfs filesystem"),
    (1024, b"\x10\x20\xf5\xf2", "an F2FS filesystem"),
    (1024, b"\xe2\xe1\xf5\xe0", "an EROFS filesystem"),
    (1030, b"\x34\x34", "a NILFS2 filesystem"),
    (1024, b"H+\0\x04", "an HFS+ filesystem"),
    (1024, b"HX\0\x05", "an HFS+ filesystem"),
    (0x2000, b"OCFSV2", "an OCFS2 filesystem"),
    (0x8000, b"JFS1", "a JFS filesystem"),
    (0x1_0000, b"\x01\x16\x19\x70", "a GFS2 filesystem"),
    (0x1_0034, b"ReIsEr", "a ReiserFS filesystem"),
    (3, b"NTFS    ", "an NTFS filesystem"),
    (3, b"ReFS\0", "a ReFS filesystem"),
    (3, b"EXFAT   ", "an exFAT filesystem"),
    (54, b"FAT", "a FAT filesystem"),
    (82, b"FAT32", "a FAT32 filesystem"),
    (3, b"-FVE-FS-", "a BitLocker volume"),
    (32, b"NXSB", "an APFS volume"),
    (0x8001, b"CD001", "an ISO 9660 filesystem"),
    (0x8001, b"BEA01", "a UDF filesystem"),
    (0, b"hsqs", "a SquashFS filesystem"),
    (4086, b"SWAPSPACE2", "a swap area"),
    (512, b"EFI PART", "a GPT partition table"),
    (4096, b"EFI PART", "a GPT partition table"),
    (0, b"LABELONE", "an LVM physical volume"),
    (512, b"LABELONE", "an LVM physical volume"),
    (1024, b"LABELONE", "an LVM physical volume"),
    (1536, b"LABELONE", "an LVM physical volume"),
    (512, b"!Stra0tis\x86\xff\x02", "a Stratis device"),
    (4096, b"\xfc\x4e\x2b\xa9", "a member of a RAID"),
    (0, b"\xfc\x4e\x2b\xa9", "a member of a RAID"),
    // bcachefs uses it too.
    (4120, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca", "a bcache device"),
    (0, b"bluestore block device", "a Ceph device"),
    (0, b"QFI\xfb", "a qcow2 image"),
    (64, b"\x7f\x10\xda\xbe", "a VDI image"),
    (0, b"KDMV", "a VMDK image"),
    (0, b"vhdxfile", "a VHDX image"),
    (0, b"conectix", "a VHD image"),
    (510, b"\x55\xaa", "a partition table or a boot sector"),
];

/// Returns the text before the first zero.
pub(crate) fn text(bytes: &[u8]) -> Result<&str> {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).map_err(|_| Error::Damaged("a name that is not text".into()))
}

/// Returns the first `len` bytes of a store, or all if it is shorter.
fn beginning(store: &dyn Store, len: u64) -> Result<Vec<u8>> {
    let mut bytes = vec![0; store.size()?.min(len) as usize];
    store.read_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// Finds the sign of a RAID, a partition table or an image at the store's end. Returns its position, its length and its
/// owner's name.
fn at_end(store: &dyn Store) -> Result<Option<(u64, usize, &'static str)>> {
    let size = store.size()?;
    let raid = (size & !0xffff).checked_sub(0x1_0000);
    let newer = size.checked_sub(8192).map(|at| at & !0xfff);
    let last = size.checked_sub(512);
    let signs: [(_, &[u8], _); 4] = [
        (raid, b"\xfc\x4e\x2b\xa9", "a member of a RAID"),
        (newer, b"\xfc\x4e\x2b\xa9", "a member of a RAID"),
        (last, b"EFI PART", "a GPT partition table"),
        (last, b"conectix", "a VHD image"),
    ];
    for (at, sign, what) in signs {
        let mut found = [0; 8];
        let found = &mut found[..sign.len()];
        if let Some(at) = at.filter(|at| at + sign.len() as u64 <= size) {
            store.read_at(found, at)?;
            if found == sign {
                return Ok(Some((at, sign.len(), what)));
            }
        }
    }
    Ok(None)
}

/// Overwrites the signs at the store's end, since their owners are gone.
pub(crate) fn clear_end(store: &dyn Store) -> Result<()> {
    // One more round than there are signs, so that it ends even on a store that loses writes.
    for _ in 0..5 {
        let Some((at, len, _)) = at_end(store)? else { break };
        store.write_at(&vec![0; len], at)?;
    }
    Ok(())
}

/// Returns the name of anything with a sign in a store, except in the bytes of `own`. `luks` includes LUKS volumes.
fn signed(store: &dyn Store, luks: bool, own: Range<u64>) -> Result<Option<&'static str>> {
    let bytes = beginning(store, END)?;
    let stands =
        |at: u64, sign: &[u8]| bytes.get(at as usize..).is_some_and(|b| b.starts_with(sign));
    let signs = &SIGNS[if luks { 0 } else { 2 }..];
    let found = signs.iter().find(|(at, sign, _)| !own.contains(at) && stands(*at, sign));
    match found {
        Some((_, _, what)) => Ok(Some(*what)),
        None => Ok(at_end(store)?.map(|(_, _, what)| what)),
    }
}

/// Returns the name of anything with a sign in a store: a filesystem, a volume, a partition table, an image.
///
/// # Errors
/// The store's.
pub fn sign(store: &dyn Store) -> Result<Option<&'static str>> {
    signed(store, true, 0..0)
}

/// Returns the name of anything but LUKS with a sign in a store, outside the good copy of a header, `own`.
pub(crate) fn beside(store: &dyn Store, own: Range<u64>) -> Result<Option<&'static str>> {
    signed(store, false, own)
}

/// Returns whether a part of a store is zeros, up to the store's end.
pub(crate) fn is_blank(store: &dyn Store, part: Range<u64>) -> Result<bool> {
    let end = part.end.min(store.size()?);
    let (mut at, mut bytes) = (part.start, vec![0; 1 << 20]);
    while at < end {
        let n = (end - at).min(bytes.len() as u64) as usize;
        store.read_at(&mut bytes[..n], at)?;
        if bytes[..n].iter().any(|b| *b != 0) {
            return Ok(false);
        }
        at += n as u64;
    }
    Ok(true)
}

/// Names the data that would be lost with the first `len` bytes of a store, or reports data; `None` if nothing has
/// a sign, and these bytes and the last 128 KiB are zeros. A VeraCrypt volume looks like noise and is reported as data.
///
/// # Errors
/// The store's.
pub fn look(store: &dyn Store, len: u64) -> Result<Option<&'static str>> {
    let size = store.size()?;
    if let Some(what) = sign(store)? {
        return Ok(Some(what));
    }
    let blank =
        is_blank(store, 0..len.max(END))? && is_blank(store, size.saturating_sub(END)..size)?;
    Ok((!blank).then_some("data, perhaps a VeraCrypt volume"))
}
