//! The name under which a crawler presents itself: the headers `User-Agent` and `From`.

use std::fmt;

use polite_robots::{InvalidToken, ProductToken};
use thiserror::Error;
use url::Url;

#[cfg(feature = "sign")]
pub(crate) mod sign;

#[cfg(feature = "sign")]
pub use self::sign::{Signer, sign_error::SignError, signature::AgentForm};

/// The name under which a crawler presents itself: the headers `User-Agent` and `From`.
///
/// A site must be able to see in its log which rules of its robots.txt a request obeyed and whom to
/// ask about it. So the `User-Agent` contains the product token (RFC 9309 §2.2.1), and with a
/// contact it names a page about the crawler and an address that people read; `From` repeats the
/// address (RFC 9110 §10.1.2).
///
/// ```
/// use polite_robots_client::identity::Identity;
///
/// let identity = Identity::new("ExampleBot")?
///     .version("1.0")?
///     .contact("https://example.com/bot", "bot@example.com")?;
/// assert_eq!(identity.user_agent(), "ExampleBot/1.0 (+https://example.com/bot; bot@example.com)");
/// assert_eq!(identity.from(), Some("bot@example.com"));
/// # Ok::<(), polite_robots_client::identity::InvalidIdentity>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    token: String,
    form: Form,
    from: Option<String>,
}

/// The `User-Agent`, as it is put together or as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Parts {
        version: Option<String>,
        page: Option<String>,
    },
    Whole(String),
}

/// A part of an [`Identity`] that no site could use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidIdentity {
    /// The name of the crawler is not a product token.
    #[error(transparent)]
    Token(#[from] InvalidToken),
    /// The version is empty or has other characters than `A-Z a-z 0-9 . _ + -`.
    #[error("{0:?} is no version: use letters, digits, `.`, `_`, `+` and `-`, as in `1.0`")]
    Version(String),
    /// The page about the crawler is not an absolute URL of http or https.
    #[error(
        "{0:?} is no page that a site can open: use a URL of http or https without `(`, `)`, `;` and spaces"
    )]
    Page(String),
    /// The address is not one that a program can put into a header.
    #[error("{0:?} is no address to write to: use the form `bot@example.com`")]
    Address(String),
    /// The `User-Agent` does not contain the product token, so that a site cannot know which of its
    /// rules apply.
    #[error(
        "the User-Agent {user_agent:?} does not contain the product token {token:?}, which robots.txt is searched for"
    )]
    TokenMissing {
        /// The `User-Agent` that was given.
        user_agent: String,
        /// The product token.
        token: String,
    },
    /// The `User-Agent` has a byte that a header must not have; the number is its offset.
    #[error("byte {0} of the User-Agent is not printable ASCII")]
    Byte(usize),
}

impl Identity {
    /// The `User-Agent` is the product token alone, such as `ExampleBot`.
    ///
    /// # Errors
    ///
    /// [`InvalidIdentity::Token`] for a name that no group of a robots.txt can have.
    pub fn new(token: impl Into<String>) -> Result<Identity, InvalidIdentity> {
        let token = token.into();
        ProductToken::new(&token)?;
        Ok(Identity {
            token,
            form: Form::Parts {
                version: None,
                page: None,
            },
            from: None,
        })
    }

