//! The kinds of findings: one row each, and a page of explanation.

use std::fmt;

/// Makes [`DiagnosticCode`] from one row for each kind of finding: its variant, its stable name and
/// its severity, with `or` the lower severities that a single finding may have. The page is
/// `codes/<name>.md`.
macro_rules! codes {
    ($($variant:ident, $name:literal, $severity:ident $(or $lower:ident)*;)+) => {
        /// The kinds of [`Diagnostic`](crate::Diagnostic), each with its page: an example,
        /// why it matters, what Google does, and how to fix it. [`DiagnosticCode::page`] has the
        /// same page as Markdown.
        ///
        /// ```
        /// use polite_robots_lint::{DiagnosticCode, Severity};
        ///
        /// assert_eq!(DiagnosticCode::MissingColon.as_str(), "missing-colon");
        /// assert!(DiagnosticCode::RuleBeforeGroup.severity() > Severity::Warning);
        /// assert_eq!(
        ///     DiagnosticCode::from_name("missing-colon"),
        ///     Some(DiagnosticCode::MissingColon)
        /// );
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum DiagnosticCode {
            $(
                #[doc = include_str!(concat!("codes/", $name, ".md"))]
                $variant,
            )+
        }

        impl DiagnosticCode {
            /// All kinds of findings, in the order of this page.
            ///
            /// ```
            /// use polite_robots_lint::{DiagnosticCode, Severity};
            ///
            /// // The kinds that should fail a build.
            /// let errors = DiagnosticCode::ALL
            ///     .iter()
            ///     .filter(|code| code.severity() == Severity::Error);
            /// assert!(errors.count() < DiagnosticCode::ALL.len());
            /// ```
            pub const ALL: &[DiagnosticCode] = &[$(DiagnosticCode::$variant),+];

            /// The stable name, for machines: lower case with hyphens, such as `missing-colon`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(DiagnosticCode::$variant => $name,)+
                }
            }

            /// The severity of a finding of this kind. A single
            /// [`Diagnostic`](crate::Diagnostic) may have a lower one, such as one of
            /// [`DiagnosticCode::PrefixedField`].
            pub const fn severity(self) -> Severity {
                match self {
                    $(DiagnosticCode::$variant => Severity::$severity,)+
                }
            }

            /// Whether a finding of this kind can have a severity.
            #[cfg(feature = "serde")]
            pub(crate) const fn may_have(self, severity: Severity) -> bool {
                match self {
                    $(DiagnosticCode::$variant => matches!(severity, Severity::$severity $(| Severity::$lower)*),)+
                }
            }

            /// The page of the kind as Markdown: an example, why it matters, what Google does, and
            /// how to fix it.
            ///
            /// ```
            /// let page = polite_robots_lint::DiagnosticCode::MissingColon.page();
            /// assert!(page.starts_with("# missing-colon\n\nA record without a colon"));
            /// ```
            pub const fn page(self) -> &'static str {
                match self {
                    $(DiagnosticCode::$variant => include_str!(concat!("codes/", $name, ".md")),)+
                }
            }

            /// The address of the page on docs.rs, for reports with links.
            ///
            /// ```
            /// let url = polite_robots_lint::DiagnosticCode::MissingColon.page_url();
            /// assert!(
            ///     url.starts_with("https://docs.rs/polite-robots-lint/")
            ///         && url.ends_with("MissingColon")
            /// );
            /// ```
            pub const fn page_url(self) -> &'static str {
                match self {
                    $(DiagnosticCode::$variant => concat!(
                        "https://docs.rs/polite-robots-lint/latest/polite_robots_lint/enum.DiagnosticCode.html#variant.",
                        stringify!($variant)
                    ),)+
                }
            }
        }
    };
}

