//! Limits of an SA's use, and the daemon's news of them.

use std::net::IpAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::sa::{Counters, Ends, Life, Limit, Parameters};
use crate::table::{Event, Table};

/// Seconds since the epoch.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Locks; a thread that panicked ends the program anyway.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The ends of a tunnel.
pub fn ends(of: &RwLock<Ends>) -> Ends {
    *of.read().unwrap_or_else(PoisonError::into_inner)
}

/// Tells whether a use is at a limit of bytes or packets.
pub fn reached(limit: &Limit, bytes: u64, packets: u64) -> bool {
    let over = |most: u64, now: u64| most != 0 && now >= most;
    over(limit.bytes, bytes) || over(limit.packets, packets)
}

/// Tells the daemon once of an SA's soft limit, if it is reached by bytes or packets.
pub fn soft(
    table: &Table,
    parameters: &Parameters,
    destination: IpAddr,
    counters: &Counters,
    life: &Life,
) {
    let (bytes, packets) = (counters.bytes.load(Relaxed), counters.packets.load(Relaxed));
    if reached(&parameters.soft, bytes, packets) && !life.soft_told.swap(true, Relaxed) {
        table.tell(Event::Expire { spi: parameters.spi, destination, hard: false });
    }
}

/// Ends an SA at its hard limit, and tells the daemon once.
pub fn hard(table: &Table, parameters: &Parameters, destination: IpAddr, life: &Life) {
    if !life.dead.swap(true, Relaxed) {
        table.tell(Event::Expire { spi: parameters.spi, destination, hard: true });
    }
}
