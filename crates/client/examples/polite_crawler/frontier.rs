//! The URLs of the crawl: in memory, and in a journal from which the next run goes on.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::io::{Error, Read as _, Result, Write as _};
use std::{fs::File, path::Path};

use url::Url;

#[derive(Default)]
pub(crate) struct Frontier {
    seen: HashSet<Url>,
    /// The URLs to fetch, by host. The first one may be under way.
    pub(crate) hosts: HashMap<String, VecDeque<Url>>,
    /// Hosts with URLs, none of which is under way.
    ready: VecDeque<String>,
    /// Has a line for each URL that is met and for each that is done: the URL and a word.
    journal: Option<File>,
}

impl Frontier {
    /// Continues the crawl whose journal is in a folder.
    pub(crate) fn open(folder: &Path) -> Result<Frontier> {
        let mut options = File::options();
        let options = options.read(true).append(true).create(true);
        let mut journal = options.open(folder.join("urls"))?;
        let (mut this, mut text) = (Frontier::default(), String::new());
        journal.read_to_string(&mut text)?;
        // The last word about each URL counts. If a line was cut when the last run was killed, its
        // word is unknown, and the URL is still to be fetched.
        let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
        for (url, word) in lines.collect::<BTreeMap<_, _>>() {
            let unreadable = |why| Error::other(format!("{url:?} in the journal: {why}"));
            let url = Url::parse(url).map_err(unreadable)?;
            if matches!(word, "fetched" | "disallowed" | "failed") {
                this.hosts.entry(host(&url)).or_default();
                this.seen.insert(url);
            } else {
                this.begin_with(url)?;
            }
        }
        journal.write_all(b"\n")?;
        this.journal = Some(journal);
        Ok(this)
    }

    /// Adds a page or a sitemap whose host is to be crawled.
    pub(crate) fn begin_with(&mut self, url: Url) -> Result<()> {
        self.hosts.entry(host(&url)).or_default();
        self.add(url)
    }

    /// Adds a link, unless it leads to another host or was met before.
    pub(crate) fn add(&mut self, mut url: Url) -> Result<()> {
        url.set_fragment(None);
        let is_web = matches!(url.scheme(), "http" | "https");
        let urls = self.hosts.get_mut(&host(&url)).filter(|_| is_web);
        let Some(urls) = urls else { return Ok(()) };
        if self.seen.len() < MOST_URLS && self.seen.insert(url.clone()) {
            if urls.is_empty() {
                self.ready.push_back(host(&url));
            }
            urls.push_back(url.clone());
            self.write(&url, "met")?;
        }
        Ok(())
    }

    /// The next URL, of a host that has none under way.
    pub(crate) fn next(&mut self) -> Option<Url> {
        let host = self.ready.pop_front()?;
        self.hosts.get(&host)?.front().cloned()
    }

    /// Ends the URL that is under way on a host.
    pub(crate) fn end(&mut self, url: &Url, fate: &str) -> Result<()> {
        let urls = self.hosts.entry(host(url)).or_default();
        urls.pop_front();
        if !urls.is_empty() {
            self.ready.push_back(host(url));
        }
        self.write(url, fate)
    }

    fn write(&mut self, url: &Url, word: &str) -> Result<()> {
        let line = format!("{url} {word}\n");
        let journal = self.journal.as_mut();
        journal.map_or(Ok(()), |journal| journal.write_all(line.as_bytes()))
    }
}

fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_string()
}

/// The most URLs of a crawl, as some sites have no end.
const MOST_URLS: usize = 100_000;