codes! {
    ByteOrderMark, "byte-order-mark", Note;
    Utf16, "utf16", Error;
    NotUtf8, "not-utf8", Warning;
    InvisibleCharacter, "invisible-character", Error or Warning;
    HtmlDocument, "html-document", Error;
    NoRecord, "no-record", Error or Warning;
    TooLarge, "too-large", Warning;
    Truncated, "truncated", Error;
    LoneCarriageReturn, "lone-carriage-return", Note;
    LineTooLong, "line-too-long", Warning;
    MergeConflict, "merge-conflict", Error;
    ProgramOutput, "program-output", Error;
    NulByte, "nul-byte", Error;
    NotARecord, "not-a-record", Error;
    RecordInComment, "record-in-comment", Warning or Note;
    MissingColon, "missing-colon", Warning;
    MisspelledField, "misspelled-field", Warning;
    UnforgivenMisspelling, "unforgiven-misspelling", Error;
    PrefixedField, "prefixed-field", Error or Warning or Note;
    UnknownField, "unknown-field", Warning or Note;
    ProposedField, "proposed-field", Note;
    UnsupportedField, "unsupported-field", Note;
    DeprecatedRecord, "deprecated-record", Warning or Note;
    EmptyUserAgent, "empty-user-agent", Warning;
    InvalidProductToken, "invalid-product-token", Warning or Note;
    RecordOnAgentLine, "record-on-agent-line", Error;
    DigitInProductToken, "digit-in-product-token", Warning;
    MisspelledCrawler, "misspelled-crawler", Warning;
    RetiredCrawler, "retired-crawler", Note;
    MisspelledPolicyToken, "misspelled-policy-token", Warning;
    CommaSeparatedAgents, "comma-separated-agents", Error;
    GroupBleed, "group-bleed", Warning;
    RuleBeforeGroup, "rule-before-group", Error or Warning;
    PathWithoutSlash, "path-without-slash", Error;
    AbsoluteUrlAsPath, "absolute-url-as-path", Error;
    HostInPath, "host-in-path", Warning;
    RegexInPath, "regex-in-path", Warning;
    InvalidEscape, "invalid-escape", Warning;
    DotSegmentInPath, "dot-segment-in-path", Warning;
    CommentInPath, "comment-in-path", Error or Warning;
    DollarNotAtEnd, "dollar-not-at-end", Warning or Note;
    BlankInPath, "blank-in-path", Warning;
    DoubleSlashInPath, "double-slash-in-path", Warning;
    HtmlInPath, "html-in-path", Warning;
    SignAfterPath, "sign-after-path", Warning or Note;
    NonAsciiInPath, "non-ascii-in-path", Note;
    MojibakeInPath, "mojibake-in-path", Warning;
    InvalidCrawlDelay, "invalid-crawl-delay", Warning;
    ExtremeCrawlDelay, "extreme-crawl-delay", Warning;
    CrawlDelayIgnored, "crawl-delay-ignored", Note;
    SeveralCrawlDelays, "several-crawl-delays", Warning;
    RelativeSitemap, "relative-sitemap", Warning;
    InvalidSitemap, "invalid-sitemap", Warning;
    PlaceholderSitemap, "placeholder-sitemap", Warning;
    MixedSitemapSchemes, "mixed-sitemap-schemes", Note;
    MixedSitemapHosts, "mixed-sitemap-hosts", Note;
    SitemapOnOtherHost, "sitemap-on-other-host", Warning or Note;
    SitemapNotUtf8, "sitemap-not-utf8", Warning;
    InvalidPreferences, "invalid-preferences", Error;
    UnknownPreference, "unknown-preference", Warning or Note;
    UnknownPreferenceValue, "unknown-preference-value", Warning;
    ConflictingPreferences, "conflicting-preferences", Warning;
    PreferencesBeforeGroup, "preferences-before-group", Error;
    PreferencesOfClosedPath, "preferences-of-closed-path", Warning;
    PreferencesAgainstRules, "preferences-against-rules", Note;
    WildcardPreferencesDropped, "wildcard-preferences-dropped", Warning;
    RelativeLicense, "relative-license", Warning;
    SitemapDisallowed, "sitemap-disallowed", Warning;
    SeveralGroups, "several-groups", Note;
    GroupWithoutRules, "group-without-rules", Note;
    EmptyDisallow, "empty-disallow", Warning or Note;
    AllowAlone, "allow-alone", Warning or Note;
    HomePageDisallowed, "home-page-disallowed", Warning;
    ResourcesDisallowed, "resources-disallowed", Warning;
    DuplicateRule, "duplicate-rule", Note;
    RedundantRule, "redundant-rule", Note;
    ShadowedRule, "shadowed-rule", Error or Warning;
    AllowInOtherCase, "allow-in-other-case", Warning;
    ShortException, "short-exception", Warning;
    SiteOpenedByAllow, "site-opened-by-allow", Error;
    SiteClosed, "site-closed", Warning;
    WildcardRulesDropped, "wildcard-rules-dropped", Warning or Note;
    NoSitemap, "no-sitemap", Note;
    QueryDisallowed, "query-disallowed", Note;
    RevealingPath, "revealing-path", Note;
}

