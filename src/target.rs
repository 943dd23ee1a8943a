//! [`Target`]: the URL that a question is about.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::compared_form::{
    ComparedPath, canonical_paths, google_path, path_of_sent, plain_path, requested_path,
};
use crate::options::Dialect;
use crate::robots_url::InvalidUrl;

/// A URL to ask about.
///
/// Functions take `impl Into<Target>`, so a `&str` or the bytes of a request will do. Make a
/// `Target` yourself to ask several robots about one URL: its path is then computed once, in the
/// form of each dialect.
///
/// Resolve a link against the URL of its page first: `private/x.html` is a question about the path
/// `/x.html` of the host `private`. [`Target::absolute`] refuses such a text.
///
/// No URL is an error here. Scheme, host and fragment do not matter; a bare path such as `/a?b` is
/// a URL too. In the default dialect the question is about the request that clients send, so a URL
/// of http or https is read as browsers and most HTTP clients read it, by the URL standard
/// (WHATWG): blanks at its ends and tabs within vanish, `\` is `/`, and `/a/../search` is
/// `/search`. In a bare path `\` is `/` and dot segments are resolved too, and every other byte
/// counts. Google's matcher takes a URL as it is given, and so does its dialect.
///
/// Clients read a `\` in a path in two ways: to browsers it is a `/`, and curl, requests and httpx
/// send it. In the default dialect such a URL is allowed only if it is allowed in both readings.
/// The reading of the standard is asked first, and the first one that is disallowed decides.
///
/// If you know the request that your client sends, ask with [`Target::sent`] as well, and fetch
/// only what both allow. A `&url::Url` stands for the request that reqwest sends. For a log, ask
/// with [`Target::sent`] alone.
///
/// ```
/// use polite_robots::{Robot, Target};
///
/// let target = Target::new("https://example.com/caf%C3%A9?page=2");
/// for agent in ["ExampleBot", "ExampleBot-Image"] {
///     let robot = Robot::new(agent, "User-agent: *\nDisallow: /café?page=".as_bytes())?;
///     assert!(!robot.allowed(&target));
/// }
/// // The path of a request line or of a link in an old page need not be UTF-8.
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /caf%E9")?;
/// assert!(!robot.allowed(&b"/caf\xE9/menu"[..]));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone)]
pub struct Target<'u> {
    url: &'u [u8],
    /// The URL, with U+FFFD for bytes that are not UTF-8.
    text: Cow<'u, str>,
    /// The path in the form of each dialect. `None` unless [`Target::new`] made the target: a
    /// converted one is asked once, and computes only the form that is needed.
    paths: Option<Paths<'u>>,
}

#[derive(Debug, Clone)]
struct Paths<'u> {
    canonical: Cow<'u, [u8]>,
    with_backslashes: Option<Cow<'u, [u8]>>,
    google: Cow<'u, [u8]>,
}

