//! Signatures of requests by Web Bot Auth: HTTP Message Signatures (RFC 9421) with the crawler's
//! Ed25519 key.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::{BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use rustls::crypto::SecureRandom;
use serde_json::{Value, json};
use url::Url;
use web_bot_auth::keyring::{Algorithm, Thumbprintable};
use web_bot_auth::message_signatures::MessageSigner;

use crate::identity::sign::sign_error::SignError;
use crate::identity::sign::signature::{AgentForm, Signature};

pub(crate) mod sign_error;
pub(crate) mod signature;

/// The key of a crawler, and the way in which it signs requests.
///
/// Each request then proves that the holder of the key sent it, until the signature expires. It
/// covers the authority of the URL (host and port) and `Signature-Agent`, so a signature for one
/// site is worth nothing at another. Make a key of your own with
/// `openssl genpkey -algorithm ed25519 -out key.pem`, and publish [`Signer::directory`] at the URL
/// of [`Signer::agent`].
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use polite_robots_client::PoliteClient;
/// use polite_robots_client::identity::Signer;
///
/// let signer = Signer::from_pem(&std::fs::read_to_string("key.pem")?)?
///     .agent("https://example.com/.well-known/http-message-signatures-directory")?;
/// println!("serve this file: {}", signer.directory());
/// let client = PoliteClient::builder("ExampleBot").sign(signer).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Signer {
    key: SigningKey,
    key_id: String,
    agent: Option<String>,
    agent_form: AgentForm,
    lifetime: Duration,
    random: &'static dyn SecureRandom,
}

impl Signer {
    /// Signs with a private key in PKCS#8 and PEM, as OpenSSL writes it.
    ///
    /// # Errors
    ///
    /// [`SignError::Key`], [`SignError::TestKey`].
    pub fn from_pem(pem: &str) -> Result<Signer, SignError> {
        Signer::new(SigningKey::from_pkcs8_pem(pem).map_err(SignError::key)?)
    }

    /// Signs with a private key in PKCS#8 and DER.
    ///
    /// # Errors
    ///
    /// The same as [`Signer::from_pem`].
    pub fn from_der(der: &[u8]) -> Result<Signer, SignError> {
        Signer::new(SigningKey::from_pkcs8_der(der).map_err(SignError::key)?)
    }

    /// Signs with a private JSON Web Key: `{"kty":"OKP","crv":"Ed25519","d":…,"x":…}`.
    ///
    /// # Errors
    ///
    /// The same as [`Signer::from_pem`]; also if `x` is not the public half of `d`.
    pub fn from_jwk(jwk: &str) -> Result<Signer, SignError> {
        let jwk: Value = serde_json::from_str(jwk).map_err(SignError::key)?;
        let member = |name| jwk.get(name).and_then(Value::as_str);
        if (member("kty"), member("crv")) != (Some("OKP"), Some("Ed25519")) {
            return Err(SignError::key("kty is not OKP, or crv is not Ed25519"));
        }
        let private =
            member("d").ok_or_else(|| SignError::key("d, the private half, is not there"))?;
        // The decoder's error names the byte that it cannot read, which is a byte of the key.
        let private = BASE64_URL_SAFE_NO_PAD.decode(private).ok();
        let key = private.and_then(|private| SigningKey::try_from(private.as_slice()).ok());
        let key = key.ok_or_else(|| SignError::key("d is not 32 bytes in base64url"))?;
        if member("x").is_some_and(|public| public != public_half(&key)) {
            return Err(SignError::key("x is not the public half of d"));
        }
        Signer::new(key)
    }

    /// Signs with the 32 bytes of a private key, which RFC 8032 calls the seed.
    ///
    /// # Errors
    ///
    /// [`SignError::TestKey`].
    pub fn from_bytes(key: &[u8; 32]) -> Result<Signer, SignError> {
        Signer::new(SigningKey::from_bytes(key))
    }

    fn new(key: SigningKey) -> Result<Signer, SignError> {
        let public = Thumbprintable::OKP {
            crv: "Ed25519".to_string(),
            x: public_half(&key),
        };
        let key_id = public.b64_thumbprint();
        if key_id == TEST_KEY {
            return Err(SignError::TestKey);
        }
        Ok(Signer {
            key,
            key_id,
            agent: None,
            agent_form: AgentForm::default(),
            lifetime: LIFETIME,
            random: rustls::crypto::ring::default_provider().secure_random,
        })
    }

