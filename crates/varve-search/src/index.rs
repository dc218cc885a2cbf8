//! The index: pages in, pages out.

use crate::error::SearchError;
use crate::query::query;
use crate::words::{WORDS, analyzer};
use std::collections::BTreeSet;
use std::path::Path;
use tantivy::collector::{Count, TopDocs};
use tantivy::directory::MmapDirectory;
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};

/// Memory for pages that are being added; the least that the engine takes.
const WRITER_BYTES: usize = 15 << 20;
/// Most pages of one answer.
const MAX_HITS: usize = 10_000;

/// A page and the words on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageText {
    /// Its URL.
    pub url: String,
    /// When it was captured, in digits.
    pub time: String,
    /// Its title.
    pub title: String,
    /// What can be read on it.
    pub text: String,
}

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageHit {
    /// Its URL.
    pub url: String,
    /// When it was captured, in digits.
    pub time: String,
    /// Its title.
    pub title: String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPages {
    /// The best of it, best first.
    pub hits: Vec<PageHit>,
    /// How many pages there are.
    pub total: usize,
}

/// Which words stand on which pages.
pub struct WordIndex {
    index: Index,
    reader: IndexReader,
    fields: Fields,
}

/// What is kept of a page.
#[derive(Clone, Copy)]
struct Fields {
    url: Field,
    time: Field,
    title: Field,
    text: Field,
    layer: Field,
}

impl WordIndex {
    /// Opens the index in a directory, which is made if it is not there. An index that cannot be
    /// read, or that was made by another version, is made anew.
    pub fn open(dir: &Path) -> Result<WordIndex, SearchError> {
        match WordIndex::try_open(dir) {
            Err(SearchError::Engine(_)) => {
                std::fs::remove_dir_all(dir).map_err(failed(dir))?;
                WordIndex::try_open(dir)
            }
            opened => opened,
        }
    }

    fn try_open(dir: &Path) -> Result<WordIndex, SearchError> {
        std::fs::create_dir_all(dir).map_err(failed(dir))?;
        let (schema, fields) = schema();
        let directory = MmapDirectory::open(dir).map_err(tantivy::TantivyError::from)?;
        let index = Index::open_or_create(directory, schema)?;
        index.tokenizers().register(WORDS, analyzer());
        let reader = index.reader_builder();
        let reader = reader.reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(WordIndex {
            index,
            reader,
            fields,
        })
    }

    /// The layers whose pages are in it, each as a whole.
    pub fn layers(&self) -> Result<BTreeSet<String>, SearchError> {
        let said = self.index.load_metas()?.payload.unwrap_or_default();
        Ok(said.lines().map(str::to_owned).collect())
    }

    /// Adds the pages of a layer: all of them, or, if that is interrupted, none.
    pub fn add_layer(
        &self,
        layer: &str,
        pages: impl IntoIterator<Item = PageText>,
    ) -> Result<(), SearchError> {
        let mut writer = self.writer()?;
        let fields = self.fields;
        for page in pages {
            let mut document = TantivyDocument::default();
            document.add_text(fields.url, &page.url);
            document.add_text(fields.time, &page.time);
            document.add_text(fields.title, &page.title);
            document.add_text(fields.text, &page.text);
            document.add_text(fields.layer, layer);
            writer.add_document(document)?;
        }
        let mut layers = self.layers()?;
        layers.insert(layer.to_owned());
        self.commit(&mut writer, &layers)
    }

    /// Takes the pages of a layer out.
    pub fn remove_layer(&self, layer: &str) -> Result<(), SearchError> {
        let mut writer = self.writer()?;
        writer.delete_term(Term::from_field_text(self.fields.layer, layer));
        let mut layers = self.layers()?;
        layers.remove(layer);
        self.commit(&mut writer, &layers)
    }

    /// The pages with all these words, the best first.
    pub fn find(&self, words: &str, limit: usize) -> Result<FoundPages, SearchError> {
        let Some(query) = query(words, self.fields.title, self.fields.text) else {
            return Ok(FoundPages::default());
        };
        let searcher = self.reader.searcher();
        let best = TopDocs::with_limit(limit.clamp(1, MAX_HITS)).order_by_score();
        let (best, total) = searcher.search(&query, &(best, Count))?;
        let mut hits = Vec::with_capacity(best.len());
        for (_, place) in best {
            let document: TantivyDocument = searcher.doc(place)?;
            let text = |field| {
                let value = document.get_first(field).and_then(|value| value.as_str());
                value.unwrap_or_default().to_owned()
            };
            hits.push(PageHit {
                url: text(self.fields.url),
                time: text(self.fields.time),
                title: text(self.fields.title),
            });
        }
        Ok(FoundPages { hits, total })
    }

    /// Sees what other processes have added.
    pub fn refresh(&self) -> Result<(), SearchError> {
        Ok(self.reader.reload()?)
    }

    fn writer(&self) -> Result<IndexWriter, SearchError> {
        Ok(self.index.writer_with_num_threads(1, WRITER_BYTES)?)
    }

    fn commit(
        &self,
        writer: &mut IndexWriter,
        layers: &BTreeSet<String>,
    ) -> Result<(), SearchError> {
        let mut commit = writer.prepare_commit()?;
        let layers: Vec<_> = layers.iter().map(String::as_str).collect();
        commit.set_payload(&layers.join("\n"));
        commit.commit()?;
        self.refresh()
    }
}

fn failed(dir: &Path) -> impl Fn(std::io::Error) -> SearchError + use<'_> {
    |error| SearchError::Directory {
        dir: dir.to_owned(),
        error,
    }
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let words = TextFieldIndexing::default()
        .set_tokenizer(WORDS)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = TextOptions::default().set_indexing_options(words);
    let fields = Fields {
        url: schema.add_text_field("url", STORED),
        time: schema.add_text_field("time", STORED),
        title: schema.add_text_field("title", words.clone().set_stored()),
        text: schema.add_text_field("text", words),
        layer: schema.add_text_field("layer", STRING),
    };
    (schema.build(), fields)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn page(url: &str, title: &str, text: &str) -> PageText {
        PageText {
            url: url.to_owned(),
            time: "20260101000000".to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
        }
    }

    fn garden() -> (TempDir, WordIndex) {
        let dir = TempDir::new().unwrap();
        let index = WordIndex::open(dir.path()).unwrap();
        let pages = [
            page("http://g/ferns", "Ferns", "Ferns like shade and water."),
            page("http://g/roses", "Roses", "Roses like sun. Ferns do not."),
            page("http://g/tokyo", "東京", "東京タワーの庭"),
        ];
        index.add_layer("one", pages).unwrap();
        (dir, index)
    }

    #[track_caller]
    fn check(index: &WordIndex, words: &str, expected: &[&str]) {
        let found = index.find(words, 10).unwrap();
        let urls: Vec<_> = found.hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(urls, expected, "{words}");
        assert_eq!(found.total, expected.len());
    }

    #[test]
    fn pages_are_found_by_their_words() {
        let (_dir, index) = garden();
        check(&index, "FERNS", &["http://g/ferns", "http://g/roses"]);
        check(&index, "ferns sun", &["http://g/roses"]);
        check(&index, "ferns -sun", &["http://g/ferns"]);
        check(&index, "\"like shade\"", &["http://g/ferns"]);
        check(&index, "\"like water\"", &[]);
        check(&index, "京タ", &["http://g/tokyo"]);
        check(&index, "nothing", &[]);
        check(&index, "-ferns", &[]);
        check(&index, "", &[]);
    }

    #[test]
    fn layers_come_and_go_as_a_whole() {
        let (dir, index) = garden();
        index
            .add_layer(
                "two",
                [page("http://g/moss", "Moss", "Moss likes shade, too.")],
            )
            .unwrap();
        assert_eq!(Vec::from_iter(index.layers().unwrap()), ["one", "two"]);
        drop(index);
        let index = WordIndex::open(dir.path()).unwrap();
        check(&index, "shade", &["http://g/moss", "http://g/ferns"]);
        index.remove_layer("one").unwrap();
        check(&index, "shade", &["http://g/moss"]);
        assert_eq!(Vec::from_iter(index.layers().unwrap()), ["two"]);
    }

    #[test]
    fn an_index_that_is_damaged_is_made_anew() {
        let (dir, index) = garden();
        drop(index);
        std::fs::write(dir.path().join("meta.json"), "{").unwrap();
        let index = WordIndex::open(dir.path()).unwrap();
        assert!(index.layers().unwrap().is_empty());
        check(&index, "ferns", &[]);
    }

    #[test]
    fn one_process_at_a_time_adds_pages() {
        let (_dir, index) = garden();
        let _writer = index.writer().unwrap();
        let busy = index.add_layer("two", []);
        assert!(matches!(busy, Err(SearchError::Busy)), "{busy:?}");
    }
}
