use core::fmt;

/// One row for each kind of finding: its variant, the module of its page, its name and its severity.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident, $module:ident, $name:literal, $severity:ident;)+) => {
        /// The kinds of [`Diagnostic`](crate::lint::Diagnostic). Each has a page in [`codes`].
        ///
        /// ```
        /// use polite_robots::lint::{DiagnosticCode, Severity};
        ///
        /// assert_eq!(DiagnosticCode::MissingColon.as_str(), "missing-colon");
        /// assert!(DiagnosticCode::RuleBeforeGroup.severity() > Severity::Warning);
        /// assert_eq!(DiagnosticCode::from_name("missing-colon"), Some(DiagnosticCode::MissingColon));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum DiagnosticCode {
            $(
                $(#[doc = $doc])+
                #[doc = concat!("\n\n[`", $name, "`](codes::", stringify!($module), ")")]
                $variant,
            )+
        }

        impl DiagnosticCode {
            /// All of them, in the order of this page.
            pub const ALL: &[DiagnosticCode] = &[$(DiagnosticCode::$variant),+];

            /// The stable name, for machines: lower case with hyphens, such as `missing-colon`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(DiagnosticCode::$variant => $name,)+
                }
            }

            /// How much a finding of this kind matters to the owner of the file, at most: a single
            /// [`Diagnostic`](crate::Diagnostic) of [`DiagnosticCode::PrefixedField`] may matter less.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(DiagnosticCode::$variant => Severity::$severity,)+
                }
            }

            /// The page of the code as Markdown: an example, why it matters, what Google does, and the mend.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self {
                    $(DiagnosticCode::$variant => include_str!(concat!("codes/", $name, ".md")),)+
                }
            }
        }

        /// A page for each [`DiagnosticCode`]: an example, why it matters, what Google does, and the mend.
        ///
        /// These modules hold nothing else. [`DiagnosticCode::page`] has the same text for a program.
        #[cfg(doc)]
        pub mod codes {
            $(
                #[doc = include_str!(concat!("codes/", $name, ".md"))]
                pub mod $module {}
            )+
        }
    };
}

