//! The description of the interface, made from the table of routes: `GET /v1/sys/internal/specs/openapi`.

use serde_json::{Map, Value, json};

use super::routes::{Answer, Body, Call, Guard, Operation, ROUTES, Reply, Route};

/// A field of a request: its name, its type, whether it must be there.
type Field = (&'static str, &'static str, bool);

const ITEM: &[Field] = &[
    ("context", "base64", false),
    ("associated_data", "base64", false),
    ("reference", "string", false),
];
const BATCH: &[Field] =
    &[("batch_input", "array", false), ("partial_failure_response_code", "integer", false)];

/// The fields of a call's body, by its name in the table; what a batch's items have is in them too.
fn fields(name: &str) -> Vec<Field> {
    let own: &[Field] = match name {
        "create-key" => &[
            ("type", "key-type", false),
            ("derived", "boolean", false),
            ("exportable", "boolean", false),
            ("allow_plaintext_backup", "boolean", false),
            ("auto_rotate_period", "duration", false),
        ],
        "configure-key" => &[
            ("min_decryption_version", "integer", false),
            ("min_encryption_version", "integer", false),
            ("deletion_allowed", "boolean", false),
            ("auto_rotate_period", "duration", false),
        ],
        "trim-key" => &[("min_available_version", "integer", true)],
        "encrypt" => &[
            ("plaintext", "base64", false),
            ("key_version", "integer", false),
            ("type", "cipher-type", false),
        ],
        "decrypt" => &[("ciphertext", "string", false)],
        "rewrap" => &[("ciphertext", "string", false), ("key_version", "integer", false)],
        "datakey" => &[("bits", "bits", false), ("context", "base64", false)],
        "hmac" | "hmac-algorithm" => &[
            ("input", "base64", false),
            ("key_version", "integer", false),
            ("algorithm", "hash", false),
            ("batch_input", "array", false),
        ],
        "verify" | "verify-algorithm" => &[
            ("input", "base64", false),
            ("hmac", "string", false),
            ("algorithm", "hash", false),
            ("batch_input", "array", false),
        ],
        "hash" | "hash-algorithm" => {
            &[("input", "base64", true), ("algorithm", "hash", false), ("format", "format", false)]
        }
        "random" | "random-source" | "random-source-bytes" => {
            &[("bytes", "bytes", false), ("format", "format", false)]
        }
        "write-policy" | "write-policy-old" => &[("policy", "string", true)],
        "create-token" => &[
            ("policies", "strings", false),
            ("ttl", "duration", false),
            ("display_name", "string", false),
            ("no_parent", "boolean", false),
        ],
        "renew-self" => &[("increment", "duration", false)],
        "lookup-token" | "revoke-token" => &[("token", "string", true)],
        "lookup-accessor" | "revoke-accessor" => &[("accessor", "string", true)],
        "capabilities-self" => &[("paths", "strings", true)],
        _ => &[],
    };
    let more: &[&[Field]] = match name {
        "encrypt" | "decrypt" | "rewrap" => &[ITEM, BATCH],
        _ => &[],
    };
    own.iter().chain(more.iter().copied().flatten()).copied().collect()
}

/// What a word of [`Field`] means.
fn schema(word: &str) -> Value {
    match word {
        "base64" => json!({ "type": "string", "format": "byte" }),
        "integer" => json!({ "type": "integer", "minimum": 0 }),
        "bytes" => json!({ "type": "integer", "minimum": 1, "maximum": 131_072 }),
        "bits" => json!({ "type": "integer", "enum": [128, 256, 512] }),
        "boolean" => json!({ "type": "boolean" }),
        "duration" => json!({ "type": "string", "description": "seconds, or as 24h" }),
        "array" => json!({ "type": "array", "items": { "type": "object" } }),
        "strings" => json!({ "type": "array", "items": { "type": "string" } }),
        "hash" => json!({ "type": "string", "enum": ["streebog256", "streebog512"] }),
        "format" => json!({ "type": "string", "enum": ["hex", "base64"] }),
        "key-type" => {
            let names: Vec<_> = crate::keyring::KINDS.iter().map(|kind| kind.name).collect();
            json!({ "type": "string", "enum": names })
        }
        "cipher-type" => {
            let ciphers = crate::keyring::KINDS.iter().filter(|kind| kind.encrypts());
            json!({ "type": "string", "enum": ciphers.map(|kind| kind.name).collect::<Vec<_>>() })
        }
        _ => json!({ "type": "string" }),
    }
}

