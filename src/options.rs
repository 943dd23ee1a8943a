//! How a robots.txt is read: [`Dialect`] and [`Options`].

/// The reading of a file that decides verdicts: RFC 9309's or Google's.
///
/// The dialects differ on about one check in five hundred of real files: most often on
/// `/robots.txt` itself, which RFC 9309 always allows, then on rules with a raw blank, which
/// Google's matcher does not find in a URL that holds `%20`.
/// `Comparison` of the crate `polite-robots-audit` shows where and why.
///
/// The front page lists what the default dialect reads [beyond the text](crate#rfc-9309) of the
/// RFC, and where [Google's matcher](crate#googles-matcher) differs.
///
/// ```
/// use polite_robots::{Dialect, Options};
///
/// assert_eq!(Options::default().dialect, Dialect::Rfc9309);
/// assert_eq!(Options::google().dialect.as_str(), "google");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// RFC 9309, with the tolerance of malformed lines that its §2.2.4 permits: a missing colon,
    /// common misspellings and noise after a field name are accepted. URL and rule are compared in
    /// one canonical percent-encoding (§2.2.2), and `/robots.txt` is always allowed.
    #[default]
    Rfc9309,
    /// The verdict and the matching line of Google's open-source C++ matcher, for any bytes and any
    /// URL.
    Google,
}

impl Dialect {
    /// A stable name for machines: `rfc9309`, `google`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Dialect::Rfc9309 => "rfc9309",
            Dialect::Google => "google",
        }
    }
}

/// How a robots.txt is read: the dialect, and how much of the file.
///
/// ```
/// use polite_robots::{Options, Robot};
///
/// // Google reads at most 500 KiB of a file.
/// let options = Options::google().with_max_bytes(500 * 1024);
/// let robot = Robot::with_options("ExampleBot", b"User-agent: *\nDisallow: /x", &options)?;
/// assert!(!robot.allowed("https://example.com/x"));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// Every field may be missing, because people write options into configuration files.
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct Options {
    /// The dialect that decides verdicts. Default: [`Dialect::Rfc9309`].
    pub dialect: Dialect,
    /// The number of bytes after which the file is cut. The cut goes back to the end of the last
    /// whole line, so that a half-read `Disallow: /private` never becomes `Disallow: /`. RFC 9309
    /// §2.5 asks for at least 500 KiB (512,000). Default: none; the whole file is read, up to 512
    /// MiB.
    pub max_bytes: Option<usize>,
}

impl Options {
    /// Returns a dialect's options, without a size limit.
    ///
    /// ```
    /// use polite_robots::{Dialect, Options};
    ///
    /// assert_eq!(Options::new(Dialect::Google), Options::google());
    /// ```
    #[must_use]
    pub const fn new(dialect: Dialect) -> Options {
        Options {
            dialect,
            max_bytes: None,
        }
    }

    /// RFC 9309 without a size limit, the default.
    #[must_use]
    pub const fn rfc9309() -> Options {
        Options::new(Dialect::Rfc9309)
    }

    /// Google's matcher without a size limit. Google's crawler reads 500 KiB of a file, but its
    /// matcher reads everything.
    #[must_use]
    pub const fn google() -> Options {
        Options::new(Dialect::Google)
    }

    /// Sets [`Options::max_bytes`].
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: usize) -> Options {
        let max_bytes = Some(max_bytes);
        Options { max_bytes, ..self }
    }
}
