//! The command `bulatd`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use bulatd::auth::{Auth, NewToken};
use bulatd::config::{Config, Level, RootConfig};
use bulatd::http::listen;
use bulatd::log;
use bulatd::policy::ROOT;
use bulatd::root::{Root, RootKey};
use bulatd::state::State;
use bulatd::store::{Store, StoreError};
use clap::{CommandFactory as _, Parser, Subcommand};

mod manage;

/// Encryption as a service: the transit part of Vault's HTTP interface over the GOST algorithms
#[derive(Parser)]
#[command(name = "bulatd", version)]
struct Cli {
    /// The configuration file
    #[arg(long, value_name = "FILE", global = true, default_value = "/etc/bulatd/bulatd.toml")]
    config: PathBuf,
    /// The file with the root key, instead of the configured one, for commands that systemd does not start; or
    /// BULATD_ROOT_KEY
    #[arg(long, value_name = "FILE", global = true)]
    root_key: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer requests until SIGTERM, then finish the accepted ones; SIGHUP reads certificates and opens the audit log
    /// again
    Server {
        /// Keep everything in memory, on loopback without TLS, and print a root token, to try the service out
        #[arg(long)]
        dev: bool,
        /// The address to listen on in development mode
        #[arg(long, value_name = "ADDRESS", requires = "dev", default_value = "127.0.0.1:8200")]
        listen: SocketAddr,
        /// The root token of development mode, instead of a random one; or BULATD_DEV_TOKEN
        #[arg(long, value_name = "TOKEN", requires = "dev", allow_hyphen_values = true)]
        dev_token: Option<String>,
    },
    /// Print the manual page
    Man,
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
    let config = || {
        let mut config = Config::read(&cli.config)?;
        let named = std::env::var_os("BULATD_ROOT_KEY").filter(|name| !name.is_empty());
        if let Some(file) = cli.root_key.clone().or(named.map(PathBuf::from)) {
            config.root = RootConfig { file: Some(file), ..RootConfig::default() };
        }
        Ok::<_, String>(config)
    };
    match cli.command {
        Command::Manage(command) => manage::run(command, &config()?),
        Command::Man => man().map_err(|e| e.to_string()),
        Command::Server { dev: true, listen, dev_token } => develop(listen, dev_token),
        Command::Server { .. } => {
            let config = config()?;
            log::set(config.log.level);
            if config.audit.file.is_none() {
                log::line(Level::Warn, "no audit log: [audit] names no file", &[]);
            }
            let store = Arc::new(Store::open(&config.database).map_err(text)?);
            let root = Root::default();
            match manage::read_root_key(&config)? {
                key @ Some(_) => root.find(&store, key, &config.root).map_err(text)?,
                None => log::line(Level::Warn, "sealed: [root] names no root key", &[]),
            }
            serve(State::new(config, store, root)?)
        }
    }
}

fn develop(address: SocketAddr, token: Option<String>) -> Result<(), String> {
    let mut config = Config::development(address);
    let (root, key) = (Root::default(), development_key(&mut config)?);
    config.check()?;
    let store = Arc::new(Store::open(&config.database).map_err(text)?);
    Root::create(&store, &key).map_err(text)?;
    root.unseal(&store, &key).map_err(text)?;
    let new = NewToken {
        display_name: "root".into(),
        policies: vec![ROOT.into()],
        ..NewToken::default()
    };
    let auth = Auth::new(store.clone(), Vec::new());
    let asked = token.or_else(|| std::env::var("BULATD_DEV_TOKEN").ok());
    let token = match asked.filter(|token| !token.is_empty()) {
        Some(token) => auth.create_as(&token, &new, None).map(|_| token.into()),
        None => auth.create(&new, None).map(|(token, _)| token),
    };
    let token = token.map_err(text)?;
    println!(
        "bulatd in development mode: all data is in memory, and lost when it ends.\n\n    \
         export VAULT_ADDR=http://{address} VAULT_TOKEN={0}\n    \
         curl -H \"X-Vault-Token: $VAULT_TOKEN\" -d '{{\"plaintext\":\"aGVsbG8=\"}}' \
         $VAULT_ADDR/v1/transit/encrypt/demo\n\n\
         Root Token: {0}",
        token.as_str(),
    );
    serve(State::new(config, store, root)?)
}

/// Makes a root key that `sys/unseal` finds again: in a file without a name, which the system deletes with the process.
fn development_key(config: &mut Config) -> Result<RootKey, String> {
    use std::io::Write as _;
    use std::os::fd::IntoRawFd as _;
    let wrong = |e: &dyn std::fmt::Display| format!("cannot keep a root key: {e}");
    let mut bytes = zeroize::Zeroizing::new([0; 32]);
    getrandom::fill(&mut *bytes).map_err(|e| wrong(&e))?;
    let memory = std::path::Path::new("/dev/shm");
    let file = if memory.is_dir() { tempfile::tempfile_in(memory) } else { tempfile::tempfile() };
    let mut file = file.map_err(|e| wrong(&e))?;
    file.write_all(&*bytes).map_err(|e| wrong(&e))?;
    config.root.descriptor = Some(file.into_raw_fd());
    RootKey::parse(&*bytes).ok_or_else(|| "cannot keep a root key".into())
}

fn serve(state: State) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| format!("cannot start: {e}"))?;
    runtime.block_on(listen::run(Arc::new(state))).map_err(|e| e.to_string())
}

/// Prints the manual page: the command with its options, then each of its commands.
fn man() -> std::io::Result<()> {
    let mut out = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut out)?;
    let mut rest = vec![command];
    while let Some(command) = rest.pop() {
        let name = command.get_display_name().unwrap_or_default().replace('-', " ");
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            rest.push(sub.clone());
        }
        if name.contains(' ') {
            let man = clap_mangen::Man::new(command);
            out.extend_from_slice(format!(".SH {}\n", name.to_uppercase()).as_bytes());
            man.render_description_section(&mut out)?;
            man.render_options_section(&mut out)?;
        }
    }
    out.extend_from_slice(
        b".SH FILES\n/etc/bulatd/bulatd.toml: the configuration; the example next to the program lists all fields.\n\
          .SH SEE ALSO\nbulat(1), docs/SERVICE.md\n",
    );
    std::io::Write::write_all(&mut std::io::stdout(), &out)
}

fn text(e: StoreError) -> String {
    e.to_string()
}
