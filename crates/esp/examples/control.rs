//! Serves the control socket without devices, for tests of a daemon's side: `cargo run -p bulat-esp --example control
//! -- PATH`. SAs can be added, and no packet passes. IKE messages come back.
#[cfg(target_os = "linux")]
fn main() -> std::io::Result<()> {
    use std::sync::Arc;

    use bulat_esp::control::state::Facts;
    use bulat_esp::control::{Listener, Server};
    use bulat_esp::table::Table;

    let Some(path) = std::env::args_os().nth(1) else {
        return Err(std::io::Error::other("usage: control PATH"));
    };
    let (table, events) = Table::new();
    let facts =
        Facts { tun: "bulat0".into(), queues: 2, ports: vec![4500, 4501], raw: true, mark: 0 };
    let server = Server::new(Listener::bind(path.as_ref())?, facts, Arc::new(table), events)?;
    let handle = server.handle();
    server.run(Box::new(move |d| {
        handle.ike(d.local, d.remote, d.dscp, d.message);
        Ok(())
    }))
}

#[cfg(not(target_os = "linux"))]
fn main() {}
