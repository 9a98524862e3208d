//! The administrative commands. They work on the database itself, so they need access to it and to the root key.

use std::path::PathBuf;
use std::sync::Arc;

use bulatd::auth::{Auth, NewToken};
use bulatd::backup;
use bulatd::clock::date;
use bulatd::config::Config;
use bulatd::root::{Root, RootKey};
use bulatd::store::{Store, StoreError};
use clap::{Args, Subcommand};

use crate::text;

/// The administrative commands.
#[derive(Subcommand)]
pub enum Manage {
    /// Initialize the database with its root key and its first token, and print the token
    Init {
        /// Write a new root key to the configured file
        #[arg(long)]
        new_root_key: bool,
    },
    /// Bring the tables of an older bulatd on PostgreSQL up to date, when none of its replicas runs any more
    Migrate,
    /// Manage the root key
    #[command(subcommand)]
    Root(RootCommand),
    /// Manage tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Manage policies
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Write the database to a new file; keys stay wrapped
    Backup {
        /// The file to write
        #[arg(long)]
        output: PathBuf,
    },
    /// Put a backup into an empty database; each key gets a new version, the only one that encrypts
    Restore {
        /// The backup
        #[arg(long)]
        input: PathBuf,
        /// Replace the content of the database
        #[arg(long)]
        force: bool,
        /// Restore tokens and secrets of roles, too, even those that were revoked or used up meanwhile
        #[arg(long)]
        tokens: bool,
    },
}

