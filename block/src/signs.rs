//! What a store looks like before it is overwritten.

use crate::error::Result;
use crate::store::Store;

/// Where what stands, and what has it.
const SIGNS: [(u64, &[u8], &str); 26] = [
    (0, b"LUKS\xba\xbe", "a LUKS volume"),
    (0x4000, b"SKUL\xba\xbe", "a LUKS2 volume with a damaged header"),
    (1080, b"\x53\xef", "an ext2, ext3 or ext4 filesystem"),
    (0, b"XFSB", "an XFS filesystem"),
    (0x1_0040, b"_BHRfS_M", "a Btrfs filesystem"),
    (1024, b"\x10\x20\xf5\xf2", "an F2FS filesystem"),
    (3, b"NTFS    ", "an NTFS filesystem"),
    (3, b"EXFAT   ", "an exFAT filesystem"),
    (54, b"FAT", "a FAT filesystem"),
    (82, b"FAT32", "a FAT32 filesystem"),
    (3, b"-FVE-FS-", "a BitLocker volume"),
    (32, b"NXSB", "an APFS volume"),
    (0x8001, b"CD001", "an ISO 9660 filesystem"),
    (0, b"hsqs", "a SquashFS filesystem"),
    (4086, b"SWAPSPACE2", "a swap area"),
    (512, b"EFI PART", "a GPT partition table"),
    (4096, b"EFI PART", "a GPT partition table"),
    (512, b"LABELONE", "an LVM physical volume"),
    (0, b"LABELONE", "an LVM physical volume"),
    (4096, b"\xfc\x4e\x2b\xa9", "a member of a RAID"),
    (0, b"\xfc\x4e\x2b\xa9", "a member of a RAID"),
    (4120, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca", "a bcache device"),
    (0, b"QFI\xfb", "a qcow2 image"),
    (0, b"KDMV", "a VMDK image"),
    (0, b"conectix", "a VHD image"),
    (510, b"\x55\xaa", "a partition table or a boot sector"),
];

/// What stands in a store by the look of it; `None` where its first 128 KiB are zeros. A VeraCrypt volume looks like
/// noise, and is said to be data.
///
/// # Errors
/// The store's.
pub fn look(store: &dyn Store) -> Result<Option<&'static str>> {
    let mut bytes = vec![0; store.size()?.min(128 << 10) as usize];
    store.read_at(&mut bytes, 0)?;
    let stands =
        |at: u64, sign: &[u8]| bytes.get(at as usize..).is_some_and(|b| b.starts_with(sign));
    let found = SIGNS.iter().find(|(at, sign, _)| stands(*at, sign)).map(|(_, _, what)| *what);
    let any = || bytes.iter().any(|b| *b != 0).then_some("data, perhaps a VeraCrypt volume");
    Ok(found.or_else(any))
}
