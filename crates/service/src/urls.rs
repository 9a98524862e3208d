//! Paths and queries.

/// Reads the parameters of a query; `None` if they are not UTF-8.
pub fn query(text: &str) -> Option<Vec<(String, String)>> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            decoded(name).zip(decoded(&value.replace('+', " ")))
        })
        .collect()
}

/// Decodes percent signs; `None` for a wrong one, and for a text that is not UTF-8.
pub fn decoded(text: &str) -> Option<String> {
    let digit = |c: Option<&u8>| c.and_then(|c| char::from(*c).to_digit(16));
    let bytes = text.as_bytes();
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while i < bytes.len() {
        match (bytes[i], digit(bytes.get(i + 1)), digit(bytes.get(i + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                i += 3;
            }
            (b'%', ..) => return None,
            (c, ..) => {
                out.push(c);
                i += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs() {
        assert_eq!(decoded("a%2Fb%c3%a4"), Some("a/b\u{e4}".into()));
        for wrong in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
        assert_eq!(
            query("list=true&a"),
            Some(vec![("list".into(), "true".into()), ("a".into(), String::new())])
        );
    }
}
