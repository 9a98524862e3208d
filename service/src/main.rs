//! The command `bulatd`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use bulatd::config::Config;
use bulatd::http::{State, server};
use bulatd::log;
use bulatd::root::{Root, RootKey};
use bulatd::store::Store;
use clap::{Parser, Subcommand};

mod manage;

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
        /// The root token of development mode, instead of a random one; so does BULATD_DEV_TOKEN
        #[arg(long, requires = "dev")]
        dev_token: Option<String>,
    },
    #[command(flatten)]
    Manage(manage::Manage),
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
        Command::Manage(command) => manage::run(command, &Config::read(&cli.config)?),
        Command::Server { dev, listen, dev_token } => {
            let config = if dev { Config::development(listen) } else { Config::read(&cli.config)? };
            config.check()?;
            log::set(config.log.level);
            let state = open(config, dev)?;
            if dev {
                welcome(listen, &dev_token.unwrap_or_default());
            }
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .enable_all()
                .build()
                .map_err(|e| e.to_string())?;
            runtime.block_on(server::run(Arc::new(state))).map_err(|e| e.to_string())
        }
    }
}

fn open(config: Config, dev: bool) -> Result<State, String> {
    let wrong = |e| format!("{e:?}");
    let store = Store::open(&config.database).map_err(wrong)?;
    let root = Root::default();
    let key = if dev {
        let key = RootKey::random().map_err(wrong)?;
        Root::create(&store, &key).map_err(wrong)?;
        Some(key)
    } else {
        RootKey::read(&config.root)?
    };
    if let Some(key) = key {
        root.unseal(&store, &key).map_err(wrong)?;
    }
    Ok(State::new(config, Arc::new(store), Arc::new(root)))
}

/// What somebody needs who tries it out.
fn welcome(address: SocketAddr, token: &str) {
    println!("bulatd in development mode: all is in memory, and gone when it ends.\n");
    println!("    export VAULT_ADDR=http://{address} VAULT_TOKEN={token}");
    println!(
        "    curl -H \"X-Vault-Token: $VAULT_TOKEN\" -d '{{\"plaintext\":\"aGVsbG8=\"}}' $VAULT_ADDR/v1/transit/encrypt/demo\n"
    );
    println!("Root Token: {token}");
}
