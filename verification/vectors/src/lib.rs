//! The known answers of the GOST symmetric family, with their provenance, and the one way to run
//! them: [`load`] reads and checks the files of data/, [`Subject`] is what an implementation puts on
//! to be tested, [`run`] tries every vector in every direction and gives a [`Report`].
//!
//! ```
//! use vectors::{Answer, Filter, Refused, Streebog, Subject};
//!
//! struct Nothing; // implements no operation, so that every vector is unsupported
//! impl Subject for Nothing {}
//!
//! let files = vectors::load()?;
//! let only_mgm = Filter { file: "kuznyechik_mgm", ..Filter::default() };
//! let report = vectors::run(&Nothing, &files, &only_mgm);
//! assert_eq!((report.total().passed, report.total().unsupported), (0, 271));
//! # Ok::<(), vectors::Defect>(())
//! ```
#![forbid(unsafe_code)]

mod load;
mod mutate;
mod parameters;
mod report;
mod run;
mod subject;
mod test;

pub use load::{File, load};
pub use mutate::mutations;
pub use parameters::{Cipher, Direction, KuznyechikStep, Meshing, Sbox, Streebog, Suite, Wrap};
pub use report::{Finding, Report, Row};
pub use run::{Filter, Long, run};
pub use subject::{Answer, MacStream, Refused, Stream, Subject};
pub use test::{Defect, IN_MEMORY, Source, Test, Verdict, from_hex, sha256, to_hex};
