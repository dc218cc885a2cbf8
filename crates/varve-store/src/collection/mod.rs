//! A collection: a directory of sealed layers, named in order by a manifest.
//!
//! Writers make a layer in `state/` and seal it; readers keep the manifest they opened. What a
//! dead process left in `state/` is recovered by whoever opens the collection next.

mod altered;
mod aside;
mod attachment;
mod copy;
mod datapackage;
mod dedupe;
mod draft;
mod exchange;
mod group;
mod import;
mod journal;
pub(crate) mod layout;
pub(crate) mod lock;
mod manifest;
mod needed;
mod not_modified;
mod open_layer;
mod packing;
mod pages;
mod parted;
mod pictures;
mod recoding;
mod record;
mod recorder;
mod recover;
mod remake;
mod repack;
mod replacing;
mod request;
mod revisit;
pub(crate) mod seal;
mod uncoded;
mod whole;

pub use altered::{Altered, Revisited, Stubs, head_for, packs_below};
pub use attachment::{Attachment, AttachmentKind};
pub use datapackage::{DATAPACKAGE, Datapackage, LayerFacts, Resource, Source, hash_file};
pub use draft::Draft;
pub use exchange::{Exchange, Known, Message, Original, Truncation};
pub use group::SharedRecorder;
pub(crate) use import::is_zip;
pub use import::{FoundFault, ImportObserver, Imported, Importer};
pub use manifest::{LayerEntry, MANIFEST, Manifest};
pub use needed::Needed;
pub use not_modified::NotModified;
pub use packing::Packing;
pub use pages::PageLines;
pub(crate) use parted::ORIGINAL_FIELD;
pub use parted::{Part, Parted, Parts, PartsKey, Shelf, WholeDigest};
pub use record::StoredRecord;
pub use recorder::{RecordOptions, Recorder};
pub use recover::Recovered;
pub use remake::{Content, Remaking};
pub use revisit::{RefersTo, is_revisit};
pub use uncoded::{Coded, without_codings};

use crate::fs::Fs;
use crate::index::{Hit, LayerIndex, MergedIndex};
use crate::warc::Wanted;
use crate::world::World;
use crate::{Result, StoreError};
use layout::{ARCHIVE, INDEXES, Layout};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open collection, as its manifest was when it was opened.
pub struct Collection {
    pub(crate) fs: Fs,
    pub(crate) layout: Layout,
    pub(crate) world: Arc<dyn World>,
    manifest: Manifest,
    recovered: Vec<Recovered>,
    unrecovered: Option<StoreError>,
}

impl Collection {
    /// Opens the collection at `root`, recovering what a dead process left behind.
    pub fn open(fs: Fs, root: &Path, world: Arc<dyn World>) -> Result<Collection> {
        let layout = Layout::new(root.to_owned());
        // Not a collection: say so before touching anything.
        Manifest::load(fs.as_ref(), root)?;
        let (recovered, unrecovered) = match recover::recover_all(&fs, &layout, world.as_ref()) {
            Ok(recovered) => (recovered, None),
            Err(error) if cannot_write(&error) => (Vec::new(), Some(error)),
            Err(error) => return Err(error),
        };
        let manifest = Manifest::load(fs.as_ref(), root)?;
        Ok(Collection {
            fs,
            layout,
            world,
            manifest,
            recovered,
            unrecovered,
        })
    }

    /// Opens the collection at `root`, or makes an empty one there.
    pub fn open_or_create(fs: Fs, root: &Path, world: Arc<dyn World>) -> Result<Collection> {
        let manifest = Manifest::path(root);
        if fs
            .kind(&manifest)
            .map_err(StoreError::io(&manifest, "look at"))?
            .is_none()
        {
            create(&fs, root, world.as_ref())?;
        }
        Collection::open(fs, root, world)
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        self.layout.root()
    }

    /// The layers, oldest first.
    pub fn layers(&self) -> &[LayerEntry] {
        &self.manifest.layers
    }

    /// What opening had to recover.
    pub fn recovered(&self) -> &[Recovered] {
        &self.recovered
    }

