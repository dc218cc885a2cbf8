//! JSON as Python's `json.dumps` writes it: `", "` and `": "` between things, ASCII only.
//!
//! serde_json could be taught this through a formatter of its own, but index lines are written
//! by the million, and nearly all of their text needs no escape at all.

use serde_json::Value;
use std::fmt::Write;

/// Appends a string as a JSON string in ASCII, quoted and escaped.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain_from = 0;
    for (at, c) in text.char_indices() {
        if matches!(c, ' '..='~') && c != '"' && c != '\\' {
            continue;
        }
        out.push_str(&text[plain_from..at]);
        plain_from = at + c.len_utf8();
        write_escape(out, c);
    }
    out.push_str(&text[plain_from..]);
    out.push('"');
}

fn write_escape(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}

/// Appends any value; its depth is that of the reader that made it, which is bounded.
pub(super) fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_value(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (i, (name, item)) in members.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_string(out, name);
                out.push_str(": ");
                write_value(out, item);
            }
            out.push('}');
        }
    }
}
