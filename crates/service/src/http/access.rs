//! Access: the caller's token, or its connection's certificate; policies; a rate.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use hyper::header::{AUTHORIZATION, HeaderMap};

use super::server::Peer;
use crate::auth::Who;
use crate::call::{Call, Guard};
use crate::failure::{Failure, Result};
use crate::locks::{OnDrop, lock};
use crate::state::State;

/// The most requests that wait for look-ups of their own connections.
const WAIT: usize = 1024;

impl State {
    /// Finds the caller.
    async fn visitor(self: &Arc<Self>, token: Option<&str>, peer: &Peer) -> Result<Arc<Who>> {
        let known = || match (token, &peer.certificate) {
            (Some(token), _) => self.auth.known(token),
            (None, Some(certificate)) => self.auth.known_certificate(&certificate.hash),
            (None, None) => None,
        };
        if let Some(who) = known() {
            return Ok(who);
        }
        if token.is_none() && peer.certificate.is_none() {
            return Err(Failure::denied());
        }
        // Of a connection that has shown no known token only a few are looked up at once. The others wait in a queue of the
        // connection, and all queues together have a limit: each request holds its head and its room in the audit log.
        let _own = match peer.place.lookups.try_acquire() {
            Ok(own) => Some(own),
            Err(_) if peer.place.known() => None,
            Err(_) => {
                let before = self.waiting.fetch_add(1, Relaxed);
                let _counted = OnDrop(|| _ = self.waiting.fetch_sub(1, Relaxed));
                if before >= WAIT {
                    return Err(Failure::new(429, "too many unknown tokens at once; try again"));
                }
                peer.place.lookups.acquire().await.ok()
            }
        };
        // Another request may have found it meanwhile.
        if let Some(who) = known() {
            return Ok(who);
        }
        // Unknown tokens delay only other unknown ones.
        let turn = self.lookups[usize::from(!peer.place.known())].acquire().await;
        let certificate = peer.certificate.clone();
        let token = token.map(|token| zeroize::Zeroizing::new(token.to_string()));
        let found = self.auth.away(move |auth| match (&token, &certificate) {
            (Some(token), _) => auth.token(token),
            (None, Some(shown)) => auth.certificate(&shown.der, &shown.hash),
            (None, None) => Ok(None),
        });
        let found = found.await?;
        drop(turn);
        found.ok_or_else(Failure::denied)
    }
}

impl Call {
    /// Admits the request, or refuses it. Errors: 403 without the permission, 429 above the rate.
    pub async fn enter(&mut self, headers: &HeaderMap, peer: &Peer) -> Result<()> {
        // A proxy and the service could take different ones for the caller.
        for name in ["x-vault-token", AUTHORIZATION.as_str()] {
            if headers.get_all(name).iter().nth(1).is_some() {
                return Err(Failure::bad(format!("{name} occurs twice")));
            }
        }
        let text = |name| {
            headers.get(name).and_then(|value: &hyper::header::HeaderValue| value.to_str().ok())
        };
        let bearer = || text(AUTHORIZATION.as_str())?.strip_prefix("Bearer ");
        let token =
            text("x-vault-token").or_else(bearer).map(str::trim).filter(|token| !token.is_empty());
        if self.route.is_some_and(|route| route.guard == Guard::Login) {
            self.certificate = peer.certificate.clone();
            return Ok(());
        }
        let who = self.state.visitor(token, peer).await?;
        peer.place.show();
        self.token = token.map(|token| token.to_string().into());
        let within = self.state.rates.allows(&who.name, self.state.config.limits.rate);
        if let Some(line) = &mut *lock(&self.line) {
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
            Guard::Open | Guard::Login | Guard::Known => Ok(()),
        }
    }
}
