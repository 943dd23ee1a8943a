//! [`Target`]: the URL that a question is about.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::options::Dialect;
use crate::rules::canonical::{canonical_path, google_path};

/// A URL to ask about.
///
/// Functions take `impl Into<Target>`, so a `&str` will do. Make a `Target` yourself to ask several robots about
/// one URL: its path is then worked out once, in the form of each dialect.
///
/// No URL is an error, and none is normalized beyond percent-encoding: give it as it will be requested. Scheme,
/// host and fragment are not looked at; a bare path such as `/a?b` is a URL too.
///
/// ```
/// use polite_robots::{Robot, Target};
///
/// let target = Target::new("https://example.com/caf%C3%A9?page=2");
/// for agent in ["ExampleBot", "ExampleBot-Image"] {
///     let robot = Robot::new(agent, "User-agent: *\nDisallow: /café?page=".as_bytes())?;
///     assert!(!robot.allowed(&target));
/// }
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone)]
pub struct Target<'u> {
    url: &'u str,
    /// Only when prepared: an unprepared one works out the path that is asked for, and not the other.
    paths: Option<Paths<'u>>,
}

#[derive(Debug, Clone)]
struct Paths<'u> {
    canonical: Cow<'u, [u8]>,
    google: Cow<'u, [u8]>,
}

impl<'u> Target<'u> {
    /// Prepares `url` for any number of questions.
    #[must_use]
    pub fn new(url: &'u str) -> Target<'u> {
        Target {
            url,
            paths: Some(Paths {
                canonical: canonical_path(url),
                google: google_path(url),
            }),
        }
    }

    /// The URL as it was given.
    #[must_use]
    pub fn as_str(&self) -> &'u str {
        self.url
    }

    /// The path with the query, as rules of the dialect are compared with it; starts with `/`.
    #[inline]
    pub(crate) fn path(&self, dialect: Dialect) -> Cow<'_, [u8]> {
        match (&self.paths, dialect) {
            (Some(paths), Dialect::Rfc9309) => Cow::Borrowed(&paths.canonical),
            (Some(paths), Dialect::Google) => Cow::Borrowed(&paths.google),
            (None, Dialect::Rfc9309) => canonical_path(self.url),
            (None, Dialect::Google) => google_path(self.url),
        }
    }
}

impl<'u> From<&'u str> for Target<'u> {
    #[inline]
    fn from(url: &'u str) -> Target<'u> {
        Target { url, paths: None }
    }
}

impl<'u> From<&'u String> for Target<'u> {
    #[inline]
    fn from(url: &'u String) -> Target<'u> {
        Target { url, paths: None }
    }
}

impl<'u> From<&'u Target<'u>> for Target<'u> {
    #[inline]
    fn from(target: &'u Target<'u>) -> Target<'u> {
        Target {
            url: target.url,
            paths: target.paths.as_ref().map(|paths| Paths {
                canonical: Cow::Borrowed(&paths.canonical),
                google: Cow::Borrowed(&paths.google),
            }),
        }
    }
}

#[cfg(feature = "url")]
impl<'u> From<&'u url::Url> for Target<'u> {
    fn from(url: &'u url::Url) -> Target<'u> {
        Target::from(url.as_str())
    }
}

impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn canonical_form_is_idempotent(path in "/([a-c/?&=:;.%{]|%[2-7][0-9A-Fa-f]|%[Cc]3|\\PC){0,12}") {
            prop_assume!(!path.contains(['*', '$', '#']));
            let once = Target::from(&path).path(Dialect::Rfc9309).into_owned();
            let text = String::from_utf8(once.clone()).unwrap();
            // A path that starts with `//` reads as an authority unless a host stands before it.
            let again = alloc::format!("http://h{text}");
            prop_assume!(!path.starts_with("//"));
            let twice = Target::from(&again).path(Dialect::Rfc9309).into_owned();
            prop_assert_eq!(twice, once);
        }
    }

    #[test]
    fn a_canonical_path_is_not_copied() {
        for (url, is_copied) in [
            ("https://h/a/b?c=d&e#f", false),
            ("/", false),
            ("/a%20b", true),
            ("h?q", true),
            ("/é", true),
        ] {
            let target = Target::from(url);
            assert_eq!(
                matches!(target.path(Dialect::Rfc9309), Cow::Owned(_)),
                is_copied,
                "{url}"
            );
        }
    }
}
