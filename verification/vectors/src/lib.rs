//! The known answers of the GOST symmetric family, with their provenance, and a runner: [`load`]
//! reads and checks the files of data/, a [`Subject`] answers the [`Call`]s made of them, [`run`]
//! tries every vector in every direction and gives a [`Report`].
//!
//! ```
//! use vectors::{Answer, Call, Filter, Refused, Subject};
//!
//! struct Nothing; // has no operation, so that every vector is unsupported
//! impl Subject for Nothing {
//!     fn run(&self, _: &Call) -> Answer {
//!         Err(Refused::Unsupported)
//!     }
//! }
//!
//! let files = vectors::load()?;
//! let only_mgm = Filter { file: "kuznyechik_mgm", ..Filter::default() };
//! let report = vectors::run(&Nothing, &files, &only_mgm);
//! assert_eq!((report.total().passed, report.total().unsupported), (0, 271));
//! # Ok::<(), vectors::Defect>(())
//! ```
#![forbid(unsafe_code)]

pub mod call;
pub mod face;
mod load;
mod mutate;
mod parameters;
mod report;
mod run;
pub mod serve;
mod test;

pub use call::{Answer, Call, Op, Pieces, Refused, Subject, Transform};
pub use load::{File, load};
pub use mutate::mutations;
pub use parameters::{Cipher, Meshing, Sbox, Streebog, Suite};
pub use report::{Finding, Report, Row};
pub use run::{Filter, Long, run};
pub use test::{Defect, IN_MEMORY, Source, Test, Verdict, from_hex, sha256, to_hex};