impl<'u> Target<'u> {
    /// Prepares a URL for any number of questions.
    ///
    /// ```
    /// use polite_robots::{RobotsTxt, Target};
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot-Image\nDisallow: /photos/");
    /// let target = Target::new("https://example.com/photos/1.jpg");
    /// assert!(robots_txt.robot("ExampleBot")?.allowed(&target));
    /// assert!(!robots_txt.robot("ExampleBot-Image")?.allowed(&target));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn new(url: &'u str) -> Target<'u> {
        let (canonical, with_backslashes) = canonical_paths(url.as_bytes());
        let paths = Paths {
            canonical,
            with_backslashes,
            google: google_path(url.as_bytes()),
        };
        Target {
            paths: Some(paths),
            ..Target::from(url)
        }
    }

    /// Prepares a URL for questions about the request that a client makes of it, in both dialects.
    ///
    /// Google's matcher asks for a percent-encoded URL, and [`Target::new`] hands it the text as it
    /// is given. This target is what Googlebot asks about: the text is read as the URL standard
    /// (WHATWG) reads it, and bytes outside of ASCII are percent-encoded in upper case; every other
    /// byte stays as it is written. In the default dialect the answers are those of
    /// [`Target::new`].
    ///
    /// For a tool that says what Googlebot does with a link. A comparison with Google's matcher
    /// takes [`Target::new`].
    ///
    /// ```
    /// use polite_robots::{Options, Robot, Target};
    ///
    /// let file = "User-agent: *\nDisallow: /café/";
    /// let robot = Robot::with_options("Googlebot", file.as_bytes(), &Options::google())?;
    /// assert!(!robot.allowed(Target::requested("https://example.com/menu/../café/x")));
    /// // No client sends this text as it stands.
    /// assert!(robot.allowed("https://example.com/menu/../café/x"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn requested(url: &'u str) -> Target<'u> {
        let target = Target::new(url);
        let paths = target.paths.map(|paths| Paths {
            google: requested_path(url.as_bytes()),
            ..paths
        });
        Target { paths, ..target }
    }

    /// Prepares a URL that names its place: a text with a scheme, or a path that begins with `/`.
    ///
    /// A link as it stands in a page may be neither, and [`Target::new`] would take the first word
    /// of `private/x.html` for a host. Resolve links first, for example with `url::Url::join`.
    ///
    /// # Errors
    ///
    /// [`InvalidUrl`] for a text that has no scheme and does not begin with `/`, and for a bare
    /// path that begins with a blank or a control character, before or after its `/`: some clients
    /// drop it, and others send it.
    ///
    /// ```
    /// use polite_robots::{Robot, Target};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /private/")?;
    /// assert!(!robot.allowed(Target::absolute("https://example.com/private/x.html")?));
    /// assert!(!robot.allowed(Target::absolute("/private/x.html")?));
    /// // As it stands, this link is a question about `/x.html`.
    /// assert!(robot.allowed("private/x.html"));
    /// assert!(Target::absolute("private/x.html").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn absolute(url: &'u str) -> Result<Target<'u>, InvalidUrl> {
        InvalidUrl::check_absolute(url)?;
        Ok(Target::new(url))
    }

    /// Takes a request target as it stood on the wire (RFC 9112 §3.2): a path with the query, or a
    /// whole URL. No segment is resolved; only percent-encoding is made canonical.
    ///
    /// For logs, and for a crawler that knows the request of its client, whichever way that client
    /// reads URLs. The server resolves dot segments that the client left, so such a crawler should
    /// fetch only what the text and the request both allow.
    ///
    /// ```
    /// use polite_robots::{Robot, Target};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /search")?;
    /// // Most clients send `/search` for this URL, and some send it as it is.
    /// assert!(!robot.allowed("/a/../search"));
    /// assert!(robot.allowed(Target::sent(b"/a/../search")));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn sent(target: &'u [u8]) -> Target<'u> {
        let paths = Paths {
            canonical: path_of_sent(target, Dialect::Rfc9309),
            with_backslashes: None,
            google: path_of_sent(target, Dialect::Google),
        };
        Target {
            paths: Some(paths),
            ..Target::from(target)
        }
    }

    /// The URL as it was given; for bytes that are not UTF-8, the text with U+FFFD in their place.
    ///
    /// ```
    /// use polite_robots::Target;
    ///
    /// assert_eq!(Target::new("/a b").as_str(), "/a b");
    /// assert_eq!(Target::from(&b"/caf\xE9"[..]).as_str(), "/caf\u{FFFD}");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The URL as it was given, byte for byte.
    ///
    /// ```
    /// use polite_robots::Target;
    ///
    /// assert_eq!(Target::from(&b"/caf\xE9"[..]).as_bytes(), b"/caf\xE9");
    /// ```
    pub fn as_bytes(&self) -> &'u [u8] {
        self.url
    }

    /// The path with the query, in the form that rules of the dialect are compared with. Starts
    /// with `/`. In the default dialect it is the path that clients send.
    ///
    /// A URL with a `\` in its path has two readings, and this is the first one:
    /// [`Robot::deciding_path`](crate::Robot::deciding_path) has the path that decides.
    ///
    /// ```
    /// use polite_robots::{Dialect, Target};
    ///
    /// let path = |url: &str| Target::new(url).path(Dialect::Rfc9309).into_owned();
    /// assert_eq!(path("https://example.com/a%2Eb?c#d"), b"/a.b?c");
    /// // A name without a slash is a host.
    /// assert_eq!(path("cart/1"), b"/1");
    /// ```
    #[inline]
    pub fn path(&self, dialect: Dialect) -> Cow<'_, [u8]> {
        self.readings(dialect).0
    }

    /// The path of a URL that needs no copy and has no second reading, as most do.
    #[inline(always)]
    pub(crate) fn plain_path(&self, dialect: Dialect) -> Option<ComparedPath<'_>> {
        match (&self.paths, dialect) {
            (None, Dialect::Rfc9309) => plain_path(self.url),
            _ => None,
        }
    }

    /// The path, and the path in the second reading of a URL with a `\` in its path.
    #[inline]
    pub(crate) fn readings(&self, dialect: Dialect) -> (Cow<'_, [u8]>, Option<Cow<'_, [u8]>>) {
        match (&self.paths, dialect) {
            (Some(paths), Dialect::Rfc9309) => (
                Cow::Borrowed(&*paths.canonical),
                paths.with_backslashes.as_deref().map(Cow::Borrowed),
            ),
            (Some(paths), Dialect::Google) => (Cow::Borrowed(&*paths.google), None),
            (None, Dialect::Rfc9309) => canonical_paths(self.url),
            (None, Dialect::Google) => (google_path(self.url), None),
        }
    }
}

impl<'u> From<&'u str> for Target<'u> {
    #[inline]
    fn from(url: &'u str) -> Target<'u> {
        Target {
            url: url.as_bytes(),
            text: Cow::Borrowed(url),
            paths: None,
        }
    }
}

impl<'u> From<&'u String> for Target<'u> {
    #[inline]
    fn from(url: &'u String) -> Target<'u> {
        Target::from(url.as_str())
    }
}

/// A URL that need not be UTF-8: a byte outside of ASCII equals its percent-encoding in the default
/// dialect.
impl<'u> From<&'u [u8]> for Target<'u> {
    fn from(url: &'u [u8]) -> Target<'u> {
        Target {
            url,
            text: String::from_utf8_lossy(url),
            paths: None,
        }
    }
}

impl<'u> From<&'u Target<'u>> for Target<'u> {
    #[inline]
    fn from(target: &'u Target<'u>) -> Target<'u> {
        Target {
            url: target.url,
            text: Cow::Borrowed(&target.text),
            paths: target.paths.as_ref().map(|paths| Paths {
                canonical: Cow::Borrowed(&paths.canonical),
                with_backslashes: paths.with_backslashes.as_deref().map(Cow::Borrowed),
                google: Cow::Borrowed(&paths.google),
            }),
        }
    }
}

/// The request of a client that is built on the `url` crate, such as reqwest.
#[cfg(feature = "url")]
impl<'u> From<&'u url::Url> for Target<'u> {
    fn from(url: &'u url::Url) -> Target<'u> {
        Target::from(url.as_str())
    }
}

/// The URL as it was given, with U+FFFD for bytes that are not UTF-8.
impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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
