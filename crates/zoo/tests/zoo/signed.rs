//! Signed requests, which their hosts verify with the verifier of the crate `web-bot-auth` and the
//! public key.

use std::collections::HashSet;
use std::time::Duration;

use polite_robots_client::identity::{AgentForm, Signer};
use polite_robots_policy::Profile;
use web_bot_auth::components::{CoveredComponent, DerivedComponent, HTTPFieldParameters};
use web_bot_auth::keyring::KeyRing;
use web_bot_auth::message_signatures::SignedMessage;
use web_bot_auth::{SignatureAgentLink, WebBotAuthVerifier};

use super::answer::Answer;
use super::crawl::{client, quick, runtime};
use super::hit::Hit;
use super::server::{Ground, Site, Zoo};

/// A request as the host at this authority sees it.
struct Seen<'h> {
    hit: &'h Hit,
    authority: &'h str,
}

impl SignedMessage for Seen<'_> {
    fn lookup_component(&self, component: &CoveredComponent) -> Vec<String> {
        match component {
            CoveredComponent::Derived(DerivedComponent::Authority { .. }) => {
                vec![self.authority.to_owned()]
            }
            CoveredComponent::HTTP(field) => {
                let value = self.hit.header(&field.name).map(|value| {
                    match &field.parameters.0[..] {
                        // The one member of the dictionary.
                        [HTTPFieldParameters::Key(key)] => {
                            value.strip_prefix(&format!("{key}=")).unwrap().to_owned()
                        }
                        _ => value.to_owned(),
                    }
                });
                value.into_iter().collect()
            }
            CoveredComponent::Derived(_) => Vec::new(),
        }
    }
}

/// The verdict of a host about a request.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Genuine {
        agent: Option<String>,
        nonce: String,
    },
    Expired,
    Forged,
}

fn verify(hit: &Hit, authority: &str, keys: &KeyRing) -> Verdict {
    let Ok(verifier) = WebBotAuthVerifier::parse(&Seen { hit, authority }) else {
        return Verdict::Forged;
    };
    let details = verifier.get_parsed_label().base.parameters.details.clone();
    if details.possibly_insecure(|_| false).is_expired != Some(false) {
        return Verdict::Expired;
    }
    let agent = match &verifier.get_signature_agents()[..] {
        [SignatureAgentLink::External(url)] => Some(url.clone()),
        [] => None,
        others => panic!("{others:?}"),
    };
    match verifier.verify(keys, None) {
        Ok(_) => Verdict::Genuine {
            agent,
            nonce: details.nonce.unwrap(),
        },
        Err(_) => Verdict::Forged,
    }
}

/// Reads the directory that the operator would serve.
fn keys(signer: &Signer) -> KeyRing {
    let mut keys = KeyRing::default();
    let faults = keys.import_jwks(serde_json::from_str(&signer.directory()).unwrap());
    assert!(faults.iter().all(Option::is_none));
    keys
}

fn signer() -> Signer {
    Signer::from_bytes(&[7; 32]).unwrap()
}

fn authority(zoo: &Zoo, hit: &Hit) -> String {
    format!("{}:{}", hit.host, zoo.address(&hit.host).port())
}

/// Opens two hosts. The robots.txt and the page of the first host redirect to the second.
fn zoo() -> Zoo {
    let ground = Ground::new(2, 0);
    let moved = |path| [Answer::redirect(302, ground.url(OTHER, path))];
    let site = Site::default()
        .on("/robots.txt", moved("/rules"))
        .on("/a", moved("/b"));
    let other = Site::default()
        .on("/rules", [Answer::ok("User-agent: *\nDisallow: /c")])
        .on("/b", [Answer::ok("a page")]);
    ground.open([(HOST.to_owned(), site), (OTHER.to_owned(), other)].into())
}

const HOST: &str = "h0001.test";
const OTHER: &str = "h0002.test";
const DIRECTORY: &str = "https://example.com/.well-known/http-message-signatures-directory";

/// The requests of one page with its redirects, by a client with this signer.
fn crawl(zoo: &Zoo, signer: Signer) -> Vec<Hit> {
    runtime().block_on(async {
        let client = client(zoo, quick(Profile::rfc9309()), 2);
        let client = client.sign(signer).build().unwrap();
        let page = client.get(&zoo.url(HOST, "/a")).await.unwrap();
        assert_eq!(page.bytes().await.unwrap(), "a page");
    });
    let hits = zoo.hits();
    let paths: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths, ["/robots.txt", "/rules", "/a", "/robots.txt", "/b"]);
    hits
}

/// Requests for robots.txt and for pages are signed, and each hop of a redirect is signed for its
/// own host.
#[test]
fn each_request_is_signed_for_its_host() {
    let in_drafts = [
        (signer(), None),
        (signer().agent(DIRECTORY).unwrap(), Some(DIRECTORY)),
        (
            signer()
                .agent(DIRECTORY)
                .unwrap()
                .agent_form(AgentForm::Item),
            Some(DIRECTORY),
        ),
    ];
    for (signer, expected) in in_drafts {
        let keys = keys(&signer);
        let zoo = zoo();
        let hits = crawl(&zoo, signer);
        let mut nonces = HashSet::new();
        for hit in &hits {
            let verdict = verify(hit, &authority(&zoo, hit), &keys);
            let Verdict::Genuine { agent, nonce } = verdict else {
                panic!("{verdict:?} {hit:?}");
            };
            assert_eq!(agent.as_deref(), expected);
            assert!(nonces.insert(nonce));
        }
        assert_eq!(nonces.len(), 5);
    }
}

