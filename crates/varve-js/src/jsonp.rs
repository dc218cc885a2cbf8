//! JSONP: an archived answer calls the function that the page named at capture; in replay the
//! page may have made up another name.

use std::ops::Range;

/// Longest name of a callback.
const MAX_NAME: usize = 256;

/// The body with its callback renamed to `wanted`; `None` if it is not JSONP, if it calls
/// `wanted` already, or if `wanted` is no name.
///
/// JSONP is a body that, after comments, calls one name with an object or an array:
/// `/**/ name({...})`, also behind `typeof name === 'function' &&` as servers write it.
pub fn rename_callback(body: &str, wanted: &str) -> Option<String> {
    if name_length(wanted) != wanted.len() || wanted.is_empty() {
        return None;
    }
    let names = callback(body)?;
    if names.iter().any(|name| body[name.clone()] == *wanted) {
        return None;
    }
    let mut out = String::with_capacity(body.len() + names.len() * wanted.len());
    let mut copied = 0;
    for name in names {
        out.push_str(&body[copied..name.start]);
        out.push_str(wanted);
        copied = name.end;
    }
    out.push_str(&body[copied..]);
    Some(out)
}

/// Where the name of the callback stands, once or twice.
fn callback(body: &str) -> Option<Vec<Range<usize>>> {
    let mut reader = Reader { body, at: 0 };
    reader.skip_trivia();
    let mut names = Vec::new();
    if reader.take("typeof ") {
        names.push(reader.name()?);
        let equal = reader.take("===") || reader.take("==");
        let is_function = equal && (reader.take("'function'") || reader.take("\"function\""));
        if !is_function || !reader.take("&&") {
            return None;
        }
    }
    names.push(reader.name()?);
    let same = names.iter().all(|name| {
        let first = names.first().cloned().unwrap_or_default();
        body[name.clone()] == body[first]
    });
    let called = reader.take("(") && matches!(reader.rest().chars().next(), Some('{' | '['));
    (same && called).then_some(names)
}

struct Reader<'b> {
    body: &'b str,
    at: usize,
}

impl<'b> Reader<'b> {
    fn rest(&self) -> &'b str {
        &self.body[self.at..]
    }

    /// Takes a token and the spaces and comments after it.
    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
            self.skip_trivia();
        }
        found
    }

    /// Takes a name and the spaces and comments after it.
    fn name(&mut self) -> Option<Range<usize>> {
        let name = self.at..self.at + name_length(self.rest());
        self.at = name.end;
        self.skip_trivia();
        (!name.is_empty()).then_some(name)
    }

    fn skip_trivia(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            let comment = if let Some(text) = trimmed.strip_prefix("/*") {
                text.find("*/").map_or(text.len(), |end| end + 2) + 2
            } else if trimmed.starts_with("//") {
                trimmed.find(['\n', '\r']).unwrap_or(trimmed.len())
            } else {
                0
            };
            self.at += rest.len() - trimmed.len() + comment;
            if comment == 0 {
                return;
            }
        }
    }
}

/// How much of the start of a text is a name: identifiers with dots and numbers in brackets
/// (`a.b[0].c`). No more than a name can do any harm where it is put.
fn name_length(text: &str) -> usize {
    let mut end = 0;
    let mut in_brackets = false;
    let mut before = '.';
    for (at, c) in text.char_indices() {
        let fits = match c {
            _ if in_brackets => c.is_ascii_digit() || (c == ']' && before != '['),
            '.' | '[' => before != '.',
            '0'..='9' => before != '.' && before != ']',
            _ => before != ']' && (c.is_alphanumeric() || c == '_' || c == '$'),
        };
        if !fits || at > MAX_NAME {
            break;
        }
        in_brackets = if in_brackets { c != ']' } else { c == '[' };
        before = c;
        if !in_brackets && c != '.' {
            end = at + c.len_utf8();
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::rename_callback;

    #[track_caller]
    fn check(body: &str, wanted: &str, expected: Option<&str>) {
        assert_eq!(
            rename_callback(body, wanted).as_deref(),
            expected,
            "{body} as {wanted}"
        );
    }

    #[test]
    fn the_name_of_the_call_is_replaced() {
        check("cb({})", "x", Some("x({})"));
        check("cb([1, 2]);", "x.y", Some("x.y([1, 2]);"));
        check("a.b[0].c({})", "jQuery1_2", Some("jQuery1_2({})"));
        check("/**/ cb (\n[])", "x", Some("/**/ x (\n[])"));
        check(
            "\u{feff}// cb\r\ncb({})",
            "x",
            Some("\u{feff}// cb\r\nx({})"),
        );
        check("cb(/* why */{})", "$", Some("$(/* why */{})"));
        check("été({})", "x", Some("x({})"));
        check(
            "cb({\"cb\": \"cb({})\"})",
            "x",
            Some("x({\"cb\": \"cb({})\"})"),
        );
        check(
            "/**/ typeof cb === 'function' && cb({});",
            "x",
            Some("/**/ typeof x === 'function' && x({});"),
        );
    }

    #[test]
    fn what_is_no_jsonp_is_left_alone() {
        for body in [
            "",
            "cb",
            "cb(",
            "cb()",
            "cb(1)",
            "cb('x')",
            "cb(x)",
            "{}",
            "[]",
            "({})",
            "cb;({})",
            "1({})",
            "a.({})",
            "a[x]({})",
            "a[]({})",
            "a[0]b({})",
            "typeof a === 'function' && b({})",
            "typeof a && a({})",
            "// cb({})",
            "/* cb({})",
            "<html>cb({})",
            "a\"({})",
        ] {
            check(body, "x", None);
        }
    }

    #[test]
    fn what_is_wanted_is_a_name_and_another_one() {
        check("cb({})", "cb", None);
        for wanted in [
            "",
            "1",
            "a b",
            "a(",
            "alert(1)//",
            "a.",
            "a[",
            "a[\"b\"]",
            "<x>",
        ] {
            check("cb({})", wanted, None);
        }
    }
}
