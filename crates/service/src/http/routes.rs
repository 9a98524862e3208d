//! The table of calls. The router, the paths of policies and the description of the interface are made from it.

use std::cell::RefCell;

use super::{forms, logins, openapi, sys, tokens};
use crate::call::{Body, Guard, Operation, Route};
use crate::failure::{Failure, Result};
use crate::transit::{crypt, datakey, hash, hmac, keys, random, stream};

macro_rules! routes {
    ($($operation:ident $path:literal $name:literal $guard:ident $handler:path $(, $form:ident)?;)*) => {
        pub const ROUTES: &[Route] = &[$(Route {
            operation: Operation::$operation,
            path: $path,
            name: $name,
            guard: routes!(@ $guard),
            body: routes!(# $guard),
            form: routes!(% $($form)?),
            handler: |call| Box::pin($handler(call)),
        }),*];
    };
    (%) => { forms::NONE };
    (% $form:ident) => { forms::$form };
    (@ open) => { Guard::Open };
    (@ login) => { Guard::Login };
    (@ known) => { Guard::Known };
    (@ upsert) => { Guard::Upsert };
    (@ sudo) => { Guard::Sudo };
    (@ $other:ident) => { Guard::Policy };
    (# stream) => { Body::Stream };
    (# $other:ident) => { Body::Json };
}

routes! {
    Read "sys/health" "health" open sys::health, HEALTH;
    Read "sys/ready" "ready" open sys::ready;
    Read "sys/seal-status" "seal-status" open sys::seal_status;
    Read "sys/init" "init" open sys::init;
    Read "sys/metrics" "metrics" open sys::metrics, METRICS;
    Read "sys/internal/specs/openapi" "openapi" open openapi::openapi;
    Read "sys/leader" "leader" open sys::leader;
    Update "sys/seal" "seal" sudo sys::seal;
    Update "sys/unseal" "unseal" sudo sys::unseal, UNSEAL;
    Read "sys/mounts" "mounts" token sys::mounts;
    Read "sys/mounts/{mount}" "read-mount" token sys::read_mount;
    Update "sys/mounts/{mount}" "mount" token sys::mount;
    Read "sys/mounts/{mount}/tune" "read-tune-mount" token sys::read_tune;
    Update "sys/mounts/{mount}/tune" "tune-mount" token sys::tune, TUNE;
    Read "sys/auth" "auths" token sys::auths;
    Update "sys/auth/{mount}" "mount-auth" token sys::mount_auth;
    Read "sys/auth/{mount}/tune" "read-tune-auth" token sys::read_tune_auth;
    Update "sys/auth/{mount}/tune" "tune-auth" token sys::tune, TUNE;
    Read "sys/ha-status" "ha-status" token sys::ha_status;
    Read "sys/internal/ui/mounts" "ui-mounts" known sys::ui_mounts;
    Read "sys/internal/ui/mounts/{mount}" "ui-mount" known sys::ui_mount;
    List "sys/policies/acl" "list-policies" token tokens::list_policies;
    Read "sys/policies/acl/{name}" "read-policy" token tokens::read_policy;
    Update "sys/policies/acl/{name}" "write-policy" token tokens::write_policy, WRITE_POLICY;
    Delete "sys/policies/acl/{name}" "delete-policy" token tokens::delete_policy;
    Read "sys/policy" "read-policies-old" token tokens::list_policies;
    List "sys/policy" "list-policies-old" token tokens::list_policies;
    Read "sys/policy/{name}" "read-policy-old" token tokens::read_policy;
    Update "sys/policy/{name}" "write-policy-old" token tokens::write_policy, WRITE_POLICY;
    Delete "sys/policy/{name}" "delete-policy-old" token tokens::delete_policy;
    Update "sys/capabilities-self" "capabilities-self" token tokens::capabilities, CAPABILITIES_SELF;
    Update "auth/token/create" "create-token" token tokens::create, CREATE_TOKEN;
    Update "auth/token/create-orphan" "create-orphan" token tokens::create, CREATE_TOKEN;
    Update "auth/token/renew" "renew-token" token tokens::renew, RENEW_TOKEN;
    Update "auth/token/renew-accessor" "renew-accessor" token tokens::renew_accessor, RENEW_ACCESSOR;
    Read "auth/token/lookup-self" "lookup-self" token tokens::lookup_self;
    Update "auth/token/lookup" "lookup-token" token tokens::lookup, TOKEN;
    Update "auth/token/lookup-accessor" "lookup-accessor" token tokens::lookup_accessor, ACCESSOR;
    Update "auth/token/renew-self" "renew-self" token tokens::renew_self, RENEW_SELF;
    Update "auth/token/revoke" "revoke-token" token tokens::revoke, TOKEN;
    Update "auth/token/revoke-self" "revoke-self" token tokens::revoke_self;
    Update "auth/token/revoke-accessor" "revoke-accessor" token tokens::revoke_accessor, ACCESSOR;
    List "auth/approle/role" "list-roles" token logins::list_roles;
    Update "auth/approle/role/{role_name}" "write-role" token logins::write_role, WRITE_ROLE;
    Read "auth/approle/role/{role_name}" "read-role" token logins::read_role;
    Delete "auth/approle/role/{role_name}" "delete-role" token logins::delete_role;
    Read "auth/approle/role/{role_name}/role-id" "read-role-id" token logins::read_role_id;
    Update "auth/approle/role/{role_name}/role-id" "write-role-id" token logins::write_role_id, WRITE_ROLE_ID;
    List "auth/approle/role/{role_name}/secret-id" "list-secret-ids" token logins::list_secret_ids;
    Update "auth/approle/role/{role_name}/secret-id" "make-secret-id" token logins::make_secret_id, MAKE_SECRET_ID;
    Update "auth/approle/role/{role_name}/secret-id/lookup" "lookup-secret-id" token logins::lookup_secret_id, SECRET_ID;
    Update "auth/approle/role/{role_name}/secret-id/destroy" "destroy-secret-id" token logins::destroy_secret_id, SECRET_ID;
    Update "auth/approle/role/{role_name}/secret-id-accessor/lookup" "lookup-secret-id-accessor" token logins::lookup_secret_id_accessor, SECRET_ID_ACCESSOR;
    Update "auth/approle/role/{role_name}/secret-id-accessor/destroy" "destroy-secret-id-accessor" token logins::destroy_secret_id, SECRET_ID_ACCESSOR;
    Update "auth/approle/login" "login-approle" login logins::approle, LOGIN_APPROLE;
    Update "auth/cert/login" "login-cert" login logins::certificate, LOGIN_CERT;
    List "transit/keys" "list-keys" token keys::list;
    Update "transit/keys/{name}" "create-key" token keys::create, CREATE_KEY;
    Read "transit/keys/{name}" "read-key" token keys::read;
    Delete "transit/keys/{name}" "delete-key" token keys::delete;
    Update "transit/keys/{name}/config" "configure-key" token keys::configure, CONFIGURE_KEY;
    Update "transit/keys/{name}/rotate" "rotate-key" token keys::rotate;
    Update "transit/keys/{name}/trim" "trim-key" token keys::trim, TRIM_KEY;
    Read "transit/export/{type}/{name}" "export-key" token keys::export;
    Read "transit/export/{type}/{name}/{version}" "export-key-version" token keys::export;
    Read "transit/backup/{name}" "backup-key" token keys::backup;
    Update "transit/restore" "restore-key" token keys::restore, RESTORE_KEY;
    Update "transit/restore/{name}" "restore-key-as" token keys::restore, RESTORE_KEY;
    Update "transit/encrypt/{name}" "encrypt" upsert crypt::encrypt, ENCRYPT;
    Update "transit/decrypt/{name}" "decrypt" token crypt::decrypt, DECRYPT;
    Update "transit/rewrap/{name}" "rewrap" token crypt::rewrap, REWRAP;
    Update "transit/datakey/{plaintext}/{name}" "datakey" token datakey::make, DATAKEY;
    Update "transit/hmac/{name}" "hmac" token hmac::hmac, HMAC;
    Update "transit/hmac/{name}/{algorithm}" "hmac-algorithm" token hmac::hmac, HMAC;
    Update "transit/verify/{name}" "verify" token hmac::hmac, VERIFY;
    Update "transit/verify/{name}/{algorithm}" "verify-algorithm" token hmac::hmac, VERIFY;
    Update "transit/hash" "hash" token hash::hash, HASH;
    Update "transit/hash/{algorithm}" "hash-algorithm" token hash::hash, HASH;
    Update "transit/stream/encrypt/{name}" "stream-encrypt" stream stream::encrypt, STREAM_ENCRYPT;
    Update "transit/stream/decrypt/{name}" "stream-decrypt" stream stream::decrypt, STREAM_DECRYPT;
    Update "transit/random" "random" token random::random, RANDOM;
    Update "transit/random/{source}" "random-source" token random::random, RANDOM;
    Update "transit/random/{source}/{bytes}" "random-source-bytes" token random::random, RANDOM;
}

/// Finds the route of a path and an operation, with the parameters of the path. Errors: 404 for an unknown path, 405
/// for a known one.
pub fn find(
    operation: Option<Operation>,
    path: &str,
) -> Result<(&'static Route, Vec<(&'static str, String)>)> {
    for route in ROUTES.iter().filter(|route| Some(route.operation) == operation) {
        if let Some(params) = matches(route.path, path) {
            return Ok((route, params));
        }
    }
    Err(if allowed(path).is_empty() {
        Failure::new(404, "unsupported path")
    } else {
        Failure::new(405, "unsupported operation")
    })
}

/// Returns the methods of a path, for the header `Allow`.
pub fn allowed(path: &str) -> String {
    let mut all: Vec<&str> = Vec::new();
    for route in ROUTES.iter().filter(|route| matches(route.path, path).is_some()) {
        all.extend(match route.operation {
            Operation::Read => &["GET", "HEAD"][..],
            Operation::List => &["LIST"],
            Operation::Update => &["POST", "PUT"],
            Operation::Delete => &["DELETE"],
        });
    }
    all.join(", ")
}

/// Returns the parameters of a path, if it has the form of the pattern.
fn matches(pattern: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    // Most patterns differ before their first parameter.
    let fixed = pattern.bytes().take_while(|c| *c != b'{');
    if fixed.zip(path.bytes()).any(|(a, b)| a != b) {
        return None;
    }
    let mut params = Vec::new();
    let (mut patterns, mut parts) = (pattern.split('/'), path.split('/'));
    loop {
        match (patterns.next(), parts.next()) {
            (None, None) => return Some(params),
            (Some(word), Some(part)) => match word.strip_prefix('{') {
                Some(name) if !part.is_empty() => {
                    params.push((name.trim_end_matches('}'), part.to_string()));
                }
                None if word == part => {}
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// Makes a number for a request, in the form of a UUID.
pub fn request_id() -> String {
    /// Numbers that are made by one call of the system.
    const AHEAD: usize = 32;
    thread_local!(static LEFT: RefCell<Vec<[u8; 16]>> = const { RefCell::new(Vec::new()) });
    let id = LEFT.with_borrow_mut(|left| {
        if left.is_empty() {
            left.resize(AHEAD, [0; 16]);
            // Without random bytes all numbers are equal, which harms nothing.
            let _ = getrandom::fill(left.as_flattened_mut());
        }
        left.pop().unwrap_or_default()
    });
    let id = bulat_container::digits::hex(&id);
    [&id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..]].join("-")
}
