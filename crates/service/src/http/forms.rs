//! The fields of each call's body and query.

use crate::call::{Field, FieldType as T, Form};

const fn may(name: &'static str, kind: T) -> Field {
    Field { name, kind, required: false }
}

const fn must(name: &'static str, kind: T) -> Field {
    Field { name, kind, required: true }
}

/// No field.
pub const NONE: Form = Form { body: &[], item: &[], query: &[] };
/// The query of every list.
pub const PAGE: &[Field] = &[may("after", T::Text), may("limit", T::Integer)];

pub const CREATE_KEY: Form = Form {
    body: &[
        may("type", T::KeyType),
        may("derived", T::Boolean),
        may("exportable", T::Boolean),
        may("auto_rotate_period", T::Duration),
        may("allow_plaintext_backup", T::Neutral),
        may("convergent_encryption", T::Boolean),
        may("key_size", T::Neutral),
    ],
    ..NONE
};

pub const RESTORE_KEY: Form =
    Form { body: &[must("backup", T::Text), may("force", T::Neutral)], ..NONE };

pub const CONFIGURE_KEY: Form = Form {
    body: &[
        may("min_decryption_version", T::Integer),
        may("min_encryption_version", T::Integer),
        may("deletion_allowed", T::Boolean),
        may("auto_rotate_period", T::Duration),
        may("exportable", T::Boolean),
        may("allow_plaintext_backup", T::Neutral),
    ],
    ..NONE
};

pub const TRIM_KEY: Form = Form { body: &[must("min_available_version", T::Integer)], ..NONE };

pub const ENCRYPT: Form = Form {
    body: &[
        may("batch_input", T::Batch),
        may("partial_failure_response_code", T::Integer),
        may("type", T::CipherType),
        may("convergent_encryption", T::Neutral),
    ],
    item: &[
        may("plaintext", T::Base64),
        may("context", T::Base64),
        may("associated_data", T::Base64),
        may("key_version", T::Integer),
        may("reference", T::Text),
        may("nonce", T::Neutral),
        // Clients use one class for requests and for items.
        may("type", T::CipherType),
        may("convergent_encryption", T::Neutral),
        may("partial_failure_response_code", T::Integer),
    ],
    ..NONE
};

pub const DATAKEY: Form = Form {
    body: &[
        may("bits", T::Bits),
        may("context", T::Base64),
        may("associated_data", T::Base64),
        may("nonce", T::Neutral),
    ],
    ..NONE
};

pub const HMAC: Form = Form {
    body: &[may("batch_input", T::Batch), may("algorithm", T::Hash)],
    item: &[may("input", T::Base64), may("key_version", T::Integer), may("reference", T::Text)],
    ..NONE
};

pub const VERIFY: Form = Form {
    body: &[
        may("batch_input", T::Batch),
        may("algorithm", T::Hash),
        may("hash_algorithm", T::Hash),
        may("prehashed", T::Neutral),
        may("signature_algorithm", T::Neutral),
        may("marshaling_algorithm", T::Neutral),
        may("salt_length", T::Neutral),
    ],
    item: &[
        may("input", T::Base64),
        may("hmac", T::Text),
        may("reference", T::Text),
        may("signature", T::Neutral),
        may("context", T::Neutral),
        may("key_version", T::Neutral),
    ],
    ..NONE
};

pub const HASH: Form = Form {
    body: &[must("input", T::Base64), may("algorithm", T::Hash), may("format", T::Format)],
    ..NONE
};

pub const RANDOM: Form = Form {
    body: &[may("bytes", T::Bytes), may("format", T::Format), may("source", T::Source)],
    ..NONE
};

pub const WRITE_POLICY: Form =
    Form { body: &[may("policy", T::Text), may("rules", T::Text)], ..NONE };

pub const CREATE_TOKEN: Form = Form {
    body: &[
        may("policies", T::Texts),
        may("ttl", T::Duration),
        may("lease", T::Duration),
        may("display_name", T::Text),
        may("renewable", T::Boolean),
        may("no_default_policy", T::Boolean),
        may("type", T::Service),
        may("id", T::Neutral),
        may("meta", T::Neutral),
        may("no_parent", T::Boolean),
        may("explicit_max_ttl", T::Duration),
        may("period", T::Duration),
        may("num_uses", T::Integer),
        may("entity_alias", T::Neutral),
    ],
    ..NONE
};

pub const RENEW_TOKEN: Form =
    Form { body: &[must("token", T::Text), may("increment", T::Duration)], ..NONE };

pub const RENEW_ACCESSOR: Form =
    Form { body: &[must("accessor", T::Text), may("increment", T::Duration)], ..NONE };

