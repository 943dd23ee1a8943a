//! [`List`]: several paths in place of one: `/cart,/checkout`, `/tmp/ /cache/`, `["/a", "/b"]`.

use polite_robots::Access;
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::proposal::Proposal;
use crate::text::part::Part;
use crate::text::whole_site::is_whole_site;

/// Paths that were meant as one rule each.
pub(super) struct List<'v> {
    /// Without those about the whole site.
    paths: Vec<&'v str>,
    whole_site: Option<&'v str>,
    /// The sign between two of them, where no blank is.
    pub(super) sign: Option<char>,
}

impl<'v> List<'v> {
    pub(super) fn in_value(value: &'v [u8]) -> Option<List<'v>> {
        if !may_be_list(value) {
            return None;
        }
        let text = core::str::from_utf8(value).ok()?;
        let inner = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        let text = inner.unwrap_or(text);
        let is_quote = |letter: char| matches!(letter, '"' | '\'' | '`');
        let items = text
            .split(|letter: char| letter.is_ascii_whitespace() || SIGNS.contains(&letter))
            .map(|item| item.trim_matches(is_quote));
        let has_blank = text.contains(|letter: char| letter.is_ascii_whitespace());
        let (mut paths, mut whole_site) = (Vec::new(), None);
        for item in items.filter(|item| !item.is_empty()) {
            // `/a;jsessionid=1` is one path.
            if !item.starts_with('/') && (has_blank || !item.starts_with("*.")) {
                return None;
            }
            match is_whole_site(item.as_bytes()) {
                true => whole_site = Some(item),
                false => paths.push(item),
            }
        }
        let sign = Some(text).filter(|_| !has_blank);
        let sign = sign.and_then(|text| text.chars().find(|letter| SIGNS.contains(letter)));
        let count = paths.len() + usize::from(whole_site.is_some());
        let is_list = count > 1 && !paths.is_empty();
        // A sign alone is rather one of a path where the text around it is odd.
        let is_odd = |(at, path): (usize, &&str)| {
            let is_last = at + 1 == paths.len();
            !is_last && (path.contains(['?', '&']) || path.ends_with(".."))
        };
        let is_path =
            sign.is_some() && (whole_site.is_some() || paths.iter().enumerate().any(is_odd));
        (is_list && !is_path).then_some(List {
            paths,
            whole_site,
            sign,
        })
    }

    fn words(&self, rule: Access) -> String {
        let shown = |path: &str| quote(format!("{rule}: {path}").as_bytes()).to_string();
        let first = quote(self.paths.first().copied().unwrap_or_default().as_bytes());
        let others = self.paths.get(1..).unwrap_or_default();
        let write = match others {
            [] => format!("write {first} alone"),
            [one] => format!(
                "write {first} here, and {} on a line of its own",
                shown(one)
            ),
            [one, other] => format!(
                "write {first} here, and {} and {} on lines of their own",
                shown(one),
                shown(other)
            ),
            others => format!(
                "write {first} here, and each of the {} other paths on a line of its own",
                others.len()
            ),
        };
        match self.whole_site {
            Some(whole) => format!(
                "{} is the whole site, so {write} unless that is meant",
                quote(whole.as_bytes())
            ),
            None => write,
        }
    }

    /// The advice to give each path a line, with that text.
    pub(super) fn advice(
        &self,
        rule: Access,
        file: &[u8],
        line: Part<'_>,
        value: Part<'_>,
    ) -> Advice {
        let advice = Advice::new(self.words(rule));
        let (first, others) = self.paths.split_first().unwrap_or((&"", &[]));
        let lines = others.iter().map(|path| format!("{rule}: {path}"));
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            return advice.write(value.span(), *first);
        }
        let below = Proposal::line_below(file, line.span(), &lines.join("\n"));
        advice.propose(below.and(value.span(), *first))
    }
}

/// Fast: whether a value has a sign that may separate the paths of a list.
pub(super) fn may_be_list(value: &[u8]) -> bool {
    let mut pairs = value.iter().zip(value.iter().skip(1));
    pairs.any(|(sign, next)| {
        let is_between = matches!(sign, b',' | b';' | b'|' | b' ' | b'\t');
        is_between && matches!(next, b'/' | b'*' | b' ' | b'\t' | b'"' | b'\'' | b'`')
    })
}

const SIGNS: [char; 3] = [',', ';', '|'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_told_from_paths() {
        for (value, expected) in [
            ("/a,/b,/c", vec!["/a", "/b", "/c"]),
            ("/a;/b", vec!["/a", "/b"]),
            ("/a|/b|", vec!["/a", "/b"]),
            ("/tmp/ /cache/", vec!["/tmp/", "/cache/"]),
            ("/, /admin/", vec!["/admin/"]),
            (r#"["/a", '/b']"#, vec!["/a", "/b"]),
            (r#""/a","/b""#, vec!["/a", "/b"]),
            ("*.pdf,*.doc$", vec!["*.pdf", "*.doc$"]),
            ("/a,b/", vec![]),
            ("/x;jsessionid=1", vec![]),
            ("/a|b", vec![]),
            ("/a,", vec![]),
            ("/a;/", vec![]),
            ("/a..;/b", vec![]),
            ("/&eacute;/b", vec![]),
            ("/a?b=1,/c", vec![]),
            ("/my files/, /b", vec![]),
            ("/*,*", vec![]),
        ] {
            let list = List::in_value(value.as_bytes());
            let paths = list.map(|list| list.paths).unwrap_or_default();
            assert_eq!(paths, expected, "{value}");
        }
    }
}
