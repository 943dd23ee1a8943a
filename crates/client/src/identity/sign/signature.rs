//! A signature: the parts of a request that it covers, and the header fields that carry it.

use http::{HeaderMap, HeaderName, HeaderValue};
use indexmap::IndexMap;
use url::Url;
use web_bot_auth::components::{
    CoveredComponent, DerivedComponent, HTTPField, HTTPFieldParameters, HTTPFieldParametersSet,
};
use web_bot_auth::message_signatures::UnsignedMessage;

use crate::identity::sign::sign_error::SignError;

/// The form of the header `Signature-Agent`, which differs between versions of the draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum AgentForm {
    /// A member of a dictionary with the label of the signature: `sig1="https://…"`, as the working
    /// group has it.
    #[default]
    Dictionary,
    /// A string: `"https://…"`, as in the drafts before, for verifiers that know no other.
    Item,
}

/// The part of a request that is signed, and the header fields of its signature.
#[derive(Debug)]
pub(crate) struct Signature {
    components: IndexMap<CoveredComponent, String>,
    agent: Option<String>,
    input: String,
    signature: String,
}

impl Signature {
    /// Covers the host of this URL and the agent, which is the URL of the directory. No key has
    /// signed it yet.
    pub(crate) fn new(url: &Url, agent: Option<&str>, form: AgentForm) -> Signature {
        let host = CoveredComponent::Derived(DerivedComponent::Authority { req: false });
        let mut components = IndexMap::from([(host, authority(url))]);
        let quoted = agent.map(|agent| format!("\"{agent}\""));
        if let Some(quoted) = &quoted {
            let parameters = match form {
                AgentForm::Dictionary => vec![HTTPFieldParameters::Key(LABEL.to_string())],
                AgentForm::Item => Vec::new(),
            };
            let field = CoveredComponent::HTTP(HTTPField {
                name: SIGNATURE_AGENT.to_string(),
                parameters: HTTPFieldParametersSet(parameters),
            });
            components.insert(field, quoted.clone());
        }
        let agent = quoted.map(|quoted| match form {
            AgentForm::Dictionary => labeled(&quoted),
            AgentForm::Item => quoted,
        });
        Signature {
            components,
            agent,
            input: String::new(),
            signature: String::new(),
        }
    }

    /// Adds the header fields, in the place of what a caller has set: a verifier rejects an agent
    /// that the signature does not cover.
    pub(crate) fn attach(self, headers: &mut HeaderMap) -> Result<(), SignError> {
        headers.remove(SIGNATURE_AGENT);
        let fields = [
            (SIGNATURE_AGENT, self.agent),
            (SIGNATURE_INPUT, Some(self.input)),
            (SIGNATURE, Some(self.signature)),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                let value = HeaderValue::from_str(&value).map_err(SignError::request)?;
                headers.insert(name, value);
            }
        }
        Ok(())
    }
}

impl UnsignedMessage for Signature {
    fn fetch_components_to_cover(&self) -> IndexMap<CoveredComponent, String> {
        self.components.clone()
    }

    fn register_header_contents(&mut self, input: String, signature: String) {
        self.input = labeled(&input);
        self.signature = labeled(&signature);
    }
}

/// `@authority` (RFC 9421 §2.2.3): the host in lower case, as a parsed URL has it, and the port if
/// it is not the default.
fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_string(),
    }
}

fn labeled(value: &str) -> String {
    format!("{LABEL}={value}")
}

/// The label of the one signature of a request.
const LABEL: &str = "sig1";

const SIGNATURE: HeaderName = HeaderName::from_static("signature");
const SIGNATURE_INPUT: HeaderName = HeaderName::from_static("signature-input");
const SIGNATURE_AGENT: HeaderName = HeaderName::from_static("signature-agent");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_is_that_of_the_host_field() {
        for (url, expected) in [
            ("https://Example.com/a", "example.com"),
            ("https://example.com:443/", "example.com"),
            ("http://example.com:443/", "example.com:443"),
            ("http://user:word@[2001:DB8::1]:8080/", "[2001:db8::1]:8080"),
        ] {
            assert_eq!(authority(&url.parse().unwrap()), expected);
        }
    }
}
