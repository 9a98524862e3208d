//! Who asks, and whether they may: a token, or the certificate of the connection; policies; a rate.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use hyper::header::{AUTHORIZATION, HeaderMap};

use super::State;
use super::errors::Failure;
use super::routes::{Call, Guard, Operation};
use super::server::Peer;
use crate::auth::Who;

/// Requests that each visitor may still make: as many as a second brings, saved for one second at most.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<String, (f64, Instant)>>);

/// Visitors that are remembered.
const MANY: usize = 100_000;

impl Rates {
    /// Whether one more is within the rate.
    fn takes(&self, who: &str, rate: u32) -> bool {
        if rate == 0 {
            return true;
        }
        let (rate, now) = (f64::from(rate), Instant::now());
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MANY {
            // Who asked for nothing in the last second has all of it again.
            all.retain(|_, (_, when)| when.elapsed().as_secs() < 1);
        }
        let (left, when) = all.entry(who.into()).or_insert((rate, now));
        *left = (*left + now.duration_since(*when).as_secs_f64() * rate).min(rate);
        *when = now;
        let takes = *left >= 1.0;
        *left -= f64::from(u8::from(takes));
        takes
    }
}

/// Requests that may wait for the look-ups of their own connections.
const WAIT: usize = 1024;

/// Counts a request while it waits.
struct Waits<'a>(&'a AtomicUsize);

impl<'a> Waits<'a> {
    fn begin(all: &'a AtomicUsize) -> Result<Waits<'a>, Failure> {
        let waits = Waits(all);
        if all.fetch_add(1, Relaxed) < WAIT {
            Ok(waits)
        } else {
            Err(Failure::new(429, "too many unknown tokens at once; try again"))
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl State {
    /// Who shows this.
    async fn visitor(
        self: &Arc<Self>,
        token: Option<&str>,
        peer: &Peer,
    ) -> Result<Arc<Who>, Failure> {
        if let Some(who) = token.and_then(|token| self.auth.known(token)) {
            return Ok(who);
        }
        if token.is_none() && peer.certificate.is_none() {
            return Err(Failure::denied());
        }
        // Of a connection that has shown no known token only some are looked up at once. The others wait in a line of its
        // own, and this line has an end: each of them holds its head and its room in the audit log.
        let _own = match peer.place.lookups.try_acquire() {
            Ok(own) => Some(own),
            Err(_) if peer.place.known() => None,
            Err(_) => {
                let _waits = Waits::begin(&self.waiting)?;
                peer.place.lookups.acquire().await.ok()
            }
        };
        // It may have been found meanwhile.
        if let Some(who) = token.and_then(|token| self.auth.known(token)) {
            return Ok(who);
        }
        // Wrong tokens hold up other unknown ones only.
        let turn = self.lookups[usize::from(!peer.place.known())].acquire().await;
        let certificate = peer.certificate.clone();
        let token = token.map(|token| zeroize::Zeroizing::new(token.to_string()));
        let found = self.auth.away(move |auth| match (token, certificate) {
            (Some(token), _) => auth.token(&token),
            (None, Some(der)) => auth.certificate(&der),
            (None, None) => Ok(None),
        });
        let found = found.await?;
        drop(turn);
        found.ok_or_else(Failure::denied)
    }
}

impl Call {
    /// Lets the request in, or not.
    ///
    /// # Errors
    /// 403 for who may not, 429 above the rate.
    pub async fn enter(&mut self, headers: &HeaderMap, peer: &Peer) -> Result<(), Failure> {
        let text = |name| {
            headers.get(name).and_then(|value: &hyper::header::HeaderValue| value.to_str().ok())
        };
        let bearer = || text(AUTHORIZATION.as_str())?.strip_prefix("Bearer ");
        let token =
            text("x-vault-token").or_else(bearer).map(str::trim).filter(|token| !token.is_empty());
        let who = self.state.visitor(token, peer).await?;
        peer.place.show();
        self.token = token.map(|token| token.to_string().into());
        let within = self.state.rates.takes(&who.name, self.state.config.limits.rate);
        if let Some(line) = &mut *self.line.lock().unwrap_or_else(PoisonError::into_inner) {
            line.caller(&who.name, &who.policies);
        }
        self.visitor = Some(who);
        if !within {
            return Err(Failure::new(429, "request rate above the limit"));
        }
        let Some(route) = self.route else { return Ok(()) };
        match route.guard {
            Guard::Policy => self.allow(route.operation.capability()),
            Guard::Sudo => {
                self.allow(route.operation.capability())?;
                self.allow("sudo")
            }
            Guard::Upsert => self.allow("create").or_else(|_| self.allow("update")),
            Guard::Open => Ok(()),
        }
    }
    /// That whoever asks has a capability on the path.
    ///
    /// # Errors
    /// 403 without it.
    pub fn allow(&self, capability: &str) -> Result<(), Failure> {
        let who = self.visitor.as_ref().ok_or_else(Failure::denied)?;
        let list = capability == Operation::List.capability();
        let rules = &who.rules;
        let set = if list { rules.on_list(&self.path) } else { rules.on(&self.path) };
        if set.has(capability) { Ok(()) } else { Err(Failure::denied()) }
    }
    /// Who asks.
    ///
    /// # Errors
    /// 403 where nobody was asked for.
    pub fn who(&self) -> Result<&Arc<Who>, Failure> {
        self.visitor.as_ref().ok_or_else(Failure::denied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let rates = Rates::default();
        let takes = (0..100).filter(|_| rates.takes("a", 10)).count();
        assert!((10..15).contains(&takes), "{takes}");
        assert!(rates.takes("b", 10) && rates.takes("a", 0));
    }
}