    /// Names the https URL of the directory of keys in `Signature-Agent`. Without it the header is
    /// not sent, and only a verifier that knows the key already can do something with the
    /// signature.
    ///
    /// # Errors
    ///
    /// [`SignError::Agent`].
    pub fn agent(mut self, url: &str) -> Result<Signer, SignError> {
        let parsed = Url::parse(url).ok().filter(|url| url.scheme() == "https");
        // A quote would end the string in the header, and a backslash begin an escape.
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        if parsed.is_none() || !url.bytes().all(is_plain) {
            return Err(SignError::Agent {
                url: url.to_string(),
            });
        }
        self.agent = Some(url.to_string());
        Ok(self)
    }

    /// Sets the form of `Signature-Agent`; [`AgentForm::Dictionary`] by default.
    #[must_use]
    pub fn agent_form(mut self, form: AgentForm) -> Signer {
        self.agent_form = form;
        self
    }

    /// Sets the time from the signature to its end, in whole seconds: 5 minutes by default, at
    /// least one second and at most the 24 hours of the draft. In that time anybody who reads a
    /// signed request can send it to the same site again. If a clock is slow by more than that,
    /// each signature is worthless.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Duration) -> Signer {
        let seconds = lifetime.as_secs().clamp(1, LONGEST_LIFETIME.as_secs());
        self.lifetime = Duration::from_secs(seconds);
        self
    }

    /// The name of the key in each signature: the thumbprint of its public half (RFC 7638).
    #[must_use]
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// The directory with the public half of the key, a JSON Web Key Set. Serve it over https
    /// without redirects as `application/http-message-signatures-directory+json`.
    ///
    /// ```
    /// # use polite_robots_client::identity::Signer;
    /// let signer = Signer::from_bytes(&[7; 32])?;
    /// assert!(signer.directory().contains(signer.key_id()));
    /// # Ok::<(), polite_robots_client::identity::SignError>(())
    /// ```
    #[must_use]
    pub fn directory(&self) -> String {
        let key = json!({
            "kty": "OKP",
            "crv": "Ed25519",
            "kid": self.key_id,
            "use": "sig",
            "x": public_half(&self.key),
        });
        json!({ "keys": [key] }).to_string()
    }

    /// Signs a request that is sent now.
    pub(crate) fn sign(&self, request: &mut reqwest::Request) -> Result<(), SignError> {
        let mut nonce = [0; NONCE_BYTES];
        let random = self.random.fill(&mut nonce);
        random.map_err(|_| SignError::request("the system gave no random bytes"))?;
        let signer = MessageSigner {
            keyid: self.key_id.clone(),
            nonce: BASE64_URL_SAFE.encode(nonce),
            tag: TAG.to_string(),
        };
        let agent = self.agent.as_deref();
        let mut signature = Signature::new(request.url(), agent, self.agent_form);
        signer
            .generate_signature_headers_content(
                &mut signature,
                self.lifetime,
                Algorithm::Ed25519,
                self.key.as_bytes(),
            )
            .map_err(SignError::request)?;
        signature.attach(request.headers_mut())
    }
}

/// Shows neither half of the key.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer")
            .field("key_id", &self.key_id)
            .field("agent", &self.agent)
            .field("agent_form", &self.agent_form)
            .field("lifetime", &self.lifetime)
            .finish_non_exhaustive()
    }
}

fn public_half(key: &SigningKey) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes())
}

/// The purpose that verifiers look for.
const TAG: &str = "web-bot-auth";

/// The default lifetime: long enough for clocks that differ by minutes, short enough against
/// replay.
const LIFETIME: Duration = Duration::from_secs(300);

/// The longest lifetime that the draft recommends.
const LONGEST_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The length of the nonce that the draft recommends.
const NONCE_BYTES: usize = 64;

/// The thumbprint of the Ed25519 key in RFC 9421 appendix B.1.4, which the draft forbids.
const TEST_KEY: &str = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";

#[cfg(test)]
mod tests {
    use base64::prelude::BASE64_STANDARD;
    use web_bot_auth::keyring::{JSONWebKeySet, KeyRing};

