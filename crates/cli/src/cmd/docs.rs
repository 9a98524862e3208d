//! `bulat completions` and `bulat man`, generated from the definition of the command line.

use std::path::Path;

use clap::CommandFactory as _;

use crate::cli::Cli;
use crate::error::{Error, Exit, Result};
use crate::io::print;

/// Prints the completions for a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "bulat", &mut out);
    print(out).map(|()| Exit::Success)
}

/// Prints the man page, or writes one page per command into a folder.
pub fn man(dir: Option<&Path>) -> Result<Exit> {
    // `bulat help` prints pages, and needs none of its own.
    let command = Cli::command().disable_help_subcommand(true);
    match dir {
        Some(dir) => {
            let page = dir.join("bulat.1");
            clap_mangen::generate_to(command, dir).map_err(|e| Error::write(&page, &e))?;
        }
        None => {
            let mut out = Vec::new();
            clap_mangen::Man::new(command)
                .render(&mut out)
                .map_err(|e| Error::write(Path::new("-"), &e))?;
            print(out)?;
        }
    }
    Ok(Exit::Success)
}
