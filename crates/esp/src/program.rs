//! The command line, and the order in which the program starts: devices as root, then less rights, then threads.

use std::io::{self, ErrorKind, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use bulat_esp::control::client::Client;
use bulat_esp::control::state::Facts;
use bulat_esp::control::{Listener, Server};
use bulat_esp::path::{Devices, Options};
use bulat_esp::sys::{local, privileges, tun};
use bulat_esp::table::Table;
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The most addresses, since a thread waits for 64 descriptors, and the most ports.
const MOST: usize = 60;

/// The data path of GOST ESP (RFC 9227): an IKEv2 daemon gives it keys over a socket, it moves packets
#[derive(Parser)]
#[command(name = "bulat-esp", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Move packets until SIGTERM or SIGINT; then wipe all keys, and leave the TUN with its routes
    Run(Run),
    /// Print the security associations, policies and counters of the running program
    Status(Socket),
    /// Print the counters of the running program as Prometheus text
    Metrics(Socket),
    /// Delete the TUN device, and with it its routes: packets may leave in the clear then
    Remove {
        /// The TUN device
        #[arg(long, value_name = "NAME", default_value = "bulat0")]
        tun: String,
    },
    /// Print the manual page
    Man,
}

#[derive(Args)]
struct Socket {
    /// The control socket
    #[arg(long, value_name = "PATH", default_value = "/run/bulat-esp/control")]
    socket: PathBuf,
}

#[derive(Args)]
struct Run {
    #[command(flatten)]
    control: Socket,
    #[command(flatten)]
    path: Options,
    /// The user that the program becomes once its devices are open
    #[arg(long, value_name = "NAME", default_value = "bulat-esp")]
    user: String,
    /// Go on without a filter of system calls, where the system has none
    #[arg(long)]
    no_filter: bool,
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(options) => run(options),
        Command::Status(Socket { socket }) => show(&socket, "status"),
        Command::Metrics(Socket { socket }) => show(&socket, "metrics"),
        Command::Remove { tun } => remove(&tun),
        Command::Man => man().map_err(|e| format!("cannot print: {e}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            say(&text);
            ExitCode::FAILURE
        }
    }
}

/// Tells people, if there is a place for it.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "bulat-esp: {text}");
}

fn show(socket: &Path, verb: &str) -> Result<(), String> {
    let wrong = |e: io::Error| match e.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => {
            format!("{}: no bulat-esp runs there", socket.display())
        }
        ErrorKind::PermissionDenied => format!("{}: only root may use it", socket.display()),
        _ => format!("{}: {e}", socket.display()),
    };
    let text = Client::connect(socket).and_then(|client| client.text(verb)).map_err(wrong)?;
    match io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(format!("cannot print: {e}")),
        _ => Ok(()),
    }
}

/// Prints the manual page: the command, then each of its commands.
fn man() -> io::Result<()> {
    let mut out = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut out)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        writeln!(out, ".SH BULAT\\-ESP {}", sub.get_name().to_uppercase())?;
        let page = clap_mangen::Man::new(sub.clone());
        page.render_description_section(&mut out)?;
        page.render_options_section(&mut out)?;
    }
    out.extend_from_slice(b".SH SEE ALSO\n/usr/share/doc/bulat-esp/NETWORK.md, swanctl(8)\n");
    io::stdout().write_all(&out)
}

fn remove(name: &str) -> Result<(), String> {
    tun::remove(name).map_err(|e| match e.kind() {
        ErrorKind::NotFound => format!("{name}: no TUN device has this name"),
        ErrorKind::PermissionDenied => format!("{name}: only root may delete it"),
        ErrorKind::ResourceBusy => format!("{name}: a program uses it; stop that first"),
        _ => format!("{name}: {e}"),
    })
}

