//! The `Clean-param` records of a file, ready to remove query parameters from URLs.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::options::Dialect;
use crate::parse::value::Value;
use crate::record::clean_param::CleanParam;
use crate::rules::path_index::IndexedPath;
use crate::rules::patterns::{Pattern, Patterns};
use crate::sort;
use crate::target::Target;

/// The parameter names of all records in sorted order, so that each parameter of a URL is looked up
/// instead of compared with every name.
#[derive(Debug)]
pub(crate) struct CleanParams {
    patterns: Patterns,
    /// The path of each record.
    paths: Vec<Pattern>,
    /// In ascending order, each with the place of its path in `paths`.
    names: Vec<(Box<[u8]>, usize)>,
}

impl CleanParams {
    /// Reads the values of the `Clean-param` records of a file. `None` if no value is valid: few
    /// files have such records.
    pub(crate) fn new<'r>(
        dialect: Dialect,
        values: impl Iterator<Item = &'r [u8]>,
    ) -> Option<Box<CleanParams>> {
        let mut patterns = Patterns::new(dialect);
        let mut paths = Vec::new();
        let mut names: Vec<(Box<[u8]>, usize)> = Vec::new();
        for record in values.filter_map(CleanParam::new) {
            let path = record.path().unwrap_or(b"*");
            let Some(pattern) = patterns.push(Value::new(path)) else {
                continue;
            };
            names.extend(record.names().map(|name| (name.into(), paths.len())));
            paths.push(pattern);
        }
        if names.is_empty() {
            return None;
        }
        patterns.finish(paths.iter().copied());
        sort::unstable(&mut names);
        Some(Box::new(CleanParams {
            patterns,
            paths,
            names,
        }))
    }

    /// The URL without the parameters that a record names for its path.
    pub(crate) fn clean<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let fragment = url.find('#').unwrap_or(url.len());
        let (before_fragment, fragment) = url.split_at_checked(fragment).unwrap_or_default();
        let Some((before_query, query)) = before_fragment.split_once('?') else {
            return Cow::Borrowed(url);
        };
        let target = Target::from(url);
        let path = target.path(self.patterns.dialect());
        // A record's path is compared without the query. Otherwise a removed parameter could change
        // whether another is removed, and cleaning twice could differ from cleaning once.
        let path = path.split(|byte| *byte == b'?').next().unwrap_or_default();
        let mut removals = RemovalCache {
            records: self,
            path: IndexedPath::new(path),
            is_path_match: BTreeMap::new(),
            is_removed: BTreeMap::new(),
        };
        let parameters = query.split('&');
        let kept: Vec<&str> = parameters
            .clone()
            .filter(|parameter| !removals.is_removed(parameter))
            .collect();
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
}

/// The decisions for one URL. Each is made once, however often a parameter repeats, so that a
/// hostile URL costs no more than its length.
struct RemovalCache<'a> {
    records: &'a CleanParams,
    /// The path of the URL, in the form of the dialect.
    path: IndexedPath<'a>,
    /// Whether the path of a record matches, by its place.
    is_path_match: BTreeMap<usize, bool>,
    /// Whether a name is removed, by its place in the sorted order.
    is_removed: BTreeMap<usize, bool>,
}

impl RemovalCache<'_> {
    fn is_removed(&mut self, parameter: &str) -> bool {
        let records = self.records;
        let name = parameter.split('=').next().unwrap_or_default().as_bytes();
        let first = records.names.partition_point(|(known, _)| **known < *name);
        let known = records.names.iter().skip(first);
        let mut same = known.take_while(|(known, _)| **known == *name).peekable();
        if same.peek().is_none() {
            return false;
        }
        if let Some(is_removed) = self.is_removed.get(&first) {
            return *is_removed;
        }
        let path = &mut self.path;
        let is_path_match = &mut self.is_path_match;
        let is_removed = same.any(|(_, of_record)| {
            *is_path_match.entry(*of_record).or_insert_with(|| {
                let pattern = records.paths.get(*of_record);
                pattern.is_some_and(|pattern| path.is_match(&records.patterns, *pattern))
            })
        });
        self.is_removed.insert(first, is_removed);
        is_removed
    }
}