#[test]
fn a_signature_is_worth_nothing_elsewhere_or_changed_or_to_another_key() {
    let signer = signer().agent(DIRECTORY).unwrap();
    let known = keys(&signer);
    let others = keys(&Signer::from_bytes(&[8; 32]).unwrap());
    let zoo = zoo();
    for hit in crawl(&zoo, signer) {
        let own = authority(&zoo, &hit);
        assert!(matches!(
            verify(&hit, &own, &known),
            Verdict::Genuine { .. }
        ));
        // Somebody sends the same request on to another site, or to another port of this one.
        for elsewhere in ["victim.example", &hit.host] {
            assert_eq!(verify(&hit, elsewhere, &known), Verdict::Forged);
        }
        assert_eq!(verify(&hit, &own, &others), Verdict::Forged);
        for (name, from, to) in [
            ("signature-agent", "example.com", "example.org"),
            ("signature-input", "tag=\"web-bot-auth\"", "tag=\"another\""),
            ("signature-input", "created=1", "created=2"),
            ("signature", "sig1=:", "sig1=:AAAA"),
        ] {
            let mut changed = hit.clone();
            let header = changed
                .headers
                .iter_mut()
                .find(|(header, _)| header == name);
            let (_, value) = header.unwrap();
            assert!(value.contains(from), "{value}");
            *value = value.replace(from, to);
            assert_eq!(verify(&changed, &own, &known), Verdict::Forged, "{name}");
        }
    }
}

#[test]
fn a_replay_fails_after_the_lifetime() {
    let signer = signer().lifetime(Duration::from_secs(1));
    let keys = keys(&signer);
    let zoo = zoo();
    let hits = crawl(&zoo, signer);
    std::thread::sleep(Duration::from_millis(1_100));
    for hit in &hits {
        assert_eq!(verify(hit, &authority(&zoo, hit), &keys), Verdict::Expired);
    }
}

/// Nobody else's name, host or signature is sent, whatever header fields the caller sets.
#[test]
fn headers_of_the_caller_change_neither_names_nor_signatures() {
    use polite_robots_client::Request;

    let signer = signer();
    let keys = keys(&signer);
    let zoo = zoo();
    runtime().block_on(async {
        let client = client(&zoo, quick(Profile::rfc9309()), 2);
        let client = client.sign(signer).build().unwrap();
        let mut request = Request::get(&zoo.url(OTHER, "/b")).unwrap();
        for (name, value) in [
            ("host", "another.test"),
            ("user-agent", "Mozilla/5.0"),
            ("from", "nobody@example.com"),
            ("signature", "sig1=\"x\""),
            ("signature-input", "sig1=\"x\""),
            ("signature-agent", "\"https://example.org/\""),
        ] {
            let value = http::HeaderValue::from_static(value);
            request = request.header(http::HeaderName::from_static(name), value);
        }
        client.request(request).await.unwrap();
    });
    let hits = zoo.hits();
    assert_eq!(hits.len(), 2);
    for hit in &hits {
        let own = authority(&zoo, hit);
        let verdict = verify(hit, &own, &keys);
        let is_genuine = matches!(verdict, Verdict::Genuine { agent: None, .. });
        assert!(is_genuine, "{hit:?}");
        assert_eq!(hit.header("host"), Some(&*own));
        assert_eq!(hit.header("from"), Some("bot@example.com"));
        assert!(
            hit.header("user-agent")
                .unwrap()
                .starts_with("ExampleBot/1.0 ")
        );
    }
}

/// A foreign client with the layer signs, too.
#[test]
fn the_layer_signs() {
    use polite_robots_client::Egress;
    use polite_robots_client::middleware::Polite;
    use polite_robots_client::network::GuardedResolver;

    let signer = signer();
    let keys = keys(&signer);
    let zoo = zoo();
    runtime().block_on(async {
        let client = client(&zoo, quick(Profile::rfc9309()), 2);
        let polite = Polite::new(client.sign(signer).build().unwrap());
        let resolver = GuardedResolver::over(Egress::any(), zoo.resolver());
        let http = resolver.guard(reqwest::Client::builder()).build().unwrap();
        let client = reqwest_middleware::ClientBuilder::new(http).with(polite);
        let page = client.build().get(zoo.url(OTHER, "/b")).send().await;
        assert_eq!(page.unwrap().text().await.unwrap(), "a page");
    });
    let hits = zoo.hits();
    assert_eq!(hits.len(), 2);
    for hit in &hits {
        let verdict = verify(hit, &authority(&zoo, hit), &keys);
        assert!(matches!(verdict, Verdict::Genuine { .. }), "{hit:?}");
    }
}
