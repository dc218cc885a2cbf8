//! Members: `x.location`, `x.top`, `window[name]`, `window.eval` and `import.meta.url`.

use oxc_ast::ast::{
    ChainElement, ChainExpression, ComputedMemberExpression, Expression, MemberExpression,
    PrivateFieldExpression, StaticMemberExpression,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::emitted;
use super::visitor::{Rewriter, is_ours};

/// Members whose value may be a window, so that `top` of them may be the window's.
const WINDOWS: [&str; 5] = ["contentWindow", "defaultView", "parent", "self", "window"];

/// A member in any of its three forms.
#[derive(Clone, Copy)]
pub(super) struct Member<'e, 'a> {
    pub(super) span: Span,
    pub(super) object: &'e Expression<'a>,
    /// The name, if it is known: `a.b`, `a["b"]`.
    pub(super) name: Option<&'e str>,
    /// What stands in the brackets, if it has brackets.
    key: Option<&'e Expression<'a>>,
    /// Where the name or the key starts.
    name_start: u32,
    pub(super) optional: bool,
}

/// The member that an expression is.
pub(super) fn member_of<'e, 'a>(it: &'e Expression<'a>) -> Option<Member<'e, 'a>> {
    it.as_member_expression().map(Member::of)
}

/// Whether an expression is `import.meta.url`.
pub(super) fn is_own_url(it: &Expression<'_>) -> bool {
    let member = match it {
        Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
        _ => it.as_member_expression(),
    };
    member.is_some_and(|member| Member::of(member).is_own_url())
}

impl<'e, 'a> Member<'e, 'a> {
    pub(super) fn of(it: &'e MemberExpression<'a>) -> Member<'e, 'a> {
        match it {
            MemberExpression::StaticMemberExpression(it) => Member::of_static(it),
            MemberExpression::ComputedMemberExpression(it) => Member::of_computed(it),
            MemberExpression::PrivateFieldExpression(it) => Member::of_private(it),
        }
    }

    pub(super) fn of_static(it: &'e StaticMemberExpression<'a>) -> Member<'e, 'a> {
        Member {
            span: it.span,
            object: &it.object,
            name: Some(it.property.name.as_str()),
            key: None,
            name_start: it.property.span.start,
            optional: it.optional,
        }
    }

    pub(super) fn of_computed(it: &'e ComputedMemberExpression<'a>) -> Member<'e, 'a> {
        Member {
            span: it.span,
            object: &it.object,
            name: it.static_property_name().map(|name| name.as_str()),
            key: Some(&it.expression),
            name_start: it.expression.span().start,
            optional: it.optional,
        }
    }

    pub(super) fn of_private(it: &'e PrivateFieldExpression<'a>) -> Member<'e, 'a> {
        Member {
            span: it.span,
            object: &it.object,
            name: None,
            key: None,
            name_start: it.field.span.start,
            optional: it.optional,
        }
    }

    /// Whether it is `import.meta.url`.
    fn is_own_url(&self) -> bool {
        self.name == Some("url") && matches!(self.object, Expression::ImportMeta(_))
    }

    /// Whether it may be a property of a window or document: not of `super`, and not ours.
    pub(super) fn may_be_windows(&self) -> bool {
        !matches!(self.object, Expression::Super(_)) && !self.object.is_specific_id(emitted::GLOBAL)
    }
}

/// A function of ours that takes the object's place.
struct Call {
    open: &'static str,
    maybe: &'static str,
}

const LOCATION_OF: Call = Call {
    open: "__varve.locationOf(",
    maybe: "__varve.locationOfMaybe(",
};
const TOP_OF: Call = Call {
    open: "__varve.topOf(",
    maybe: "__varve.topOfMaybe(",
};

impl Rewriter<'_> {
    pub(super) fn enter_chain(&mut self, chain: &ChainExpression<'_>) {
        let mut innermost = u32::MAX;
        let mut link = match &chain.expression {
            ChainElement::CallExpression(call) => {
                if call.optional {
                    innermost = call.span.end;
                }
                Some(&call.callee)
            }
            element => element.as_member_expression().map(|member| {
                if member.optional() {
                    innermost = member.span().end;
                }
                member.object()
            }),
        };
        while let Some(inner) = link {
            let (optional, next) = match inner {
                Expression::CallExpression(call) => (call.optional, &call.callee),
                _ => match inner.as_member_expression() {
                    Some(member) => (member.optional(), member.object()),
                    None => break,
                },
            };
            if optional {
                innermost = inner.span().end;
            }
            link = Some(next);
        }
        self.chains.push((chain.span.start, innermost));
    }

    /// Whether a `?.` stands in the member, so that there may be no value at all.
    pub(super) fn may_short_circuit(&self, member: &Member<'_, '_>) -> bool {
        self.chains
            .last()
            .is_some_and(|(start, from)| *start == member.span.start && member.span.end >= *from)
    }

    /// What a member that is read becomes.
    fn call_for(&self, member: &Member<'_, '_>) -> Option<Call> {
        match member.name {
            Some("location") if member.may_be_windows() => Some(LOCATION_OF),
            Some("top") if self.has_top() && has_window(member) => Some(TOP_OF),
            _ => None,
        }
    }

    /// A member that is read.
    pub(super) fn member(&mut self, member: Member<'_, '_>) {
        if member.is_own_url() {
            self.wrap(&member, emitted::ORIGINAL, |_| ());
            return;
        }
        let Some(call) = self.call_for(&member) else {
            self.member_in_use(member);
            return;
        };
        let open = if self.may_short_circuit(&member) {
            call.maybe
        } else {
            call.open
        };
        self.wrap(&member, open, |rewriter| rewriter.object_of(&member));
    }

    /// The object of a member, without the rest.
    pub(super) fn object_of(&mut self, member: &Member<'_, '_>) {
        self.visit_expression(member.object);
        let rest = Span::new(member.object.span().end, member.span.end);
        self.edits.replace_tokens(rest, "", self.comments);
    }

    /// Puts a call around a member. In the callee of `new` the call's own parentheses would be
    /// taken for the arguments of `new`.
    pub(super) fn wrap(
        &mut self,
        member: &Member<'_, '_>,
        open: &'static str,
        inside: impl FnOnce(&mut Self),
    ) {
        let in_new = self.news.last() == Some(&member.span.start);
        if in_new {
            self.edits.insert(member.span.start, "(");
        }
        self.edits.insert(member.span.start, open);
        inside(self);
        self.edits
            .insert(member.span.end, if in_new { "))" } else { ")" });
    }

    /// A member that is read or called, and stays one.
    pub(super) fn member_in_use(&mut self, member: Member<'_, '_>) {
        if member.name == Some("eval") && self.is_window(member.object) {
            self.visit_expression(member.object);
            self.by_key(&member, "[__varve.key(\"eval\")]");
        } else {
            self.member_in_place(member);
        }
    }

    /// A member that stays one: only its parts are rewritten.
    pub(super) fn member_in_place(&mut self, member: Member<'_, '_>) {
        self.visit_expression(member.object);
        self.keep_short_circuit(&member);
        if let Some(key) = member.key {
            self.visit_key(&member, key);
        }
    }

    /// A window's or document's property by a key of ours.
    pub(super) fn by_key(&mut self, member: &Member<'_, '_>, key: &'static str) {
        let rest = Span::new(member.object.span().end, member.span.end);
        if member.optional {
            self.edits.insert(rest.start, "?.");
        }
        self.edits.replace_tokens(rest, key, self.comments);
    }

    /// `a?.location.href` is undefined if `a` is, and so `__varve.locationOfMaybe(a)?.href`.
    fn keep_short_circuit(&mut self, member: &Member<'_, '_>) {
        let Some(inner) = member_of(member.object) else {
            return;
        };
        let lost = self.call_for(&inner).is_some() && self.may_short_circuit(&inner);
        if !lost || member.optional {
            return;
        }
        let end = member.object.span().end;
        if member.key.is_some() {
            self.edits.insert(end, "?.");
        } else {
            let dot = Span::new(end, member.name_start);
            self.edits.replace_tokens(dot, "?.", self.comments);
        }
    }

    /// `window[key]`.
    fn visit_key(&mut self, member: &Member<'_, '_>, key: &Expression<'_>) {
        let known = key.is_literal() || member.name.is_some() || is_ours(key, "key");
        if known || !self.is_window(member.object) && !self.is_document(member.object) {
            self.visit_expression(key);
        } else if matches!(key, Expression::SequenceExpression(_)) {
            self.enclose("__varve.key((", key, "))");
        } else {
            self.enclose(emitted::KEY, key, ")");
        }
    }

    /// Whether an expression is a window by its name.
    pub(super) fn is_window(&self, expression: &Expression<'_>) -> bool {
        let Expression::Identifier(name) = expression.without_parentheses() else {
            return false;
        };
        let known = match name.name.as_str() {
            "window" | "self" | "globalThis" | "parent" | "frames" => true,
            "top" => self.has_top(),
            _ => false,
        };
        known && self.is_free(&name.name)
    }

    pub(super) fn is_document(&self, expression: &Expression<'_>) -> bool {
        expression.without_parentheses().is_specific_id("document") && self.is_free("document")
    }
}

/// Whether `top` of the member's object may be a window's.
fn has_window(member: &Member<'_, '_>) -> bool {
    match member.object {
        Expression::Identifier(_) => member.may_be_windows(),
        Expression::ThisExpression(_) => true,
        object => member_of(object)
            .and_then(|member| member.name)
            .is_some_and(|name| WINDOWS.contains(&name)),
    }
}
