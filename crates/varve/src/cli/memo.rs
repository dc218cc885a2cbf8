//! The words of `varve memo`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct MemoArgs {
    #[command(subcommand)]
    pub(crate) command: MemoCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoCommand {
    /// Name the sites that something is known of
    Ls(MemoLsArgs),
    /// Tell what is known of a site
    Show(MemoShowArgs),
    /// Forget a site, or all of them; the next crawl learns again
    Clear(MemoClearArgs),
}

#[derive(Debug, Args)]
pub(crate) struct MemoLsArgs {
    /// The collection
    #[arg(value_name = "DIR")]
    pub(crate) collection: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct MemoShowArgs {
    /// The collection
    #[arg(value_name = "DIR")]
    pub(crate) collection: PathBuf,
    /// The site, such as https://example.org
    pub(crate) site: String,
}

#[derive(Debug, Args)]
pub(crate) struct MemoClearArgs {
    /// The collection
    #[arg(value_name = "DIR")]
    pub(crate) collection: PathBuf,
    /// The site, such as https://example.org; all of them without
    pub(crate) site: Option<String>,
}