    /// Adds a version: `ExampleBot/1.0`. Replaces a `User-Agent` that was given whole.
    ///
    /// # Errors
    ///
    /// [`InvalidIdentity::Version`].
    pub fn version(mut self, version: impl Into<String>) -> Result<Identity, InvalidIdentity> {
        let version = version.into();
        let is_version = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte);
        if version.is_empty() || !version.bytes().all(is_version) {
            return Err(InvalidIdentity::Version(version));
        }
        self.form = Form::Parts {
            version: Some(version),
            page: self.page().map(str::to_owned),
        };
        Ok(self)
    }

    /// Adds a page about the crawler and an address that people read. The page goes into the
    /// `User-Agent`, the address there and into `From`.
    ///
    /// A `User-Agent` that was given whole stays as it is; only `From` is set then.
    ///
    /// # Errors
    ///
    /// [`InvalidIdentity::Page`], [`InvalidIdentity::Address`].
    pub fn contact(mut self, page: &str, address: &str) -> Result<Identity, InvalidIdentity> {
        let is_plain = |text: &str| {
            let is_part = |byte: u8| byte.is_ascii_graphic() && !b"();<>\"\\".contains(&byte);
            text.bytes().all(is_part)
        };
        let has_host = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        if !is_plain(page) || !Url::parse(page).is_ok_and(|url| has_host(&url)) {
            return Err(InvalidIdentity::Page(page.to_owned()));
        }
        let is_address = match address.split_once('@') {
            Some((name, host)) => !name.is_empty() && !host.is_empty() && !host.contains('@'),
            None => false,
        };
        if !is_address || !is_plain(address) || address.contains(',') {
            return Err(InvalidIdentity::Address(address.to_owned()));
        }
        if let Form::Parts { page: present, .. } = &mut self.form {
            *present = Some(page.to_owned());
        }
        self.from = Some(address.to_owned());
        Ok(self)
    }

    /// Replaces the `User-Agent` by a text of the caller, such as
    /// `Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)`.
    ///
    /// # Errors
    ///
    /// [`InvalidIdentity::TokenMissing`] if the product token is not in it, in any case of letters
    /// and as a word of its own: `ExampleBots` does not contain `ExampleBot`.
    /// [`InvalidIdentity::Byte`] for control characters and anything outside of ASCII.
    pub fn whole(mut self, user_agent: impl Into<String>) -> Result<Identity, InvalidIdentity> {
        let user_agent = user_agent.into();
        let is_odd = |byte: u8| byte != b' ' && !byte.is_ascii_graphic();
        if let Some(at) = user_agent.bytes().position(is_odd) {
            return Err(InvalidIdentity::Byte(at));
        }
        if !contains_word(&user_agent, &self.token) {
            return Err(InvalidIdentity::TokenMissing {
                user_agent,
                token: self.token,
            });
        }
        self.form = Form::Whole(user_agent);
        Ok(self)
    }

    /// The product token: the name that robots.txt is searched for.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The value of `User-Agent`: printable ASCII.
    #[must_use]
    pub fn user_agent(&self) -> String {
        self.to_string()
    }

    /// The value of `From`, if there is a contact: printable ASCII.
    #[must_use]
    pub fn from(&self) -> Option<&str> {
        self.from.as_deref()
    }

    fn page(&self) -> Option<&str> {
        match &self.form {
            Form::Parts { page, .. } => page.as_deref(),
            Form::Whole(_) => None,
        }
    }
}

/// The value of `User-Agent`.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Form::Parts { version, page } = &self.form else {
            let Form::Whole(text) = &self.form else {
                return Ok(());
            };
            return f.write_str(text);
        };
        f.write_str(&self.token)?;
        if let Some(version) = version {
            write!(f, "/{version}")?;
        }
        match (page, &self.from) {
            (Some(page), Some(address)) => write!(f, " (+{page}; {address})"),
            _ => Ok(()),
        }
    }
}

