//! Reading a page: its title, text, links and frames, and what it sees of its visitor.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use url::Url;

use super::page::Page;
use super::world::World;
use super::{Frame, Link, clip};
use crate::as_seen::ClientAsSeen;
use crate::cdp::{CdpError, Session};

const READ: &str = include_str!("scripts/read.js");
const CLIENT: &str = include_str!("scripts/client.js");
/// Limits: frames of a page, links and bytes of text of all of them.
const MAX_FRAMES: usize = 100;
const MAX_LINKS: usize = 20_000;
const MAX_TEXT: usize = 4 << 20;
/// How long one frame other than the page itself may take.
const FRAME_PATIENCE: Duration = Duration::from_secs(2);

/// What a page says.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) links: Vec<Link>,
    pub(super) frames: Vec<Frame>,
    pub(super) client: ClientAsSeen,
    /// Frames that did not answer.
    pub(super) silent_frames: usize,
}

/// What `read.js` returns.
#[derive(Deserialize)]
struct Read {
    title: String,
    text: String,
    links: Vec<(String, String, String)>,
}

/// Reads a page and its frames. An error means that the page itself does not answer.
pub(super) async fn read(page: &Page, by: Instant) -> Result<Reading, CdpError> {
    let mut reading = Reading::default();
    let main = read_frame(&page.session, &page.frame, &reading, by).await?;
    reading.title = clip(&main.title, 4096);
    // Whoever cannot be asked for all of it is known by the other pages of the crawl.
    reading.client = read_client(page, by).await.unwrap_or_default();
    for (number, (_, session)) in page.watch.frame_sessions().into_iter().enumerate() {
        let frames = frames_of(&session, by).await;
        for frame in frames {
            if reading.frames.len() >= MAX_FRAMES {
                break;
            }
            if number == 0 && frame.id == page.frame {
                reading.frames.push(frame);
                continue;
            }
            reading.add_frame(&session, frame, by).await;
        }
    }
    reading.add(main, 0);
    Ok(reading)
}

impl Reading {
    async fn add_frame(&mut self, session: &Session, frame: Frame, by: Instant) {
        let index = self.frames.len();
        let by = by.min(Instant::now() + FRAME_PATIENCE);
        let read = read_frame(session, &frame.id, self, by).await;
        self.frames.push(frame);
        match read {
            Ok(read) => self.add(read, index),
            Err(_) => self.silent_frames += 1,
        }
    }

    /// Adds what a frame says; what the page itself says comes first.
    fn add(&mut self, read: Read, frame: usize) {
        let links = read.links.into_iter().filter_map(|(url, text, rel)| {
            Some(Link {
                url: Url::parse(&url).ok()?,
                text,
                rel,
                frame,
            })
        });
        match frame {
            0 => {
                self.links.splice(0..0, links);
                let frames = std::mem::replace(&mut self.text, read.text);
                self.append(&frames);
            }
            _ => {
                self.links.extend(links);
                self.append(&read.text);
            }
        }
    }

    fn append(&mut self, text: &str) {
        if !text.is_empty() && self.text.len() < MAX_TEXT {
            self.text.push('\n');
            self.text.push_str(text);
        }
    }
}

async fn read_frame(
    session: &Session,
    frame: &str,
    so_far: &Reading,
    by: Instant,
) -> Result<Read, CdpError> {
    let limits = json!({
        "maxLinks": MAX_LINKS.saturating_sub(so_far.links.len()),
        "maxText": MAX_TEXT.saturating_sub(so_far.text.len()),
    });
    let world = World::enter(session, frame, by).await?;
    world.run(READ, limits, by).await
}

/// What the page's own scripts can see of the visitor.
async fn read_client(page: &Page, by: Instant) -> Result<ClientAsSeen, CdpError> {
    let by = by.min(Instant::now() + FRAME_PATIENCE);
    let world = World::enter(&page.session, &page.frame, by).await?;
    world.run(CLIENT, json!({}), by).await
}

/// The frames that live in a session's process, outer ones first.
async fn frames_of(session: &Session, by: Instant) -> Vec<Frame> {
    let by = by.min(Instant::now() + FRAME_PATIENCE);
    let tree = session
        .call::<FrameTree>("Page.getFrameTree", json!({}), by)
        .await;
    let mut frames = Vec::new();
    if let Ok(tree) = tree {
        tree.frame_tree.flatten(&mut frames);
    }
    frames
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameTree {
    frame_tree: Branch,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Branch {
    frame: Node,
    #[serde(default)]
    child_frames: Vec<Branch>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    id: String,
    parent_id: Option<String>,
    url: String,
}

impl Branch {
    fn flatten(self, frames: &mut Vec<Frame>) {
        let Node { id, parent_id, url } = self.frame;
        frames.push(Frame {
            id,
            parent: parent_id,
            url: super::log::clip_url(&url),
        });
        for branch in self.child_frames {
            branch.flatten(frames);
        }
    }
}
