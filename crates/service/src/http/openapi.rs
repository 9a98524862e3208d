//! The description of the interface, made from the table of routes: `GET /v1/sys/internal/specs/openapi`.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::forms::parameters as of_query;
use super::routes::ROUTES;
use crate::call::{Answer, Body, Call, FieldType, Guard, Operation, Payload, Reply, Route};
use crate::fields::SOURCES;

/// Returns the schema of a field's type.
fn schema(kind: FieldType) -> Value {
    match kind {
        FieldType::Base64 => json!({ "type": "string", "format": "byte" }),
        FieldType::Integer => json!({ "type": "integer", "minimum": 0 }),
        FieldType::Bytes => json!({ "type": "integer", "minimum": 1, "maximum": 131_072 }),
        FieldType::Bits => json!({ "type": "integer", "enum": [128, 256, 512] }),
        FieldType::Boolean => json!({ "type": "boolean" }),
        FieldType::Duration => {
            json!({ "type": "string", "description": "seconds, or a time such as 24h" })
        }
        FieldType::Batch => json!({ "type": "array", "items": { "type": "object" } }),
        FieldType::Texts | FieldType::Names => {
            json!({ "type": "array", "items": { "type": "string" } })
        }
        FieldType::Service => json!({ "type": "string", "enum": ["service"] }),
        FieldType::Hash => json!({ "type": "string", "enum": ["streebog256", "streebog512"] }),
        FieldType::Source => json!({ "type": "string", "enum": SOURCES }),
        FieldType::Format => json!({ "type": "string", "enum": ["hex", "base64"] }),
        FieldType::KeyType => {
            let names: Vec<_> = crate::keyring::KINDS.iter().map(|kind| kind.name).collect();
            json!({ "type": "string", "enum": names })
        }
        FieldType::CipherType => {
            let ciphers = crate::keyring::KINDS.iter().filter(|kind| kind.encrypts());
            json!({ "type": "string", "enum": ciphers.map(|kind| kind.name).collect::<Vec<_>>() })
        }
        FieldType::Text | FieldType::Neutral | FieldType::Path => json!({ "type": "string" }),
    }
}

/// Returns the parameters of a path and of a query.
fn parameters(route: &Route) -> Vec<Value> {
    let of = |place: &str, name: &str, schema: Value| json!({ "name": name, "in": place, "required": place == "path", "schema": schema });
    let mut all: Vec<Value> = route
        .path
        .split('/')
        .filter_map(|word| word.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| of("path", name, json!({ "type": "string", "minLength": 1 })))
        .collect();
    for field in of_query(route).iter().filter(|field| field.kind != FieldType::Neutral) {
        all.push(of("query", field.name, schema(field.kind)));
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
    let fields: Vec<_> =
        route.form.fields().filter(|field| field.kind != FieldType::Neutral).collect();
    if route.body == Body::Stream {
        let schema = json!({ "type": "string", "format": "binary" });
        operation["requestBody"] =
            json!({ "content": { "application/octet-stream": { "schema": schema } } });
    } else if !fields.is_empty() {
        let required: Vec<_> =
            fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        let properties: Map<String, Value> =
            fields.iter().map(|field| (field.name.into(), schema(field.kind))).collect();
        let mut schema =
            json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        operation["requestBody"] = json!({
            "required": !schema["required"].is_null(), "content": { "application/json": { "schema": schema } },
        });
    }
    if matches!(route.guard, Guard::Open | Guard::Login) {
        operation["security"] = json!([]);
    }
    operation
}

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
            // Any of Go's words for true; Vault's description has this one.
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

pub async fn openapi(_: Call) -> Answer {
    static WHOLE: LazyLock<String> = LazyLock::new(|| description().to_string());
    // Shared, so that clients which do not read their answers hold no copies.
    Ok(Reply { status: 200, kind: "application/json", body: Payload::Shared(WHOLE.as_bytes()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every call is in the description, and every name is unique.
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
        let updates = ROUTES.iter().filter(|route| route.operation == Operation::Update);
        let bare: Vec<_> = updates
            .filter(|route| route.form.fields().next().is_none() && route.body == Body::Json)
            .map(|route| route.name)
            .collect();
        // The calls that have no field.
        for name in bare {
            let known = ["rotate-key", "seal", "revoke-self", "mount", "mount-auth"];
            assert!(known.contains(&name), "{name} has fields that are not described");
        }
    }
}