    use super::*;

    #[test]
    fn the_forms_of_a_key_give_the_same_signer() {
        let der = [PKCS8_HEAD, &[7; 32]].concat();
        let private = BASE64_URL_SAFE_NO_PAD.encode([7; 32]);
        let jwk = json!({"kty": "OKP", "crv": "Ed25519", "d": private}).to_string();
        let signer = Signer::from_bytes(&[7; 32]).unwrap();
        for other in [
            Signer::from_pem(&pem(&der)),
            Signer::from_der(&der),
            Signer::from_jwk(&jwk),
        ] {
            assert_eq!(other.unwrap().key, signer.key);
        }
        let directory: JSONWebKeySet = serde_json::from_str(&signer.directory()).unwrap();
        let mut keys = KeyRing::default();
        assert!(keys.import_jwks(directory)[0].is_none());
        let (_, public) = keys.get(&signer.key_id).unwrap();
        assert_eq!(public, signer.key.verifying_key().as_bytes());
    }

    fn pem(der: &[u8]) -> String {
        let (kind, body) = ("PRIVATE KEY", BASE64_STANDARD.encode(der));
        format!("-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n")
    }

    /// PKCS#8 of an Ed25519 key up to its 32 bytes (RFC 8410 §7), as OpenSSL writes it.
    const PKCS8_HEAD: &[u8] = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";

    #[test]
    fn a_key_of_another_kind_is_an_error_that_shows_no_key() {
        let private = BASE64_URL_SAFE_NO_PAD.encode([7; 32]);
        let jwk = |kty: &str, crv: &str, x: &str| {
            json!({"kty": kty, "crv": crv, "d": private, "x": x}).to_string()
        };
        for result in [
            Signer::from_pem(&pem(&[0; 48])),
            Signer::from_pem(""),
            Signer::from_der(&[48, 46, 2, 1]),
            Signer::from_jwk("{"),
            Signer::from_jwk(&jwk("EC", "P-256", "")),
            Signer::from_jwk(&jwk("OKP", "X25519", "")),
            Signer::from_jwk(&jwk("OKP", "Ed25519", "AAAA")),
            Signer::from_jwk(r#"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#),
            Signer::from_jwk(r#"{"kty":"OKP","crv":"Ed25519","d":"AAAA"}"#),
            Signer::from_jwk(r#"{"kty":"OKP","crv":"Ed25519","d":"*secret*"}"#),
        ] {
            let error = result.unwrap_err();
            assert!(matches!(error, SignError::Key { .. }), "{error:?}");
            let text = format!("{error} {error:?}");
            assert!(!text.contains(&private) && !text.contains("*"), "{text}");
        }
        let signer = Signer::from_bytes(&[7; 32]).unwrap();
        assert!(!format!("{signer:?}").contains(&format!("{:?}", [7, 7, 7])));
    }

    #[test]
    fn the_public_test_key_is_refused() {
        let jwk =
            r#"{"kty":"OKP","crv":"Ed25519","d":"n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU"}"#;
        assert!(matches!(Signer::from_jwk(jwk), Err(SignError::TestKey)));
    }

    #[test]
    fn an_agent_is_an_https_url() {
        let signer = Signer::from_bytes(&[7; 32]).unwrap();
        for url in [
            "example.com",
            "http://example.com/keys",
            "https://",
            "https://example.com/\"",
            "https://example.com/\\",
            "https://example.com/a b",
            "https://exämple.com/",
            "https://example.com/\r\nX: y",
        ] {
            let error = signer.clone().agent(url).unwrap_err();
            assert!(matches!(error, SignError::Agent { .. }), "{url}");
        }
        assert!(signer.agent("https://example.com/keys?v=1").is_ok());
    }

    #[test]
    fn a_lifetime_has_limits() {
        let signer = Signer::from_bytes(&[7; 32]).unwrap();
        for (asked, expected) in [
            (Duration::ZERO, Duration::from_secs(1)),
            (Duration::from_millis(2900), Duration::from_secs(2)),
            (Duration::MAX, LONGEST_LIFETIME),
        ] {
            assert_eq!(signer.clone().lifetime(asked).lifetime, expected);
        }
    }
}
