//! The command `bulatd`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use bulatd::config::Config;
use bulatd::http::{State, server};
use bulatd::log;
use bulatd::metrics::Metrics;
use clap::{Parser, Subcommand};

/// Encryption as a service: the transit part of Vault's HTTP interface over the GOST algorithms
#[derive(Parser)]
#[command(name = "bulatd", version)]
struct Cli {
    /// The configuration
    #[arg(long, global = true, default_value = "/etc/bulatd/bulatd.toml")]
    config: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer requests until SIGTERM
    Server {
        /// Keep everything in memory, on loopback without TLS, and print a root token: for trying it out
        #[arg(long)]
        dev: bool,
        /// Where to listen in development mode
        #[arg(long, requires = "dev", default_value = "127.0.0.1:8200")]
        listen: SocketAddr,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("bulatd: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<(), String> {
    match cli.command {
        Command::Server { dev, listen } => {
            let config = if dev { Config::development(listen) } else { Config::read(&cli.config)? };
            config.check()?;
            log::set(config.log.level);
            let state = State { config, metrics: Metrics::default(), started: Instant::now() };
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .enable_all()
                .build()
                .map_err(|e| e.to_string())?;
            runtime.block_on(server::run(Arc::new(state))).map_err(|e| e.to_string())
        }
    }
}
