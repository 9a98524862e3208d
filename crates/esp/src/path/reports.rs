//! Routers' reports that a packet was too long, and which of them are believed. Anyone can send one: the system's own MTU of
//! the path, which believes all, is not used.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use super::eyes::Eyes;
use super::outward::SAFE;
use crate::packet::icmp::Report;
use crate::sa::{Carrier, Outbound, lock};
use crate::search::Quoted;
use crate::table::Table;

/// A report may quote one of this many last packets of an SA: those of a third of a second at 40 Gbit/s.
const RECENT: u32 = 1 << 20;

/// The work of the thread that hears routers.
pub struct Reports {
    eyes: Eyes,
    /// The SAs to each peer.
    peers: HashMap<IpAddr, Vec<Arc<Outbound>>>,
}

impl Reports {
    /// Sees the table as it is.
    pub fn new(table: Arc<Table>) -> Self {
        let mut new = Reports { eyes: Eyes::new(table), peers: HashMap::new() };
        new.sort();
        new
    }

    /// Gets a new view if the table has changed.
    pub fn refresh(&mut self) {
        if self.eyes.refresh() {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.peers.clear();
        for sa in self.eyes.view.outbound.values().flatten() {
            self.peers.entry(sa.ends().destination).or_default().push(sa.clone());
        }
    }

    /// Tells all SAs to the peer, if the report quotes a packet that we have sent. A report that quotes no SPI
    /// may be forged by who knows addresses and ports: it lowers the MTU to [`SAFE`] bytes at most.
    pub fn take(&mut self, report: &Report) {
        let Some(all) = self.peers.get(&report.destination) else { return };
        let (believed, least) = match report.number {
            Some((spi, low)) => (all.iter().any(|sa| sent(sa, spi, low)), 0),
            // Such a quote is honest only of UDP over IPv4: its ports are the 8 bytes of RFC 792.
            None if report.carrier == Carrier::Ip || report.destination.is_ipv6() => return,
            None => (all.iter().any(|sa| sa.ends().carrier == report.carrier), SAFE),
        };
        if believed {
            let now = Instant::now();
            for sa in all {
                let mut search = sa.search();
                let quoted = match report.number {
                    Some((spi, _)) if spi != sa.parameters.spi => Quoted::Other,
                    number => search.quoted(number.map(|(_, low)| low)),
                };
                search.report(report.mtu.max(least), quoted, now);
            }
        }
    }
}

/// Tells whether an SA has sent such a packet lately.
fn sent(sa: &Outbound, spi: u32, low: u32) -> bool {
    if sa.parameters.spi != spi {
        return false;
    }
    let newest = lock(&sa.sending).numbers.sequence();
    let behind = (newest as u32).wrapping_sub(low);
    behind < RECENT && u64::from(behind) < newest
}
