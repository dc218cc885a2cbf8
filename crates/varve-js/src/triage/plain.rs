//! The words of the language and the platform that are harmless, and those that are so if what
//! they are given is.

/// Names of the language, and of the global object itself: reading them tells nothing.
pub(super) fn is_language(name: &str) -> bool {
    is_plain_class(name)
        || is_plain_function(name)
        || crate::names::is_window(name)
        || matches!(
            name,
            "Atomics"
                | "Function"
                | "Infinity"
                | "Intl"
                | "JSON"
                | "Math"
                | "NaN"
                | "Proxy"
                | "Reflect"
                | "WebAssembly"
                | "arguments"
                | "document"
                | "eval"
                | "undefined"
        )
}

/// Globals whose functions are known by their names.
pub(super) fn is_platform(name: &str) -> bool {
    matches!(
        name,
        "Array"
            | "BigInt"
            | "Boolean"
            | "CSS"
            | "Date"
            | "Infinity"
            | "Intl"
            | "JSON"
            | "Math"
            | "NaN"
            | "Number"
            | "Object"
            | "Promise"
            | "RegExp"
            | "String"
            | "Symbol"
            | "URL"
            | "console"
            | "document"
            | "history"
            | "location"
            | "navigator"
            | "performance"
            | "screen"
            | "undefined"
    )
}

/// Functions that do nothing but return something.
pub(super) fn is_plain_function(name: &str) -> bool {
    matches!(
        name,
        "Array"
            | "BigInt"
            | "Boolean"
            | "Date"
            | "Error"
            | "Number"
            | "Object"
            | "RegExp"
            | "String"
            | "Symbol"
            | "atob"
            | "btoa"
            | "cancelAnimationFrame"
            | "clearInterval"
            | "clearTimeout"
            | "decodeURI"
            | "decodeURIComponent"
            | "encodeURI"
            | "encodeURIComponent"
            | "escape"
            | "getComputedStyle"
            | "isFinite"
            | "isNaN"
            | "matchMedia"
            | "parseFloat"
            | "parseInt"
            | "unescape"
    )
}

/// Functions that call what they are given.
pub(super) fn is_calling_function(name: &str) -> bool {
    matches!(
        name,
        "addEventListener"
            | "queueMicrotask"
            | "removeEventListener"
            | "requestAnimationFrame"
            | "requestIdleCallback"
            | "setInterval"
            | "setTimeout"
    )
}

/// Classes that only hold something.
pub(super) fn is_plain_class(name: &str) -> bool {
    matches!(
        name,
        "AbortController"
            | "AggregateError"
            | "Array"
            | "ArrayBuffer"
            | "BigInt64Array"
            | "BigUint64Array"
            | "Boolean"
            | "DataView"
            | "Date"
            | "Error"
            | "EvalError"
            | "Float32Array"
            | "Float64Array"
            | "Int16Array"
            | "Int32Array"
            | "Int8Array"
            | "Map"
            | "Number"
            | "Object"
            | "RangeError"
            | "ReferenceError"
            | "RegExp"
            | "Set"
            | "String"
            | "SyntaxError"
            | "TextDecoder"
            | "TextEncoder"
            | "TypeError"
            | "URIError"
            | "URL"
            | "URLSearchParams"
            | "Uint16Array"
            | "Uint32Array"
            | "Uint8Array"
            | "Uint8ClampedArray"
            | "WeakMap"
            | "WeakRef"
            | "WeakSet"
    )
}

/// Classes that call what they are given.
pub(super) fn is_calling_class(name: &str) -> bool {
    matches!(
        name,
        "IntersectionObserver"
            | "MutationObserver"
            | "PerformanceObserver"
            | "Promise"
            | "ResizeObserver"
    )
}

/// Methods of the platform and of plain values that change nothing.
pub(super) fn only_reads(name: &str) -> bool {
    makes_value(name)
        || matches!(
            name,
            "abs"
                | "at"
                | "catch"
                | "ceil"
                | "closest"
                | "contains"
                | "cos"
                | "debug"
                | "entries"
                | "error"
                | "every"
                | "exec"
                | "finally"
                | "find"
                | "findIndex"
                | "floor"
                | "forEach"
                | "get"
                | "getAttribute"
                | "getBoundingClientRect"
                | "getElementById"
                | "getElementsByClassName"
                | "getElementsByName"
                | "getElementsByTagName"
                | "getTime"
                | "getTimezoneOffset"
                | "has"
                | "hasAttribute"
                | "hasOwn"
                | "hasOwnProperty"
                | "info"
                | "isArray"
                | "isInteger"
                | "isPrototypeOf"
                | "javaEnabled"
                | "log"
                | "matches"
                | "max"
                | "min"
                | "now"
                | "observe"
                | "parse"
                | "pow"
                | "preventDefault"
                | "querySelector"
                | "querySelectorAll"
                | "random"
                | "reduce"
                | "resolve"
                | "round"
                | "sin"
                | "some"
                | "sqrt"
                | "stopPropagation"
                | "supports"
                | "test"
                | "then"
                | "trunc"
                | "valueOf"
                | "values"
                | "warn"
                | "addEventListener"
                | "removeEventListener"
        )
}

/// Those of them that return something new.
pub(super) fn makes_value(name: &str) -> bool {
    matches!(
        name,
        "charAt"
            | "charCodeAt"
            | "codePointAt"
            | "concat"
            | "endsWith"
            | "filter"
            | "flat"
            | "flatMap"
            | "from"
            | "includes"
            | "indexOf"
            | "join"
            | "keys"
            | "lastIndexOf"
            | "localeCompare"
            | "map"
            | "match"
            | "matchAll"
            | "of"
            | "padEnd"
            | "padStart"
            | "repeat"
            | "search"
            | "slice"
            | "split"
            | "startsWith"
            | "stringify"
            | "substr"
            | "substring"
            | "toFixed"
            | "toISOString"
            | "toLowerCase"
            | "toString"
            | "toUpperCase"
            | "trim"
            | "trimEnd"
            | "trimStart"
    )
}

/// Methods that change what they are called on.
pub(super) fn changes_own(name: &str) -> bool {
    matches!(
        name,
        "add"
            | "clear"
            | "delete"
            | "fill"
            | "pop"
            | "push"
            | "reverse"
            | "set"
            | "shift"
            | "sort"
            | "splice"
            | "unshift"
    )
}

/// Those that call what they are given.
pub(super) fn calls_given(name: &str) -> bool {
    matches!(
        name,
        "addEventListener"
            | "catch"
            | "every"
            | "filter"
            | "finally"
            | "find"
            | "findIndex"
            | "flatMap"
            | "forEach"
            | "from"
            | "map"
            | "reduce"
            | "some"
            | "sort"
            | "stringify"
            | "then"
    )
}
