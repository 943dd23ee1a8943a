//! The `Clean-param` records of a file, ready to remove query parameters from URLs.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use polite_robots::pattern::PatternSet;
use polite_robots::record::ExtensionField;
use polite_robots::{Dialect, RobotsTxt, Target};

use crate::clean_param::CleanParam;

/// The `Clean-param` records of a file (Yandex): the query parameters that do not change a page.
///
/// Make one per file and keep it. With cleaned URLs in its queue a crawler fetches a page once.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::CleanParams;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nClean-param: ref&sid /shelf/");
/// let clean_params = CleanParams::of(&robots_txt);
/// let url = "https://example.com/shelf/book?ref=a&id=7&sid=b#top";
/// assert_eq!(clean_params.clean(url), "https://example.com/shelf/book?id=7#top");
/// assert_eq!(clean_params.clean("https://example.com/desk?ref=a"), "https://example.com/desk?ref=a");
/// ```
#[derive(Debug)]
pub struct CleanParams {
    dialect: Dialect,
    /// The path of each record.
    paths: PatternSet,
    /// The place of each name in `records`.
    names: BTreeMap<Box<[u8]>, usize>,
    /// The records that have a name, by their places in `paths`.
    records: Vec<Vec<usize>>,
}

impl CleanParams {
    /// Reads the valid `Clean-param` records of a file; few files have any.
    #[must_use]
    pub fn of(robots_txt: &RobotsTxt) -> CleanParams {
        let mut names = BTreeMap::new();
        let mut records: Vec<Vec<usize>> = Vec::new();
        let clean_params = robots_txt.extensions();
        let clean_params = clean_params.filter(|it| it.field() == ExtensionField::CleanParam);
        let clean_params = clean_params.filter_map(|it| CleanParam::new(it.value()));
        let paths = clean_params.enumerate().map(|(at, clean_param)| {
            for name in clean_param.names() {
                let of_name = *names.entry(name.into()).or_insert(records.len());
                match records.get_mut(of_name) {
                    Some(records) => records.push(at),
                    None => records.push(Vec::from([at])),
                }
            }
            clean_param.path().unwrap_or(b"*")
        });
        CleanParams {
            dialect: robots_txt.dialect(),
            paths: PatternSet::new(robots_txt.dialect(), paths),
            names,
            records,
        }
    }

    /// The URL without the query parameters that a record names for its path; the URL as given if
    /// there are none.
    ///
    /// A parameter is removed if a record names it, byte for byte and up to its `=`, and the path
    /// of the record matches that of the URL, without the query, as a rule would. The others stay
    /// in their order, and the fragment stays; a `?` with nothing left after it goes. Cleaning
    /// twice is the same as cleaning once. Linear in the URL for a given file, and in the records
    /// for a given URL.
    pub fn clean<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let fragment = url.find('#').unwrap_or(url.len());
        let (before_fragment, fragment) = url.split_at_checked(fragment).unwrap_or_default();
        let Some((before_query, query)) = before_fragment.split_once('?') else {
            return Cow::Borrowed(url);
        };
        let parameters = query.split('&');
        if parameters
            .clone()
            .all(|parameter| self.of_name(parameter).is_none())
        {
            return Cow::Borrowed(url);
        }
        let applying = self.applying(url);
        let applies = |at: &usize| applying.binary_search(at).is_ok();
        // Each name is decided about once, however often it repeats, so that a hostile URL costs no
        // more than its length.
        let mut is_removed = vec![None; self.records.len()];
        let kept = parameters.clone().filter(|parameter| {
            let of_name = self.of_name(parameter);
            let slot = of_name.and_then(|of_name| {
                let records = self.records.get(of_name)?;
                Some((records, is_removed.get_mut(of_name)?))
            });
            slot.is_none_or(|(records, is_removed)| {
                !*is_removed.get_or_insert_with(|| records.iter().any(applies))
            })
        });
        let kept: Vec<&str> = kept.collect();
        if kept.len() == parameters.count() {
            return Cow::Borrowed(url);
        }
        let mut cleaned = String::with_capacity(url.len());
        cleaned.push_str(before_query);
        let mut separator = '?';
        if kept.iter().any(|parameter| !parameter.is_empty()) {
            for parameter in kept {
                cleaned.push(separator);
                cleaned.push_str(parameter);
                separator = '&';
            }
        }
        cleaned.push_str(fragment);
        Cow::Owned(cleaned)
    }

    /// The place of a parameter's name in `records`.
    fn of_name(&self, parameter: &str) -> Option<usize> {
        let name = parameter.split('=').next().unwrap_or_default();
        self.names.get(name.as_bytes()).copied()
    }

    /// The places of the records whose path matches that of the URL.
    ///
    /// The path is compared without the query. Otherwise a removed parameter could change whether
    /// another is removed, and cleaning twice could differ from cleaning once.
    fn applying(&self, url: &str) -> Vec<usize> {
        let target = Target::from(url);
        let path = target.path(self.dialect);
        let path = path.split(|byte| *byte == b'?').next().unwrap_or_default();
        self.paths.matching(Target::sent(path))
    }
}