/// The parameters of a path and of a query.
fn parameters(route: &Route) -> Vec<Value> {
    let of = |place: &str, name: &str, schema: Value| json!({ "name": name, "in": place, "required": place == "path", "schema": schema });
    let mut all: Vec<Value> = route
        .path
        .split('/')
        .filter_map(|word| word.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| of("path", name, json!({ "type": "string", "minLength": 1 })))
        .collect();
    if route.body == Body::Stream {
        for (name, word) in
            [("context", "base64"), ("stream", "string"), ("part", "integer"), ("last", "boolean")]
        {
            all.push(of("query", name, schema(word)));
        }
        if route.name == "stream-decrypt" {
            all.push(of("query", "chunk", schema("integer")));
        }
    }
    all
}

fn operation(route: &Route) -> Value {
    let mut operation = json!({
        "operationId": route.name,
        "parameters": parameters(route),
        "responses": {
            "default": {
                "description": "done, or refused with {\"errors\": [..]}",
            },
        },
    });
    let fields = fields(route.name);
    if route.body == Body::Stream {
        let schema = json!({ "type": "string", "format": "binary" });
        operation["requestBody"] =
            json!({ "content": { "application/octet-stream": { "schema": schema } } });
    } else if !fields.is_empty() {
        let required: Vec<_> = fields.iter().filter(|field| field.2).map(|field| field.0).collect();
        let properties: Map<String, Value> =
            fields.iter().map(|(name, word, _)| ((*name).into(), schema(word))).collect();
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        operation["requestBody"] = json!({
            "required": !schema["required"].is_null(), "content": { "application/json": { "schema": schema } },
        });
    }
    if route.guard == Guard::Open {
        operation["security"] = json!([]);
    }
    operation
}

/// The whole description.
pub fn description() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let method = match route.operation {
            // OpenAPI knows no LIST.
            Operation::Read | Operation::List => "get",
            Operation::Update => "post",
            Operation::Delete => "delete",
        };
        let path = paths.entry(format!("/v1/{}", route.path)).or_insert_with(|| json!({}));
        let mut operation = operation(route);
        if route.operation == Operation::List {
            if path[method].is_object() {
                continue;
            }
            let list = json!({
                "name": "list", "in": "query", "required": true,
                "schema": { "type": "string", "enum": ["true"] },
            });
            operation["parameters"].as_array_mut().expect("made above").push(list);
        }
        path[method] = operation;
    }
    json!({
        "openapi": "3.0.2",
        "info": {
            "title": "bulatd", "version": env!("CARGO_PKG_VERSION"),
            "description": "Encryption as a service: the transit part of Vault's HTTP interface over the GOST algorithms.",
            "license": { "name": "MIT OR Apache-2.0", "url": "https://spdx.org/licenses/" },
        },
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "apiKey", "in": "header", "name": "X-Vault-Token" } },
        },
        "security": [{ "token": [] }],
    })
}

/// `GET /v1/sys/internal/specs/openapi`.
pub async fn openapi(_: Call) -> Answer {
    Ok(Reply::plain(200, &description()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every name that has fields is in the table, and every name stands there once.
    #[test]
    fn the_description_is_of_the_table() {
        let names: Vec<_> = ROUTES.iter().map(|route| route.name).collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "{name} twice");
        }
        let description = description();
        for route in ROUTES {
            let path = &description["paths"][format!("/v1/{}", route.path)];
            assert!(path.is_object(), "{}", route.path);
        }
        let takes = ROUTES.iter().filter(|route| route.operation == Operation::Update);
        let bare: Vec<_> = takes
            .filter(|route| fields(route.name).is_empty() && route.body == Body::Json)
            .map(|route| route.name)
            .collect();
        // What takes no field.
        for name in bare {
            let known = ["rotate-key", "seal", "unseal", "revoke-self", "mount"];
            assert!(known.contains(&name), "{name} takes fields that are not described");
        }
    }
}