    /// Why what a dead process left behind could not be recovered: it waits until the disk has
    /// room or can be written to, and until then it is not part of the collection.
    pub fn unrecovered(&self) -> Option<&StoreError> {
        self.unrecovered.as_ref()
    }

    /// The directory of a layer.
    pub fn layer_dir(&self, layer: usize) -> PathBuf {
        self.layout.layer(&self.manifest.layers[layer].id)
    }

    /// The index over all layers; a hit's layer is its position in [`Self::layers`].
    pub fn index(&self) -> Result<MergedIndex> {
        let mut indexes = Vec::with_capacity(self.layers().len());
        for layer in 0..self.layers().len() {
            let dir = self.layer_dir(layer).join(INDEXES);
            indexes.push((layer, LayerIndex::open(&self.fs, &dir)?));
        }
        Ok(MergedIndex::new(indexes))
    }

    /// Starts recording a new layer.
    pub fn record(&self, options: RecordOptions) -> Result<Recorder> {
        Recorder::create(
            &self.fs,
            &self.layout,
            self.world.clone(),
            self.index()?,
            options,
        )
    }

    /// Starts importing files into a new layer.
    pub fn import(&self) -> Result<Importer> {
        let mut known = Vec::new();
        for layer in 0..self.layers().len() {
            let facts = Datapackage::load(self.fs.as_ref(), &self.layer_dir(layer))?.varve;
            known.extend(facts.unwrap_or_default().sources);
        }
        Ok(Importer::new(
            &self.fs,
            &self.layout,
            self.world.clone(),
            known,
        ))
    }

    /// Opens the record of a capture.
    pub fn read(&self, hit: &Hit) -> Result<StoredRecord> {
        let path = self
            .layer_dir(hit.layer)
            .join(ARCHIVE)
            .join(&hit.capture.filename);
        let capture = &hit.capture;
        let wanted = Wanted::Whole(capture.length);
        StoredRecord::open(self.fs.as_ref(), &path, capture.offset, wanted)
    }

    /// The request that a capture answers, where its record follows that of the response, as most
    /// tools write them. `None` if another record follows, or none that can be read.
    pub fn request_of(&self, hit: &Hit) -> Option<StoredRecord> {
        let Hit { layer, capture } = hit;
        let path = self.layer_dir(*layer).join(ARCHIVE).join(&capture.filename);
        request::following(self.fs.as_ref(), &path, capture)
    }

    /// The capture that holds the payload of `hit`: itself, unless it is a revisit.
    pub fn payload_of(&self, index: &MergedIndex, hit: &Hit) -> Result<Option<Hit>> {
        if !is_revisit(&hit.capture) {
            return Ok(Some(hit.clone()));
        }
        revisit::resolve(index, hit, |revisit| Ok(self.read(revisit)?.refers_to()))
    }
}

fn create(fs: &Fs, root: &Path, world: &dyn World) -> Result<()> {
    let layout = Layout::new(root.to_owned());
    for dir in [layout.layers(), layout.state()] {
        fs.create_dir_all(&dir)
            .map_err(StoreError::io(&dir, "create"))?;
    }
    let _lock = lock::collection(fs.as_ref(), &layout)?;
    open_layer::sync_dir(fs.as_ref(), root)?;
    if let Some(parent) = root.parent() {
        open_layer::sync_dir(fs.as_ref(), parent)?;
    }
    let path = Manifest::path(root);
    if fs
        .kind(&path)
        .map_err(StoreError::io(&path, "look at"))?
        .is_none()
    {
        Manifest::new(world.now().to_seconds().w3c()).store(fs.as_ref(), root)?;
    }
    Ok(())
}

/// On a full disk or read-only media nothing can be recovered, but all that is sealed can be read.
fn cannot_write(error: &StoreError) -> bool {
    let refused = [
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::ReadOnlyFilesystem,
    ];
    let read_only =
        matches!(error, StoreError::Io { error, .. } if refused.contains(&error.kind()));
    read_only || error.is_disk_full()
}