codes! {
    /// The file starts with a UTF-8 byte order mark, or with a part of one; it is skipped.
    ByteOrderMark, byte_order_mark, "byte-order-mark", Note;
    /// The file is UTF-16; hardly a line of it can be read.
    Utf16, utf16, "utf16", Error;
    /// Bytes that are not UTF-8; told once a file.
    NotUtf8, not_utf8, "not-utf8", Warning;
    /// The file is an HTML page.
    HtmlDocument, html_document, "html-document", Error;
    /// More than 500 KiB; Google does not read the rest.
    TooLarge, too_large, "too-large", Warning;
    /// The file was cut at [`Options::max_bytes`](crate::Options::max_bytes).
    Truncated, truncated, "truncated", Error;
    /// A line ends in CR alone; told once a file.
    LoneCarriageReturn, lone_carriage_return, "lone-carriage-return", Note;
    /// A line of more than 16,663 bytes; Google's matcher drops the rest of it.
    LineTooLong, line_too_long, "line-too-long", Warning;
    /// A NUL byte; the rest of its line is dropped, as Google does.
    NulOctet, nul_octet, "nul-octet", Error;
    /// A line that is neither blank, nor a comment, nor a record: no colon and not two words, or no field name.
    NotARecord, not_a_record, "not-a-record", Error;
    /// A record without a colon, read as two words.
    MissingColon, missing_colon, "missing-colon", Warning;
    /// A field name that is only accepted as a misspelling, or with noise after it.
    MisspelledField, misspelled_field, "misspelled-field", Warning;
    /// A field name that is nearly a known one, or one behind a byte order mark; the line has no effect.
    UnforgivenMisspelling, unforgiven_misspelling, "unforgiven-misspelling", Error;
    /// A field name that Google's matcher reads as `User-agent`, `Allow`, `Disallow` or `Sitemap`, because it begins so, and
    /// RFC 9309 as that of another record. An error where that changes what Google may fetch, otherwise a note.
    PrefixedField, prefixed_field, "prefixed-field", Error;
    /// A field name that neither RFC 9309 nor a known extension has; the line has no effect.
    UnknownField, unknown_field, "unknown-field", Note;
    /// A field that some document defines and that no large crawler follows.
    UnsupportedField, unsupported_field, "unsupported-field", Note;
    /// A record that was followed once: `Noindex`, `Host`.
    DeprecatedRecord, deprecated_record, "deprecated-record", Warning;
    /// A `User-agent` line without a value; it names nobody.
    EmptyUserAgent, empty_user_agent, "empty-user-agent", Warning;
    /// A `User-agent` value that is more, or something else, than a product token.
    InvalidProductToken, invalid_product_token, "invalid-product-token", Warning;
    /// A `User-agent` value with a digit or a dot, which no product token of RFC 9309 has and some crawlers' names do.
    DigitInProductToken, digit_in_product_token, "digit-in-product-token", Note;
    /// Several agents on one `User-agent` line; only the first is named.
    CommaSeparatedAgents, comma_separated_agents, "comma-separated-agents", Error;
    /// A line between two `User-agent` lines that looks like the end of a group and is none.
    GroupBleed, group_bleed, "group-bleed", Warning;
    /// An `Allow` or `Disallow` line before the first `User-agent` line; it has no effect.
    RuleBeforeGroup, rule_before_group, "rule-before-group", Error;
    /// A path pattern that starts with neither `/` nor `*`; it cannot match.
    PathWithoutSlash, path_without_slash, "path-without-slash", Error;
    /// A path pattern that is a whole URL; it cannot match.
    AbsoluteUrlAsPath, absolute_url_as_path, "absolute-url-as-path", Error;
    /// A `$` before the end of a path pattern, where it stands for itself.
    DollarNotAtEnd, dollar_not_at_end, "dollar-not-at-end", Warning;
    /// A blank inside a path pattern; to Google it matches no URL.
    BlankInPath, blank_in_path, "blank-in-path", Warning;
    /// Bytes outside of ASCII in a path pattern; they are compared percent-encoded.
    NonAsciiInPath, non_ascii_in_path, "non-ascii-in-path", Note;
    /// A `Crawl-delay` value that is not a number of seconds.
    InvalidCrawlDelay, invalid_crawl_delay, "invalid-crawl-delay", Warning;
    /// A `Crawl-delay` of more than 300 seconds; some crawlers take that for a ban, others for a mistake.
    ExtremeCrawlDelay, extreme_crawl_delay, "extreme-crawl-delay", Warning;
    /// A `Sitemap` value that is no absolute URL.
    RelativeSitemap, relative_sitemap, "relative-sitemap", Warning;
    /// A `Sitemap` value that is not UTF-8; it is handed out with U+FFFD in place of what is not.
    SitemapNotUtf8, sitemap_not_utf8, "sitemap-not-utf8", Warning;
    /// The same rule twice for the same agents.
    DuplicateRule, duplicate_rule, "duplicate-rule", Note;
    /// A rule that can never decide, because another one always takes precedence.
    ShadowedRule, shadowed_rule, "shadowed-rule", Warning;
    /// A group for named agents without which rules for everyone would apply to them.
    WildcardRulesDropped, wildcard_rules_dropped, "wildcard-rules-dropped", Warning;
}

impl DiagnosticCode {
    /// Whether a finding of this kind can matter so much.
    #[cfg(feature = "serde")]
    pub(crate) fn may_have(self, severity: Severity) -> bool {
        severity == self.severity()
            || (self, severity) == (DiagnosticCode::PrefixedField, Severity::Note)
    }

    /// The code of a name that [`DiagnosticCode::as_str`] gives.
    #[must_use]
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

/// How much a [`Diagnostic`](crate::lint::Diagnostic) matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Works as meant; worth knowing.
    Note,
    /// Works, but other crawlers may read it otherwise.
    Warning,
    /// Very likely does not do what its author meant.
    Error,
}

impl Severity {
    /// The stable name, for machines: `note`, `warning`, `error`.
    #[must_use]
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
