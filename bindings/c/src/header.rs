//! Generates the header and the manual page from the sources of this crate. A test fails if the committed files differ;
//! `BULAT_WRITE=1 cargo test -p bulat-capi header` writes them.

use std::fmt::Write;

/// The rules at the beginning of the header and of the manual page.
const RULES: &str = "\
Every call that can fail returns a bulat_result: BULAT_OK, which is 0, or an error; bulat_result_message() returns its
message. Nothing is printed, and no call ends the process, except when memory runs out.

Find algorithms by name: bulat_algorithm_find(\"kuznyechik-mgm\"). A bulat_key is a key under an algorithm, prepared once.
Process a whole message in one call with a key, or a message in pieces with a context, made from a key. The sizes of
pieces do not change the result.

Pointers. Null is accepted for bytes if the length is 0, and for an object if the call's description says so; otherwise it
gives BULAT_ERR_NULL. Lengths are in bytes. Source and destination are one buffer or do not overlap, and no other output
may overlap anything: BULAT_ERR_OVERLAP. Bytes need no alignment; objects and structures do: BULAT_ERR_ALIGNMENT. A call
that makes an object writes null on an error. The library cannot check, and the caller must ensure, that pointers lead to
memory of the given length, and that objects were made by this library and not freed.

Secrets. Keys, contexts and the library's own memory are wiped before they are freed. No branch and no address depends on
a key or a text. Tags are compared in constant time.

Threads. Algorithms and keys never change: any thread may use them at any time. Only one thread at a time may use a
context. Calls with different contexts and buffers need no lock.";

/// The sources, in the order of the header.
const SOURCES: &[&str] = &[
    include_str!("result.rs"),
    include_str!("algorithm.rs"),
    include_str!("key.rs"),
    include_str!("hash.rs"),
    include_str!("mac.rs"),
    include_str!("cipher.rs"),
    include_str!("aead.rs"),
    include_str!("kdf.rs"),
    include_str!("batch.rs"),
    include_str!("pkcs.rs"),
    include_str!("kernel.rs"),
];

type Docs = Vec<String>;

/// A declaration for C.
struct Item {
    docs: Docs,
    name: String,
    what: What,
}

enum What {
    /// The values of a number, with their names.
    Number(Vec<(Docs, String, String)>),
    Opaque,
    /// The fields.
    Struct(Vec<(Docs, String)>),
    /// The prototype.
    Function(String),
}

/// Formats the declaration of a name with its C type.
fn declared(rust: &str, name: &str) -> String {
    if let Some((of, count)) =
        rust.strip_prefix('[').and_then(|t| t.strip_suffix(']')?.split_once("; "))
    {
        return format!("{}[{count}]", declared(of, name));
    }
    let (mut rust, mut stars) = (rust, Vec::new());
    while let Some((constant, rest)) = [("*const ", true), ("*mut ", false)]
        .into_iter()
        .find_map(|(p, constant)| Some((constant, rust.strip_prefix(p)?)))
    {
        stars.push(constant);
        rust = rest;
    }
    let base = match rust {
        "c_void" => "void",
        "c_char" => "char",
        "c_int" => "int",
        "usize" => "size_t",
        "u8" => "unsigned char",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        own if own.starts_with("bulat_") => own,
        other => panic!("no type of C for {other}"),
    };
    // The innermost `const` comes first, the others after their stars.
    let (mut text, mut pointers) = (String::new(), String::new());
    if stars.last() == Some(&true) {
        text.push_str("const ");
    }
    for outer in stars.iter().rev().skip(1) {
        pointers.push_str(if *outer { "*const " } else { "*" });
    }
    if !stars.is_empty() {
        pointers.push('*');
    }
    text.push_str(base);
    let gap = if name.is_empty() && pointers.is_empty() { "" } else { " " };
    format!("{text}{gap}{pointers}{name}")
}

/// Parses the title and the items of a source.
fn read(source: &str) -> (String, Vec<Item>) {
    let title = source.lines().next().and_then(|l| l.strip_prefix("//! ")).expect("a title");
    let title = title.split([':', ',']).next().unwrap_or(title).trim_end_matches('.');
    let (mut items, mut docs, mut lines) = (Vec::new(), Vec::new(), source.lines());
    let (mut plain, mut exported) = (false, false);
    while let Some(line) = lines.next() {
        let text = line.trim();
        if let Some(doc) = text.strip_prefix("///") {
            docs.push(doc.trim().replace('`', ""));
            continue;
        }
        match text {
            "#[repr(C)]" => plain = true,
            "#[unsafe(no_mangle)]" => exported = true,
            _ if text.starts_with("#[") => {}
            _ if line.starts_with("#[cfg(test)]") || line.starts_with("mod tests") => break,
            _ => {
                item(line, &mut lines, std::mem::take(&mut docs), (plain, exported), &mut items);
                (plain, exported) = (false, false);
            }
        }
    }
    (title.to_owned(), items)
}

fn item(
    line: &str,
    lines: &mut std::str::Lines<'_>,
    docs: Docs,
    (plain, exported): (bool, bool),
    items: &mut Vec<Item>,
) {
    let value = |line: &str| -> Option<(String, String)> {
        // A value in the table of results, or a different number.
        let line = line.trim().trim_start_matches("pub const ");
        let (name, rest) = line.split_once(" = ")?;
        let name = name.split(':').next()?;
        let number = rest.split([',', ';']).next()?;
        name.starts_with("BULAT_").then(|| (name.to_owned(), number.to_owned()))
    };
    if let Some(rest) = line.strip_prefix("pub type ") {
        let name = rest.split(" = ").next().expect("a name").to_owned();
        items.push(Item { docs, name, what: What::Number(Vec::new()) });
    } else if let Some((name, number)) = value(line) {
        let last = items.iter_mut().rev().find_map(|item| match &mut item.what {
            What::Number(values) => Some(values),
            _ => None,
        });
        last.expect("a type before its values").push((docs, name, number));
    } else if let Some(rest) = line.strip_prefix("pub struct ") {
        let name = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .expect("a name")
            .to_owned();
        let (mut fields, mut said) = (Vec::new(), Vec::new());
        if !plain {
            items.push(Item { docs, name, what: What::Opaque });
            return;
        }
        for line in lines.by_ref() {
            let line = line.trim();
            if let Some(doc) = line.strip_prefix("///") {
                said.push(doc.trim().replace('`', ""));
            } else if let Some((name, rust)) =
                line.strip_prefix("pub ").and_then(|l| l.split_once(": "))
            {
                fields
                    .push((std::mem::take(&mut said), declared(rust.trim_end_matches(','), name)));
            } else if line == "}" {
                break;
            }
        }
        items.push(Item { docs, name, what: What::Struct(fields) });
    } else if exported || line.starts_with("    fn bulat_") || line.starts_with("    free bulat_") {
        let mut text = line.to_owned();
        while !text.contains(['{', ';']) {
            let next = lines.next().expect("the end of a signature").trim();
            write!(text, " {next}").unwrap();
        }
        let (head, _) = text.split_once(['{', ';']).expect("found above");
        let head = head.split(" = ").next().unwrap_or_default();
        let (name, rest) = head.split_once('(').expect("parameters");
        let (parameters, result) = rest.rsplit_once(')').expect("parameters");
        // A call of `calls!` returns a code.
        let coded = if line.starts_with("    fn ") { "bulat_result " } else { "void " };
        let name = name.rsplit(' ').next().unwrap_or_default();
        let result = result.trim().strip_prefix("-> ").map_or(coded.to_owned(), |rust| {
            let c = declared(rust, "");
            if c.ends_with('*') { c } else { c + " " }
        });
        let parameters: Vec<_> = parameters
            .split(", ")
            .map(|p| p.trim().trim_end_matches(','))
            .filter(|p| !p.is_empty())
            .map(|p| p.split_once(": ").expect("a parameter"))
            .map(|(name, rust)| declared(rust, name))
            .collect();
        let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let what = What::Function(format!("{result}{name}({parameters})"));
        items.push(Item { docs, name: name.to_owned(), what });
    }
}

/// Wraps text to lines of at most `width`.
fn wrapped(text: &[String], width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.iter().flat_map(|line| line.split_whitespace()) {
        let last = lines.last_mut().expect("a line");
        if !last.is_empty() && last.len() + 1 + word.len() > width {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

fn comment(docs: &[String], indent: &str) -> String {
    let lines = wrapped(docs, 108 - indent.len());
    format!("{indent}/* {} */\n", lines.join(&format!("\n{indent}   ")))
}

/// Wraps a prototype, with its parameters indented after the first line.
fn broken(prototype: &str) -> String {
    let (mut out, mut len) = (String::new(), 0);
    for part in prototype.split_inclusive(", ") {
        if len + part.trim_end().len() > 105 {
            while out.ends_with(' ') {
                out.pop();
            }
            out.push_str("\n    ");
            len = 4;
        }
        out.push_str(part);
        len += part.len();
    }
    out
}

/// Returns whether callers must check the call's result.
fn decides(name: &str) -> bool {
    ["verify", "open", "unwrap", "selftest", "pkcs8_decrypt"].iter().any(|word| name.contains(word))
}

fn header() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut numbers = version.split('.');
    let mut number = || numbers.next().expect("a version of three numbers");
    let mut out =
        String::from("/* bulat.h: GOST symmetric cryptography, constant-time and fast.\n\n");
    RULES
        .lines()
        .for_each(|l| writeln!(out, "{}{l}", if l.is_empty() { "" } else { "   " }).unwrap());
    writeln!(
        out,
        "\n   Generated from the sources of the library; SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
         #ifndef BULAT_H\n#define BULAT_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n\
         #define BULAT_VERSION \"{version}\"\n#define BULAT_VERSION_MAJOR {}\n\
         #define BULAT_VERSION_MINOR {}\n#define BULAT_VERSION_PATCH {}\n\n\
         #if defined(__GNUC__)\n#define BULAT_CHECKED __attribute__((warn_unused_result))\n\
         #else\n#define BULAT_CHECKED\n#endif\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif",
        number(),
        number(),
        number(),
    )
    .unwrap();
    for source in SOURCES {
        let (title, items) = read(source);
        writeln!(out, "\n/* ---- {title} ---- */").unwrap();
        for Item { docs, name, what } in items {
            write!(out, "\n{}", comment(&docs, "")).unwrap();
            match what {
                What::Number(values) => {
                    writeln!(out, "typedef int {name};\nenum {{").unwrap();
                    for (docs, name, number) in values {
                        writeln!(out, "{}    {name} = {number},", comment(&docs, "    ")).unwrap();
                    }
                    out.truncate(out.len() - 2); // no comma after the last
                    out.push_str("\n};\n");
                }
                What::Opaque => writeln!(out, "typedef struct {name} {name};").unwrap(),
                What::Struct(fields) => {
                    writeln!(out, "typedef struct {name} {{").unwrap();
                    for (docs, field) in fields {
                        writeln!(out, "{}    {field};", comment(&docs, "    ")).unwrap();
                    }
                    writeln!(out, "}} {name};").unwrap();
                }
                What::Function(prototype) => {
                    let checked = if decides(&name) { "BULAT_CHECKED " } else { "" };
                    writeln!(out, "{}", broken(&format!("{checked}{prototype};"))).unwrap();
                }
            }
        }
    }
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// Formats a name and its description for roff.
fn entry(head: &str, docs: &[String]) -> String {
    let docs: Vec<_> = wrapped(docs, 100).iter().map(|line| roff(line)).collect();
    format!(".TP\n.B {}\n{}\n", roff(head).replace('"', "\\(dq"), docs.join("\n"))
}

fn manual() -> String {
    let mut out = format!(
        ".TH BULAT 3 \"\" \"bulat {}\" \"Library Functions\"\n.SH NAME\n\
         bulat \\- GOST symmetric cryptography: Magma, Kuznyechik, Streebog\n.SH SYNOPSIS\n.nf\n\
         .B #include <bulat.h>\n.sp\ncc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs bulat)\n.fi\n\
         .SH DESCRIPTION\n",
        env!("CARGO_PKG_VERSION"),
    );
    let rules =
        RULES.lines().map(|line| if line.is_empty() { ".PP".to_owned() } else { roff(line) });
    rules.for_each(|line| writeln!(out, "{line}").unwrap());
    for source in SOURCES {
        let (title, items) = read(source);
        writeln!(out, ".SH {}", roff(&title.to_uppercase())).unwrap();
        for Item { docs, name, what } in items {
            let (head, parts): (_, Vec<(Docs, String)>) = match what {
                What::Number(values) => {
                    let parts =
                        values.into_iter().map(|(docs, name, n)| (docs, format!("{name} ({n})")));
                    (name, parts.collect())
                }
                What::Opaque => (name, Vec::new()),
                What::Struct(fields) => (format!("struct {name}"), fields),
                What::Function(prototype) => (format!("{prototype};"), Vec::new()),
            };
            out.push_str(&entry(&head, &docs));
            if !parts.is_empty() {
                let parts = parts.iter().map(|(docs, head)| entry(head, docs));
                write!(out, ".RS\n{}.RE\n", parts.collect::<String>()).unwrap();
            }
        }
    }
    out.push_str(
        ".SH EXAMPLE\n.nf\nbulat_key *key;\nunsigned char nonce[16] = {0}, tag[16]; /* never use a nonce twice */\n\
         bulat_key_new(&key, bulat_algorithm_find(\"kuznyechik\\-mgm\"), bytes, 32, NULL);\n\
         bulat_seal(key, nonce, 16, header, header_len, text, text, len, tag, 16);\n\
         if (bulat_open(key, nonce, 16, header, header_len, text, text, len, tag, 16) != BULAT_OK)\n\
         \\&    return 1;\nbulat_key_free(key);\n.fi\n.SH SEE ALSO\n.BR bulat (1)\n",
    );
    out
}

#[test]
fn the_header_and_the_manual_are_the_sources() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    for (name, wanted) in [("include/bulat.h", header()), ("man/bulat.3", manual())] {
        let path = format!("{root}{name}");
        if std::env::var_os("BULAT_WRITE").is_some() {
            std::fs::write(&path, &wanted).expect("to write");
        }
        let have = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(have == wanted, "{name}: run BULAT_WRITE=1 cargo test -p bulat-capi header");
    }
}

#[test]
fn every_call_stops_panics() {
    for source in SOURCES.iter().chain([&include_str!("border.rs")]) {
        for function in source.split("#[unsafe(no_mangle)]").skip(1) {
            let body = function.split("\n}\n").next().unwrap_or_default();
            let name =
                body.split("fn ").nth(1).and_then(|s| s.split('(').next()).unwrap_or_default();
            // These return constants and cannot panic.
            let constant = ["bulat_algorithm_count", "bulat_kernel_count"].contains(&name);
            let guarded =
                ["guard(|", "guard_value(", "free("].iter().any(|call| body.contains(call));
            assert!(guarded || constant, "{name} lets panics through");
        }
    }
}
