//! The fields of each call's body and query.

use crate::call::{Field, FieldType, Form, Operation, Route};
use crate::failure::{Failure, Result};
use crate::fields::{flag, word};

/// Fields with their types; `!` in place of the colon marks a field that a request must have.
macro_rules! fields {
    (!) => { true };
    (:) => { false };
    ($($name:tt $need:tt $kind:ident),*) => {
        &[$(Field { name: stringify!($name), kind: FieldType::$kind, required: fields!($need) }),*]
    };
}

/// Forms with the fields of their parts.
macro_rules! forms {
    ($($(#[$doc:meta])* $form:ident { $($part:ident: $($name:tt $need:tt $kind:ident),*;)* })*) => {$(
        $(#[$doc])*
        pub const $form: Form = Form { $($part: fields!($($name $need $kind),*),)* ..NONE };
    )*};
}

pub const NONE: Form = Form { body: &[], item: &[], query: &[] };
/// The query of every list.
pub const PAGE: &[Field] = fields!(after: Text, limit: Integer);

forms! {
    CREATE_KEY {
        body: type: KeyType, derived: Boolean, exportable: Boolean, auto_rotate_period: Duration,
            allow_plaintext_backup: Neutral, convergent_encryption: Boolean, key_size: Neutral;
    }
    RESTORE_KEY { body: backup! Text, force: Neutral; }
    CONFIGURE_KEY {
        body: min_decryption_version: Integer, min_encryption_version: Integer,
            deletion_allowed: Boolean, auto_rotate_period: Duration, exportable: Boolean,
            allow_plaintext_backup: Neutral;
    }
    TRIM_KEY { body: min_available_version! Integer; }
    ENCRYPT {
        body: batch_input: Batch, partial_failure_response_code: Integer, type: CipherType,
            convergent_encryption: Neutral;
        item: plaintext: Base64, context: Base64, associated_data: Base64, key_version: Integer,
            reference: Text, nonce: Neutral,
            // Clients use one class for requests and for items.
            type: CipherType, convergent_encryption: Neutral,
            partial_failure_response_code: Integer;
    }
    DATAKEY { body: bits: Bits, context: Base64, associated_data: Base64, nonce: Neutral; }
    HMAC {
        body: batch_input: Batch, algorithm: Hash;
        item: input: Base64, key_version: Integer, reference: Text;
    }
    VERIFY {
        body: batch_input: Batch, algorithm: Hash, hash_algorithm: Hash, prehashed: Neutral,
            signature_algorithm: Neutral, marshaling_algorithm: Neutral, salt_length: Neutral;
        item: input: Base64, hmac: Text, reference: Text, signature: Neutral, context: Neutral,
            key_version: Neutral;
    }
    HASH { body: input! Base64, algorithm: Hash, format: Format; }
    RANDOM { body: bytes: Bytes, format: Format, source: Source; }
    WRITE_POLICY { body: policy: Text, rules: Text; }
    CREATE_TOKEN {
        body: policies: Texts, ttl: Duration, lease: Duration, display_name: Text,
            renewable: Boolean, no_default_policy: Boolean, type: Service, id: Neutral,
            meta: Neutral, no_parent: Boolean, explicit_max_ttl: Duration, period: Duration,
            num_uses: Integer, entity_alias: Neutral;
    }
    RENEW_TOKEN { body: token! Text, increment: Duration; }
    RENEW_ACCESSOR { body: accessor! Text, increment: Duration; }
    WRITE_ROLE {
        body: bind_secret_id: Boolean, secret_id_num_uses: Integer, secret_id_ttl: Duration,
            token_policies: Names, policies: Names, token_ttl: Duration, token_max_ttl: Duration,
            token_explicit_max_ttl: Duration, token_period: Duration, token_num_uses: Integer,
            token_no_default_policy: Boolean, token_type: Service, secret_id_bound_cidrs: Neutral,
            token_bound_cidrs: Neutral, local_secret_ids: Neutral;
    }
    WRITE_ROLE_ID { body: role_id! Text; }
    MAKE_SECRET_ID {
        body: num_uses: Integer, ttl: Duration, metadata: Neutral, cidr_list: Neutral,
            token_bound_cidrs: Neutral;
    }
    SECRET_ID { body: secret_id! Text; }
    SECRET_ID_ACCESSOR { body: secret_id_accessor! Text; }
    LOGIN_APPROLE { body: role_id! Text, secret_id: Text; }
    LOGIN_CERT { body: name: Text; }
    /// All settings of the mount are fixed.
    TUNE {
        body: default_lease_ttl: Neutral, max_lease_ttl: Neutral, description: Neutral,
            options: Neutral, listing_visibility: Neutral, token_type: Service;
    }
    RENEW_SELF { body: increment: Duration, token: Neutral; }
    TOKEN { body: token! Text; }
    ACCESSOR { body: accessor! Text; }
    CAPABILITIES_SELF { body: paths: Texts, path: Text, token: Text; }
    /// The root key is read from its configured place.
    UNSEAL { body: key: Neutral, reset: Neutral, migrate: Neutral; }
    DECRYPT {
        body: batch_input: Batch, partial_failure_response_code: Integer;
        item: ciphertext: Text, context: Base64, associated_data: Base64, reference: Text,
            nonce: Neutral, key_version: Neutral;
    }
    REWRAP {
        body: batch_input: Batch, partial_failure_response_code: Integer;
        item: ciphertext: Text, context: Base64, associated_data: Base64, key_version: Integer,
            reference: Text, nonce: Neutral;
    }
    HEALTH {
        query: activecode: Integer, sealedcode: Integer,
            // For states that do not exist here.
            standbyok: Neutral, perfstandbyok: Neutral, standbycode: Neutral,
            performancestandbycode: Neutral, drsecondarycode: Neutral, uninitcode: Neutral,
            haunhealthycode: Neutral, removedcode: Neutral;
    }
    METRICS { query: format: Neutral; }
    STREAM_ENCRYPT { query: context: Base64, stream: Text, part: Integer, last: Boolean; }
    STREAM_DECRYPT {
        query: context: Base64, stream: Text, part: Integer, last: Boolean, chunk: Integer;
    }
}

/// Returns the parameters of a call's query.
pub fn parameters(route: &Route) -> &'static [Field] {
    if route.operation == Operation::List { PAGE } else { route.form.query }
}

/// Refuses a query with parameters that the call does not read. Errors: 400 with the name of the parameter.
pub fn check_query(route: &Route, query: &[(String, String)]) -> Result<()> {
    for (i, (name, value)) in query.iter().enumerate() {
        let listed = name == "list" && matches!(route.operation, Operation::Read | Operation::List);
        let right = match parameters(route).iter().find(|field| field.name == name) {
            Some(_) if route.name == "metrics" => matches!(value.as_str(), "" | "prometheus"),
            // A mark without a value may be a mistake.
            Some(Field { kind: FieldType::Boolean, .. }) => {
                !value.is_empty() && flag(value).is_some()
            }
            Some(_) => true,
            None if listed => flag(value).is_some(),
            None => {
                return Err(Failure::bad(format!("unknown parameter {}", word(name))));
            }
        };
        if !right {
            return Err(Failure::bad(format!("{name}: this value is not supported")));
        }
        if query[..i].iter().any(|(other, _)| other == name) {
            return Err(Failure::bad(format!("parameter {name} occurs twice")));
        }
    }
    Ok(())
}
