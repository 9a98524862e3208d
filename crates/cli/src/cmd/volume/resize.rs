//! `bulat volume resize`: the data after its file has grown.

use bulat_block::hold::Access;
use bulat_block::{Error as Refusal, UNKNOWN, luks1, luks2};

use super::{held, only, opened, refused_at, veracrypt, with_data};
use crate::cli::{VolumeKind, VolumeResizeArgs};
use crate::error::{Error, Result, name};
use crate::io::print;

pub fn resize(args: &VolumeResizeArgs) -> Result<()> {
    only(args.access.kind, &[VolumeKind::Luks, VolumeKind::Veracrypt])?;
    let (file, path) = (&args.volume.file, args.volume.header_path());
    let fail = refused_at(&args.volume);
    if args.access.kind == VolumeKind::Veracrypt {
        let store = opened(file, true)?;
        let mut secrets = veracrypt(args.access.secret.read_or_ask(false)?, &args.access.vera)?;
        let header = secrets.header(&*store, &super::RESIZED).map_err(&fail)?;
        (secrets.hash, secrets.cipher) = (Some(header.hash), Some(header.cipher));
        let key = secrets.key().map_err(&fail)?;
        let grown = header.grow(&*store, &key).map_err(&fail)?;
        return print(format!("the data has {} bytes now\n", grown.len));
    }
    let store = with_data(&args.volume, held(path, Access::Look)?)?;
    let len = if luks1::begins(&*store).map_err(&fail)? {
        let header = luks1::Header::read(&*store).map_err(&fail)?;
        (store.size().map_err(|e| Error::read(path, &e))? - header.offset) / 512 * 512
    } else {
        let header = luks2::read(&*store).map_err(&fail)?.header;
        if store.apart() == Some(UNKNOWN) {
            return Err(fail(Refusal::Detached));
        }
        if let Some(len) = header.segment().len {
            let what = format_args!("{}: its header fixes the data at {len} bytes", name(path));
            return Err(Error::usage(what).remedy("cryptsetup reencrypt can change that"));
        }
        header.layout(&*store).map_err(&fail)?.len
    };
    print(format!("the data follows the size of the file: {len} bytes, once it is opened again\n"))
}