pub const WRITE_ROLE: Form = Form {
    body: &[
        may("bind_secret_id", T::Boolean),
        may("secret_id_num_uses", T::Integer),
        may("secret_id_ttl", T::Duration),
        may("token_policies", T::Names),
        may("policies", T::Names),
        may("token_ttl", T::Duration),
        may("token_max_ttl", T::Duration),
        may("token_explicit_max_ttl", T::Duration),
        may("token_period", T::Duration),
        may("token_num_uses", T::Integer),
        may("token_no_default_policy", T::Boolean),
        may("token_type", T::Service),
        may("secret_id_bound_cidrs", T::Neutral),
        may("token_bound_cidrs", T::Neutral),
        may("local_secret_ids", T::Neutral),
    ],
    ..NONE
};

pub const WRITE_ROLE_ID: Form = Form { body: &[must("role_id", T::Text)], ..NONE };

pub const MAKE_SECRET_ID: Form = Form {
    body: &[
        may("num_uses", T::Integer),
        may("ttl", T::Duration),
        may("metadata", T::Neutral),
        may("cidr_list", T::Neutral),
        may("token_bound_cidrs", T::Neutral),
    ],
    ..NONE
};

pub const SECRET_ID: Form = Form { body: &[must("secret_id", T::Text)], ..NONE };

pub const SECRET_ID_ACCESSOR: Form = Form { body: &[must("secret_id_accessor", T::Text)], ..NONE };

pub const LOGIN_APPROLE: Form =
    Form { body: &[must("role_id", T::Text), may("secret_id", T::Text)], ..NONE };

pub const LOGIN_CERT: Form = Form { body: &[may("name", T::Text)], ..NONE };

/// All settings of the mount are fixed.
pub const TUNE: Form = Form {
    body: &[
        may("default_lease_ttl", T::Neutral),
        may("max_lease_ttl", T::Neutral),
        may("description", T::Neutral),
        may("options", T::Neutral),
        may("listing_visibility", T::Neutral),
        may("token_type", T::Service),
    ],
    ..NONE
};

pub const RENEW_SELF: Form =
    Form { body: &[may("increment", T::Duration), may("token", T::Neutral)], ..NONE };

pub const TOKEN: Form = Form { body: &[must("token", T::Text)], ..NONE };

pub const ACCESSOR: Form = Form { body: &[must("accessor", T::Text)], ..NONE };

pub const CAPABILITIES_SELF: Form =
    Form { body: &[may("paths", T::Texts), may("path", T::Text), may("token", T::Text)], ..NONE };

/// The root key is read from its configured place.
pub const UNSEAL: Form = Form {
    body: &[may("key", T::Neutral), may("reset", T::Neutral), may("migrate", T::Neutral)],
    ..NONE
};

pub const DECRYPT: Form = Form {
    body: &[may("batch_input", T::Batch), may("partial_failure_response_code", T::Integer)],
    item: &[
        may("ciphertext", T::Text),
        may("context", T::Base64),
        may("associated_data", T::Base64),
        may("reference", T::Text),
        may("nonce", T::Neutral),
        may("key_version", T::Neutral),
    ],
    ..NONE
};

pub const REWRAP: Form = Form {
    body: &[may("batch_input", T::Batch), may("partial_failure_response_code", T::Integer)],
    item: &[
        may("ciphertext", T::Text),
        may("context", T::Base64),
        may("associated_data", T::Base64),
        may("key_version", T::Integer),
        may("reference", T::Text),
        may("nonce", T::Neutral),
    ],
    ..NONE
};

pub const HEALTH: Form = Form {
    query: &[
        may("activecode", T::Integer),
        may("sealedcode", T::Integer),
        // For states that do not exist here.
        may("standbyok", T::Neutral),
        may("perfstandbyok", T::Neutral),
        may("standbycode", T::Neutral),
        may("performancestandbycode", T::Neutral),
        may("drsecondarycode", T::Neutral),
        may("uninitcode", T::Neutral),
        may("haunhealthycode", T::Neutral),
        may("removedcode", T::Neutral),
    ],
    ..NONE
};

pub const METRICS: Form = Form { query: &[may("format", T::Neutral)], ..NONE };

pub const STREAM_ENCRYPT: Form = Form {
    query: &[
        may("context", T::Base64),
        may("stream", T::Text),
        may("part", T::Integer),
        may("last", T::Boolean),
    ],
    ..NONE
};

pub const STREAM_DECRYPT: Form = Form {
    query: &[
        may("context", T::Base64),
        may("stream", T::Text),
        may("part", T::Integer),
        may("last", T::Boolean),
        may("chunk", T::Integer),
    ],
    ..NONE
};