#[derive(Subcommand)]
pub enum RootCommand {
    /// Wrap all keys under a new root key
    Rotate {
        /// A file with the new key; created if it does not exist
        #[arg(long)]
        new: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum TokenCommand {
    /// Create a token and print it
    Create(TokenArgs),
    /// List accessors, policies and times; the tokens themselves are not kept
    List,
    /// Revoke a token
    Revoke {
        /// The accessor, as `list` shows it
        #[arg(allow_hyphen_values = true)]
        accessor: String,
    },
}

#[derive(Args)]
pub struct TokenArgs {
    /// A policy; may be repeated
    #[arg(long = "policy", required = true, allow_hyphen_values = true)]
    policies: Vec<String>,
    /// The lifetime in seconds: by default 32 days, and no end with the policy root
    #[arg(long)]
    ttl: Option<u64>,
    /// A name for people
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    name: String,
    /// Allow renewal
    #[arg(long)]
    renewable: bool,
}

#[derive(Subcommand)]
pub enum PolicyCommand {
    /// Write a policy, in place of an old one
    Write {
        /// The name
        #[arg(allow_hyphen_values = true)]
        name: String,
        /// The file with its rules
        file: PathBuf,
    },
    /// Print a policy
    Read {
        /// The name
        #[arg(allow_hyphen_values = true)]
        name: String,
    },
    /// List the names
    List,
    /// Delete a policy
    Delete {
        /// The name
        #[arg(allow_hyphen_values = true)]
        name: String,
    },
}

/// Runs a command.
pub fn run(command: Manage, config: &Config) -> Result<(), String> {
    if matches!(command, Manage::Migrate) {
        return Store::migrate(&config.database).map(|_| ()).map_err(text);
    }
    let store = Arc::new(Store::open(&config.database).map_err(text)?);
    let auth = Auth::new(store.clone(), Vec::new());
    let now = auth.clock.now();
    let root = Root::default();
    // Rows are read and written with codes under the root key.
    if matches!(command, Manage::Token(_) | Manage::Policy(_) | Manage::Backup { .. }) {
        root.find(&store, Some(root_key(config)?), &config.root).map_err(|e| match e {
            StoreError::NotFound => "the database has no root key yet: bulatd init".into(),
            other => text(other),
        })?;
    }
    match command {
        Manage::Migrate => Ok(()),
        Manage::Init { new_root_key } => init(config, &store, &auth, new_root_key),
        Manage::Root(RootCommand::Rotate { new }) => {
            let old = root_key(config)?;
            if !new.exists() {
                RootKey::random().map_err(text)?.write_new(&new)?;
            }
            let key = RootKey::from_file(&new, true)?;
            let number = Root::rotate(&store, &old, &key).map_err(text)?;
            println!("all keys are wrapped under root key {number}: {}", new.display());
            println!("put it in its configured place; running replicas read it there");
            Ok(())
        }
        Manage::Token(TokenCommand::Create(args)) => {
            let new = NewToken {
                display_name: args.name,
                policies: args.policies,
                no_default: false,
                ttl: args.ttl,
                renewable: args.renewable,
                ..NewToken::default()
            };
            let (token, record) = auth.create(&new, None).map_err(text)?;
            println!("accessor {}\ntoken {}", record.accessor, token.as_str());
            Ok(())
        }
        Manage::Token(TokenCommand::List) => {
            for token in store.token_list().map_err(text)? {
                let policies = token.policies.join(",");
                let (accessor, name) = (token.accessor, token.display_name);
                let end = match token.expires {
                    0 => "never".into(),
                    end => date(end),
                };
                println!(
                    "{accessor} {policies} created={} expires={end} {name:?}",
                    date(token.created)
                );
            }
            Ok(())
        }
        Manage::Token(TokenCommand::Revoke { accessor }) => auth.revoke(&accessor).map_err(text),
        Manage::Policy(PolicyCommand::Write { name, file }) => {
            let rules =
                std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            auth.policy_write(&name, &rules).map_err(text)
        }
        Manage::Policy(PolicyCommand::Read { name }) => {
            print!("{}", auth.policy(&name).map_err(text)?.ok_or("not found")?);
            Ok(())
        }
        Manage::Policy(PolicyCommand::List) => {
            auth.policy_list().map_err(text)?.iter().for_each(|name| println!("{name}"));
            Ok(())
        }
        Manage::Policy(PolicyCommand::Delete { name }) => auth.policy_delete(&name).map_err(text),
        Manage::Backup { output } => {
            let keys = backup::backup(&store, &root, now, &output)?;
            println!("{keys} keys: {}", output.display());
            Ok(())
        }
        Manage::Restore { input, force, tokens } => {
            let keys = backup::restore(&store, &root_key(config)?, now, &input, force, tokens)?;
            println!("{keys} keys, each with a new version, the only one that encrypts");
            if !tokens {
                println!("no tokens: bulatd token create --policy root makes the first");
                println!("no secrets of roles: clients that log in by AppRole need new ones");
            }
            Ok(())
        }
    }
}

fn init(config: &Config, store: &Store, auth: &Auth, new_root_key: bool) -> Result<(), String> {
    // Checked before a key is written that would be of no use.
    if store.root().map_err(text)? != 0 {
        return Err("the database has a root key already".into());
    }
    if new_root_key {
        let file = config.root.file.as_ref().ok_or(
            "--new-root-key needs a file to write: --root-key FILE, or [root] file in the configuration",
        )?;
        if file.exists() {
            return Err(format!(
                "there is a root key already: {}; without --new-root-key it is used",
                file.display()
            ));
        }
        RootKey::random().map_err(text)?.write_new(file)?;
    }
    let key = root_key(config)?;
    Root::create(store, &key).map_err(|e| match e {
        StoreError::Exists => "the database has a root key already".into(),
        other => text(other),
    })?;
    Root::default().unseal(store, &key).map_err(text)?;
    let new = NewToken { policies: vec!["root".into()], ..NewToken::default() };
    let (token, _) = auth.create(&new, None).map_err(text)?;
    println!("the first token, which may do everything:\n{}", token.as_str());
    Ok(())
}

fn root_key(config: &Config) -> Result<RootKey, String> {
    read_root_key(config)?.ok_or_else(|| {
        "[root] names no root key; name it: --root-key FILE, or BULATD_ROOT_KEY=FILE".into()
    })
}

/// Reads the root key from its configured place; `None` if none is configured.
pub fn read_root_key(config: &Config) -> Result<Option<RootKey>, String> {
    if config.root.credential.is_some() && std::env::var_os("CREDENTIALS_DIRECTORY").is_none() {
        return Err("root key: [root] credential is for a service that systemd starts (it sets \
                    CREDENTIALS_DIRECTORY); name the file: --root-key FILE, or BULATD_ROOT_KEY=FILE"
            .into());
    }
    RootKey::read(&config.root)
}