impl DiagnosticCode {
    /// Whether only the table of known crawlers shows findings of this kind:
    /// [`Linter::without_crawlers`](crate::Linter::without_crawlers) reports none of them.
    ///
    /// ```
    /// use polite_robots_lint::DiagnosticCode;
    ///
    /// assert!(DiagnosticCode::DigitInProductToken.needs_known_crawlers());
    /// assert!(!DiagnosticCode::DuplicateRule.needs_known_crawlers());
    /// ```
    pub const fn needs_known_crawlers(self) -> bool {
        matches!(
            self,
            DiagnosticCode::DigitInProductToken
                | DiagnosticCode::MisspelledCrawler
                | DiagnosticCode::RetiredCrawler
                | DiagnosticCode::CrawlDelayIgnored
                | DiagnosticCode::PreferencesAgainstRules
        )
    }

    /// Whether only the host of the file shows findings of this kind:
    /// [`Linter::with_host`](crate::Linter::with_host) reports them.
    ///
    /// ```
    /// use polite_robots_lint::DiagnosticCode;
    ///
    /// assert!(DiagnosticCode::SitemapOnOtherHost.needs_host());
    /// assert!(!DiagnosticCode::RelativeSitemap.needs_host());
    /// ```
    pub const fn needs_host(self) -> bool {
        matches!(self, DiagnosticCode::SitemapOnOtherHost)
    }

    /// Whether a finding of this kind is an opinion: the file does what its author meant, and many
    /// good sites do the same. [`Linter::with_opinions`](crate::Linter::with_opinions) reports
    /// them.
    ///
    /// ```
    /// use polite_robots_lint::DiagnosticCode;
    ///
    /// assert!(DiagnosticCode::NoSitemap.is_opinion());
    /// assert!(!DiagnosticCode::DuplicateRule.is_opinion());
    /// ```
    pub const fn is_opinion(self) -> bool {
        matches!(
            self,
            DiagnosticCode::NoSitemap
                | DiagnosticCode::QueryDisallowed
                | DiagnosticCode::RevealingPath
        )
    }

    /// The kind with a stable name, as [`DiagnosticCode::as_str`] gives it.
    ///
    /// ```
    /// use polite_robots_lint::DiagnosticCode;
    ///
    /// // The kinds that a configuration file switches off.
    /// let ignored: Option<Vec<DiagnosticCode>> =
    ///     ["duplicate-rule", "utf16"].into_iter().map(DiagnosticCode::from_name).collect();
    /// assert_eq!(ignored.unwrap(), [DiagnosticCode::DuplicateRule, DiagnosticCode::Utf16]);
    /// assert_eq!(DiagnosticCode::from_name("duplicate rule"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<DiagnosticCode> {
        DiagnosticCode::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == name)
    }
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How much a [`Diagnostic`](crate::Diagnostic) matters to the owner of the file. A later one
/// is more severe.
///
/// ```
/// use polite_robots_lint::Severity;
///
/// assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file works as meant; the finding is worth knowing.
    Note,
    /// The file works in some crawlers; others may read it differently.
    Warning,
    /// The file very likely does not do what its author meant.
    Error,
}

impl Severity {
    /// The stable name, for machines: `note`, `warning` or `error`.
    ///
    /// ```
    /// assert_eq!(polite_robots_lint::Severity::Warning.as_str(), "warning");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