/// Whether a text contains a word, in any case of letters, that no letter, digit, `_` or `-` makes
/// longer.
fn contains_word(text: &str, word: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let ends = word.len()..=text.len();
    ends.into_iter().any(|end| {
        let (before, found) = match text.split_at_checked(end - word.len()) {
            Some((before, rest)) => (before, rest.get(..word.len())),
            None => return false,
        };
        found.is_some_and(|found| found.eq_ignore_ascii_case(word))
            && !before.last().is_some_and(is_part)
            && !text.get(end).is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Identity {
        Identity::new("ExampleBot").unwrap()
    }

    #[test]
    fn the_parts_are_put_together() {
        assert_eq!(example().user_agent(), "ExampleBot");
        assert_eq!(example().from(), None);
        let versioned = example().version("1.0-rc_2+x").unwrap();
        assert_eq!(versioned.user_agent(), "ExampleBot/1.0-rc_2+x");
        let contact =
            |identity: Identity| identity.contact("https://example.com/bot", "a@b.example");
        let expected = "ExampleBot/2 (+https://example.com/bot; a@b.example)";
        let before = contact(example()).unwrap().version("2").unwrap();
        let after = contact(example().version("2").unwrap()).unwrap();
        assert_eq!((before.user_agent().as_str(), &before), (expected, &after));
        assert_eq!(
            contact(example()).unwrap().user_agent(),
            "ExampleBot (+https://example.com/bot; a@b.example)"
        );
    }

    #[test]
    fn a_token_that_no_file_can_name_is_refused() {
        for token in ["", "Example Bot", "ExampleBot/1.0", "Bot\n", "*", "Böt"] {
            let refused = Identity::new(token);
            assert!(
                matches!(refused, Err(InvalidIdentity::Token(_))),
                "{token:?}"
            );
        }
    }

    #[test]
    fn a_version_is_one_word() {
        for version in ["", "1 0", "1/0", "1.0\r\nX: y", "1;0", "é"] {
            let refused = example().version(version);
            assert_eq!(refused, Err(InvalidIdentity::Version(version.to_owned())));
        }
    }

    #[test]
    fn a_contact_is_a_page_and_an_address() {
        for page in [
            "",
            "example.com/bot",
            "/bot",
            "mailto:bot@example.com",
            "file:///bot",
            "https://example.com/a b",
            "https://example.com/(bot)",
            "https://example.com/a;b",
            "https://example.com/é",
            "https://example.com/\r\nX: y",
        ] {
            let refused = example().contact(page, "bot@example.com");
            assert_eq!(refused, Err(InvalidIdentity::Page(page.to_owned())));
        }
        for address in [
            "",
            "bot",
            "@example.com",
            "bot@",
            "a@b@c",
            "bot @example.com",
            "Bot <bot@example.com>",
            "a@example.com, b@example.com",
            "a,b@example.com",
            "bot@example.com\r\nX: y",
            "bøt@example.com",
        ] {
            let refused = example().contact("https://example.com/bot", address);
            assert_eq!(refused, Err(InvalidIdentity::Address(address.to_owned())));
        }
    }

    #[test]
    fn a_whole_user_agent_must_contain_the_token() {
        for text in [
            "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)",
            "examplebot",
            "x EXAMPLEBOT y",
            "a.ExampleBot.",
        ] {
            assert_eq!(example().whole(text).unwrap().user_agent(), text);
        }
        for token in ["Bot2", "A.b-c_D"] {
            let text = format!("x/1 {token}/2");
            assert!(Identity::new(token).unwrap().whole(text).is_ok());
        }
        for text in [
            "",
            "Mozilla/5.0",
            "ExampleBots/1.0",
            "MyExampleBot",
            "ExampleBot1",
            "2ExampleBot",
            "Example-Bot",
            "Example Bot",
        ] {
            let refused = example().whole(text).unwrap_err();
            assert!(
                matches!(refused, InvalidIdentity::TokenMissing { .. }),
                "{text}"
            );
        }
        assert_eq!(
            example().whole("ExampleBot\n"),
            Err(InvalidIdentity::Byte(10))
        );
        assert_eq!(
            example().whole("ExampleBot \u{e9}"),
            Err(InvalidIdentity::Byte(11))
        );
    }

    #[test]
    fn a_whole_user_agent_keeps_its_text_beside_a_contact() {
        let text = "Mozilla/5.0 (compatible; ExampleBot/1.0)";
        let contact = |identity: Identity| {
            let identity = identity.contact("https://example.com/bot", "bot@example.com");
            identity.unwrap()
        };
        for identity in [
            contact(example().whole(text).unwrap()),
            contact(example()).whole(text).unwrap(),
        ] {
            assert_eq!(identity.user_agent(), text);
            assert_eq!(identity.from(), Some("bot@example.com"));
        }
    }

    #[test]
    fn every_value_may_stand_in_a_header() {
        let identity = example().version("1.0").unwrap();
        let identity = identity.contact("https://example.com/~bot?a=%20", "o'neil+bot@example.com");
        let identity = identity.unwrap();
        let is_printable = |text: &str| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        assert!(is_printable(&identity.user_agent()) && identity.from().is_some_and(is_printable));
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let refusal = example().whole("Mozilla/5.0").unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "the User-Agent \"Mozilla/5.0\" does not contain the product token \"ExampleBot\", which robots.txt is \
             searched for"
        );
        let refusal = example()
            .contact("https://example.com/", "bot")
            .unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "\"bot\" is no address to write to: use the form `bot@example.com`"
        );
    }
}
