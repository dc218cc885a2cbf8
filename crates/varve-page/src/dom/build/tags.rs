//! The tags of a document as html5ever finds them, for comparison.

use std::cell::RefCell;

use html5ever::interface::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

use super::{Handle, Sink};

/// The names of all start tags and, after a `/`, of all end tags.
pub(crate) fn tags(text: &str) -> Vec<String> {
    let options = TreeBuilderOpts {
        scripting_enabled: true,
        ..TreeBuilderOpts::default()
    };
    let watch = Watch {
        builder: TreeBuilder::new(Sink::default(), options),
        tags: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(watch, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(text));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.tags.into_inner()
}

struct Watch {
    builder: TreeBuilder<Handle, Sink>,
    tags: RefCell<Vec<String>>,
}

impl TokenSink for Watch {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::TagToken(tag) = &token {
            let sign = if tag.kind == TagKind::EndTag { "/" } else { "" };
            self.tags.borrow_mut().push(format!("{sign}{}", tag.name));
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}
