//! The `Clean-param` records of a file, applied to a URL.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::options::Dialect;
use crate::parse::line::Value;
use crate::record::clean_param::CleanParam;
use crate::rules::patterns::{Pattern, Patterns};
use crate::target::Target;

/// The names that the records hold, in sorted order, so that a URL's parameters are looked up and not compared with
/// each.
#[derive(Debug)]
pub(crate) struct CleanParams {
    patterns: Patterns,
    /// The path of each record.
    paths: Vec<Pattern>,
    text: Vec<u8>,
    names: Vec<Name>,
}

#[derive(Debug, Clone)]
struct Name {
    text: Range<usize>,
    /// The place of the record's path in [`CleanParams::paths`].
    path: usize,
}

impl CleanParams {
    /// Most files have no such record, and then the slot stays empty.
    #[cold]
    pub(crate) fn push(slot: &mut Option<Box<CleanParams>>, value: &[u8], dialect: Dialect) {
        let Some(record) = CleanParam::new(value) else {
            return;
        };
        let these = slot.get_or_insert_with(|| {
            Box::new(CleanParams {
                patterns: Patterns::new(dialect),
                paths: Vec::new(),
                text: Vec::new(),
                names: Vec::new(),
            })
        });
        let path = record.path().unwrap_or(b"*");
        let Some(pattern) = these.patterns.push(Value::new(path)) else {
            return;
        };
        let path = these.paths.len();
        these.paths.push(pattern);
        for name in record.names() {
            let start = these.text.len();
            these.text.extend_from_slice(name);
            let text = start..these.text.len();
            these.names.push(Name { text, path });
        }
    }

    /// Call when all records are in.
    pub(crate) fn finish(&mut self) {
        self.patterns.finish(self.paths.iter().copied());
        let text = &self.text;
        self.names
            .sort_by(|a, b| text.get(a.text.clone()).cmp(&text.get(b.text.clone())));
    }

    pub(crate) fn clean<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let fragment = url.find('#').unwrap_or(url.len());
        let (before_fragment, fragment) = url.split_at_checked(fragment).unwrap_or_default();
        let Some((before_query, query)) = before_fragment.split_once('?') else {
            return Cow::Borrowed(url);
        };
        let target = Target::from(url);
        let path = target.path(self.patterns.dialect());
        // Not the query, or what is removed from it could change what is removed.
        let path = path.split(|byte| *byte == b'?').next().unwrap_or_default();
        let mut asked = Asked {
            records: self,
            path,
            is_path_match: BTreeMap::new(),
            is_removed: BTreeMap::new(),
        };
        let parameters = query.split('&');
        let kept: Vec<&str> = parameters
            .clone()
            .filter(|parameter| !asked.is_removed(parameter))
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

    fn name(&self, name: &Name) -> &[u8] {
        self.text.get(name.text.clone()).unwrap_or_default()
    }
}

/// The answers for one URL, each worked out once however often a name or a record comes again.
struct Asked<'a> {
    records: &'a CleanParams,
    path: &'a [u8],
    is_path_match: BTreeMap<usize, bool>,
    /// By the place of the name in the sorted order.
    is_removed: BTreeMap<usize, bool>,
}

impl Asked<'_> {
    fn is_removed(&mut self, parameter: &str) -> bool {
        let records = self.records;
        let name = parameter.split('=').next().unwrap_or_default().as_bytes();
        let first = records
            .names
            .partition_point(|known| records.name(known) < name);
        let known = records.names.get(first..).unwrap_or_default();
        let mut same = known
            .iter()
            .take_while(|known| records.name(known) == name)
            .peekable();
        if same.peek().is_none() {
            return false;
        }
        if let Some(is_removed) = self.is_removed.get(&first) {
            return *is_removed;
        }
        let is_removed = same.any(|known| {
            *self.is_path_match.entry(known.path).or_insert_with(|| {
                let pattern = records.paths.get(known.path);
                pattern.is_some_and(|pattern| records.patterns.is_match(*pattern, self.path))
            })
        });
        self.is_removed.insert(first, is_removed);
        is_removed
    }
}
