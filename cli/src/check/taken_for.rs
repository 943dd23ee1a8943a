//! A warning about an argument that is a URL and was hardly meant as one: `cart/1` is the host
//! `cart`.

use polite_robots::{Dialect, Target};
use polite_robots_audit::printable::shortened;

use crate::counted::counted;
use crate::terminal::{printable, warn};

/// The URLs that begin with neither one `/` nor a scheme: the first of them, and the number of all.
#[derive(Default)]
pub(super) struct TakenForHosts {
    first: Option<String>,
    others: usize,
}

impl TakenForHosts {
    pub(super) fn add(&mut self, url: &str) {
        if is_plain(url) {
            return;
        }
        match self.first {
            Some(_) => self.others = self.others.saturating_add(1),
            None => self.first = Some(url.to_owned()),
        }
    }

    /// Warns about the first of these URLs.
    pub(super) fn warn(&self) {
        let Some(first) = &self.first else {
            return;
        };
        let path = Target::from(first.as_str())
            .path(Dialect::Rfc9309)
            .into_owned();
        let path = String::from_utf8_lossy(&path).into_owned();
        let more = match self.others {
            0 => String::new(),
            count => format!(" (and {} like it)", counted(count, "URL")),
        };
        warn(format_args!(
            "`{}` begins with neither `/` nor `https://`, so that the question is about the path `{}`{more}",
            shortened(&printable(first)),
            shortened(&printable(&path)),
        ));
    }
}

fn is_plain(url: &str) -> bool {
    let is_path = url.starts_with('/') && !url.starts_with("//");
    let scheme = url.split_once("://").map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    is_path || scheme.is_some_and(is_scheme)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn a_path_or_a_whole_url_is_plain() {
        for url in ["/", "/a?b=http://c", "https://example.com/a", "HTTP://e/"] {
            assert!(is_plain(url), "{url}");
        }
        for url in [
            "cart/1",
            "//cart/1",
            "*",
            "mailto:x",
            "example.com",
            "://a",
            "a/b://c",
        ] {
            assert!(!is_plain(url), "{url}");
        }
    }
}
