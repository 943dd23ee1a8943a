//! The question about two versions: which URLs, for which agents.

/// The choice of the URLs to ask about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// These URLs.
    Urls(Vec<String>),
    /// URLs that the rules decide differently, a shortest one for each pair of deciding rules, and
    /// URLs about whose use the file states a preference.
    Rules,
}
