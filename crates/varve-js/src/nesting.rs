//! How deeply a parser may recurse on a script: an upper bound, found without parsing.
//!
//! A small lexer follows strings, templates, comments and regular expressions and counts, for
//! every bracket that is open, one level plus the operators since the last `;` or `,` in it
//! (`!!!x`, `a ? b : c ? d : e` and `a.b.c` recurse as well). Where JavaScript cannot be lexed
//! without parsing it (does the `/` after a function's `}` divide?) the bound falls back to the number
//! of tokens, so that a crafted script cannot hide its depth from us.
//!
//! On its way the lexer sees which functions have no word in them that matters to the rewriter.
//! Their bodies need not be parsed at all.

use std::ops::Range;

use self::lexer::Lexer;

mod lexer;

/// Longest script, in tokens, that is parsed although its depth cannot be known.
const MAX_UNSURE: usize = 8_000;

/// How often the parser may read each byte again on average, and how many bytes in any case.
/// It reads nested parentheses again and again to tell arrow functions apart.
const MAX_READ_AGAIN: (usize, usize) = (8, 4 << 20);

/// What a look at a script tells before it is parsed.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// An upper bound of the recursion depth.
    pub(crate) depth: usize,
    /// The same without the quiet bodies.
    pub(crate) outline_depth: usize,
    /// What stands between the braces of functions that hold nothing to rewrite, in order; empty
    /// if the lexer was not sure.
    pub(crate) quiet: Vec<Range<usize>>,
}

/// Looks at a script; `None` if its depth is more than `limit` or cannot be known, or if parsing
/// would take too long.
pub(crate) fn look(source: &str, limit: usize) -> Option<Look> {
    let mut lexer = Lexer::new(source.as_bytes(), limit);
    let result = lexer.run();
    let (times, free) = MAX_READ_AGAIN;
    if lexer.read_again() > times * source.len() + free {
        return None;
    }
    let mut look = lexer.into_look();
    if let Err(Unsure) = result {
        let tokens = tokens(source.as_bytes());
        if tokens > MAX_UNSURE {
            return None;
        }
        let depth = tokens.max(look.depth);
        look = Look {
            depth,
            outline_depth: depth,
            quiet: Vec::new(),
        };
    }
    (look.depth <= limit).then_some(look)
}

/// The text cannot be lexed with certainty.
pub(crate) struct Unsure;

/// At least the number of tokens.
fn tokens(source: &[u8]) -> usize {
    let mut count = 0;
    let mut in_word = false;
    for &byte in source {
        let word = is_word(byte);
        let continues = word && in_word;
        if !byte.is_ascii_whitespace() && !continues {
            count += 1;
        }
        in_word = word;
    }
    count
}

/// The bytes that may be part of a name. A table, as every byte of every script is looked up.
static WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0;
    while byte < word.len() {
        let ascii = byte as u8;
        word[byte] = ascii.is_ascii_alphanumeric() || matches!(ascii, b'_' | b'$' | 0x80..);
        byte += 1;
    }
    word
};

fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use super::look;

    fn depth(source: &str, limit: usize) -> Option<usize> {
        look(source, limit).map(|look| look.depth)
    }

    #[track_caller]
    fn check(source: &str, at_least: usize, at_most: usize) {
        let found = depth(source, 1_000_000).unwrap_or(usize::MAX);
        assert!(
            (at_least..=at_most).contains(&found),
            "{found} for {:.60}",
            source
        );
    }

    #[test]
    fn ordinary_code_is_shallow() {
        check("", 0, 1);
        check("let a = 1; let b = 2; f(a, b);", 1, 6);
        check(&"function f(a) { return a / 2; }\n".repeat(100), 1, 410);
        check(&"x = [1, 2, 3];".repeat(1000), 1, 8);
        check(&"'(((((';".repeat(1000), 0, 4);
        check(&"/[(/]((/.test(x);".repeat(1000), 0, 8);
        check(&"`((${x}((`;".repeat(1000), 0, 8);
        check(&"// ((((\n/* (((( */".repeat(1000), 0, 4);
        check(&"if (a) /((/.exec(b); c = (d) / 2;".repeat(1000), 1, 10);
        check(&"while (n-->0) f();".repeat(1000), 1, 10);
    }

    #[test]
    fn nesting_is_seen() {
        for unit in [
            "(",
            "[",
            "{",
            "!",
            "a?b:",
            "a=>",
            "a=",
            "new ",
            "`${",
            "if(1)",
            "a+",
            "a.",
            "a()",
            "- ",
            "x:",
            "if(a)b;else ",
            "do ",
            "typeof ",
            "function f(){",
            "class extends ",
            "a**",
        ] {
            check(&unit.repeat(1000), 1000, 10_000);
        }
    }

    #[test]
    fn blocks_and_objects_are_told_apart() {
        check(&"if (a) { b() } /((/.test(c);".repeat(1000), 1, 3010);
        check(&"else { b() } /((/.test(c);".repeat(1000), 1, 3010);
        check(&"x = { y: 1 } / 2; z = '(';".repeat(1000), 1, 20);
        check(&"f = () => { g() }\n/((/.test(c);".repeat(1000), 1, 20);
        check(&format!("return\n{{}}/'/;{}", "(".repeat(1000)), 1000, 3000);
        check(&"for (;;) { g() }\n/((/.test(c);".repeat(1000), 1, 20);
        check(&"function f(a) { g() }/((/.test(c);".repeat(1000), 1, 20);
        check(&"a()\nfunction* f() {}/((/.test(c);".repeat(1000), 1, 20);
        check(&"x = function () {} / 2; z = '(';".repeat(1000), 1, 20);
        check(&"a => function () {} / 2; z = '(';".repeat(1000), 1, 20);
        check(&"export default /((/;".repeat(1000), 1, 20);
        check(&"\\u0061b\\u{63}d / 2; z = '(';".repeat(1000), 1, 20);
        check(&"<!-- '((\n".repeat(1000), 0, 20);
        check(&"a\n--> '((\n".repeat(1000), 0, 1020);
    }

    #[test]
    fn what_the_parser_reads_again_and_again_is_refused() {
        let slow = format!("{}1{};", "(a=(".repeat(100), "))".repeat(100));
        assert!(depth(&slow, 100_000).is_some());
        assert!(depth(&slow.repeat(100_000), 100_000).is_none());
        let usual = "(function () { return (a + b) * (c, d)(e) })();";
        assert!(depth(&usual.repeat(100_000), 100_000).is_some());
    }

    #[test]
    fn depth_cannot_be_hidden_behind_what_only_a_parser_knows() {
        // Each hides openers from a lexer that guesses wrong.
        for trick in [
            "(function(){}/'/;'",
            "x:{}/'/;'",
            "a++/'/;'",
            "<!-- '\n",
            "yield/'/;'",
            "\\u0061in/'/;'",
            "\\u{61}in/'/;'",
            "in\\u0061/'/;'",
            "a=>function(){}/'/;'",
            "x=function(){}/'/;'",
            "x=function*a(){}/'/;'",
            "return function(){}/'/;'",
            "x={function:1};x=y/'/;'",
            "x={function:(a)/'/};'",
            "(function(){return b}/'/);'",
            "for(;;function(){}/'/);'",
            "x=async function(){}/'/;'",
            "...function(){}/'/;'",
            "a?b:function(){}/'/;'",
            "x=class{a(){}}/'/;'",
            "yield function(){}/'/;'",
            "x=\u{a0}/`/;",
            "x=\u{feff}/`/;",
            "x=\u{3000}\u{200b}/`/;",
            "typeof\u{a0}/`/;",
            "typeof\u{2003}a\u{2003}in\u{2003}/`/;",
            "\u{2028}-->`\n",
            "/*\u{2029}*/-->`\n",
            "a\u{2029}<!--`\n",
            "return\u{2028}{}/`/;",
        ] {
            check(&format!("{trick}{}", "(".repeat(1000)), 1000, 5000);
            check(&format!("{trick}{}", "[')',".repeat(1000)), 1000, 9000);
        }
    }
}