fn run(options: Run) -> Result<(), String> {
    let Run { control: Socket { socket }, mut path, user, no_filter } = options;
    if path.listen.is_empty() {
        path.listen = vec![Ipv4Addr::UNSPECIFIED.into(), Ipv6Addr::UNSPECIFIED.into()];
    }
    if path.ports.is_empty() {
        path.ports.push(4500);
    }
    if let Some(twice) = twice(&path.ports) {
        return Err(format!("--port {twice} is there twice"));
    }
    if let Some(twice) = twice(&path.listen) {
        return Err(format!("--listen {twice} is there twice"));
    }
    for (option, count) in [("--port", path.ports.len()), ("--listen", path.listen.len())] {
        if count > MOST {
            return Err(format!("{option} is there {count} times, more than {MOST}"));
        }
    }

    // As root: no key is there yet.
    let user = match local::user() {
        0 => Some(privileges::find(&user).map_err(|e| match e.kind() {
            ErrorKind::NotFound => {
                format!("the user {user} does not exist: useradd --system {user}, or --user")
            }
            _ => format!("looks up the user {user}: {e}"),
        })?),
        _ => None,
    };
    let devices = Devices::open(&path).map_err(|e| match e.cause.kind() {
        ErrorKind::PermissionDenied => format!("{e} (run it as root)"),
        _ => e.to_string(),
    })?;
    let at = |what: &str| format!("{what} {}", socket.display());
    let listener = Listener::bind(&socket).map_err(|e| match e.kind() {
        ErrorKind::AddrInUse => at("another program serves"),
        ErrorKind::NotFound => at("there is no folder for"),
        _ => format!("{}: {e}", at("creates")),
    })?;
    let (table, events) = Table::new();
    let table = Arc::new(table);
    let facts = Facts {
        tun: path.tun.clone(),
        queues: path.queues.into(),
        ports: path.ports.clone(),
        raw: path.raw,
        mark: path.mark.unwrap_or(0),
    };
    let signals = Signals::new([SIGTERM, SIGINT]).map_err(|e| format!("waits for signals: {e}"))?;

    // Before the first thread: these rights belong to threads.
    if !privileges::lock_memory() {
        say("warning: the memory is not locked: keys may reach the swap");
    }
    privileges::become_user(user).map_err(|e| format!("gives up its rights: {e}"))?;
    privileges::no_dumps().map_err(|e| format!("forbids core dumps: {e}"))?;

    let server = Server::new(listener, facts, table.clone(), events);
    let server = server.map_err(|e| format!("starts a thread: {e}"))?;
    let (handle, stop) = (server.handle(), server.handle());
    let ike = Arc::new(move |local, remote, dscp, message: &[u8]| {
        handle.ike(local, remote, dscp, message);
    });
    let running = devices.start(table, ike).map_err(|e| format!("starts a thread: {e}"))?;
    let running = Arc::new(running);
    watch(signals, stop).map_err(|e| format!("starts a thread: {e}"))?;
    ready().map_err(|e| format!("tells systemd: {e}"))?;
    match privileges::filter_calls() {
        Err(e) if no_filter => say(&format!("warning: no filter of system calls: {e}")),
        filtered => {
            filtered.map_err(|e| format!("filters system calls: {e} (--no-filter ignores it)"))?
        }
    }

    say(&format!("{} is up; control at {}", path.tun, socket.display()));
    let sender = running.clone();
    let send = move |d: &bulat_esp::control::message::Datagram<'_>| {
        sender.send_ike(d.local, d.remote, d.dscp, d.message)
    };
    let served = server.run(Box::new(send));
    running.stop();
    served.map_err(|e| format!("waits for messages: {e}"))?;
    say("ended; the TUN stays, with its routes");
    Ok(())
}

/// Tells systemd that the program is ready, if systemd waits for that (`Type=notify`).
fn ready() -> io::Result<()> {
    let Some(path) = std::env::var_os("NOTIFY_SOCKET").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let address = match path.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(&path)?,
    };
    UnixDatagram::unbound()?.send_to_addr(b"READY=1", &address).map(drop)
}

/// Stops the server at a signal.
fn watch(mut signals: Signals, stop: bulat_esp::control::Handle) -> io::Result<()> {
    let wait = move || {
        if signals.forever().next().is_some() {
            stop.stop();
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
}

fn twice<T: PartialEq>(list: &[T]) -> Option<&T> {
    list.iter().enumerate().find(|(at, item)| list[..*at].contains(item)).map(|(_, item)| item)
}
