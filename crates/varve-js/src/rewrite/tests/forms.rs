//! What a source is parsed as.

use super::{Form, check, check_as, rewrite, same};

#[test]
fn an_unknown_form_is_decided() {
    for (source, expected) in [
        ("", Form::Classic),
        ("f()", Form::Classic),
        ("location", Form::Classic),
        ("import('a')", Form::Classic),
        ("async () => await a", Form::Classic),
        ("var await; await (a)", Form::Classic),
        ("'import a from b'", Form::Classic),
        ("import 'a'", Form::Module),
        ("import.meta.url", Form::Module),
        ("export default 1", Form::Module),
        ("await a", Form::Module),
        ("for await (const a of b) ;", Form::Module),
        ("with (a) b; 010; location", Form::Classic),
        ("<!-- a\nlocation", Form::Classic),
        ("a b location", Form::Classic),
    ] {
        assert_eq!(rewrite(source, Form::Unknown).form, expected, "{source}");
    }
    check_as(
        Form::Unknown,
        "var location; location",
        "var location; __varve.location",
    );
    check_as(
        Form::Unknown,
        "var top; top; export {}",
        "var top; top; export {}",
    );
    check_as(
        Form::Unknown,
        "await import(a)",
        "await import(__varve.importing(a,import.meta.url))",
    );
}

#[test]
fn what_only_old_scripts_have_is_read() {
    check(&[
        (
            "<!-- location\nlocation\n//-->",
            "<!-- location\n__varve.location\n//-->",
        ),
        (
            "location\n--> location\ntop",
            "__varve.location\n--> location\n__varve.top",
        ),
        (
            "#!/usr/bin/env node\nlocation",
            "#!/usr/bin/env node\n__varve.location",
        ),
        ("'use strict'\nlocation", "'use strict'\n__varve.location"),
        ("'use strict';location", "'use strict';__varve.location"),
        (
            "function f() { 'use strict'; return top }",
            "function f() { 'use strict'; return __varve.top }",
        ),
        ("x = 010 + 08; location", "x = 010 + 08; __varve.location"),
        ("'\\07'; location", "'\\07'; __varve.location"),
        (
            "var yield, await, let, async; location",
            "var yield, await, let, async; __varve.location",
        ),
        ("await(location)", "await(__varve.location)"),
        ("\u{feff}location", "\u{feff}__varve.location"),
        ("'\u{2028}é'; location", "'\u{2028}é'; __varve.location"),
        (
            "é = location; 漢 = x.location",
            "é = __varve.location; 漢 = __varve.locationOf(x)",
        ),
        ("arguments.location", "__varve.locationOf(arguments)"),
        (
            "if (a) function f() {} location",
            "if (a) function f() {} __varve.location",
        ),
        (
            "for (var i = 0 in location) ;",
            "for (var i = 0 in __varve.location) ;",
        ),
        ("x = <!--a\nlocation", "x = <!--a\n__varve.location"),
    ]);
    same(&["//# sourceMappingURL=location.map", "a < b > c; x = /top/g"]);
}

#[test]
fn the_source_map_comment_stays() {
    check(&[(
        "location\n//# sourceMappingURL=a.js.map",
        "__varve.location\n//# sourceMappingURL=a.js.map",
    )]);
}
