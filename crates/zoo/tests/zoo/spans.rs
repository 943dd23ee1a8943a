//! The spans and events of a crawl, as a subscriber sees them.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use polite_robots_client::{Egress, Error, PoliteClient, Profile};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::answer::Answer;
use super::server::{Ground, Site};

/// The fields of a span or event, by name.
type Fields = BTreeMap<&'static str, String>;

/// Collects the spans and events of the client.
#[derive(Debug, Clone, Default)]
struct Collector(Arc<Mutex<Collected>>);

#[derive(Debug, Default)]
struct Collected {
    spans: Vec<(&'static str, Fields)>,
    events: Vec<(&'static str, Fields)>,
}

struct Reader<'a>(&'a mut Fields);

impl Visit for Reader<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("polite_robots_client")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        span.record(&mut Reader(&mut fields));
        let mut collected = self.0.lock().unwrap();
        collected.spans.push((span.metadata().name(), fields));
        Id::from_u64(collected.spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut collected = self.0.lock().unwrap();
        let number = usize::try_from(span.into_u64()).unwrap() - 1;
        values.record(&mut Reader(&mut collected.spans[number].1));
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Reader(&mut fields));
        let mut collected = self.0.lock().unwrap();
        collected.events.push((event.metadata().name(), fields));
    }

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

impl Collector {
    fn events(&self, name: &str) -> Vec<Fields> {
        let collected = self.0.lock().unwrap();
        let named = collected.events.iter().filter(|(other, _)| *other == name);
        named.map(|(_, fields)| fields.clone()).collect()
    }
}

#[test]
fn a_crawl_has_spans_and_events() {
    let ground = Ground::new(3, 0);
    let [moved, target, down] = ["h0001.test", "h0002.test", "h0003.test"];
    let rules = || Answer::ok("User-agent: *\nDisallow: /private\n");
    let here = ground.url(target, "/there");
    let sites = [
        (
            moved,
            Site::default()
                .on("/robots.txt", [rules()])
                .on("/", [Answer::redirect(302, here)])
                .on("/busy", [Answer::status(429).retry_after(3_600)]),
        ),
        (target, Site::default().on("/there", [Answer::ok("a page")])),
        (
            down,
            Site::default()
                .on("/robots.txt", [Answer::status(500), rules()])
                .on("/", [Answer::ok("a page")]),
        ),
    ];
    let sites = sites.map(|(name, site)| (name.to_owned(), site));
    let zoo = ground.open(sites.into());
    let mut profile = Profile::rfc9309();
    profile.pace.min_delay = std::time::Duration::from_millis(20);
    profile.access.retry_first = std::time::Duration::from_millis(100);
    let collector = Collector::default();
    // The runtime has one thread, as the subscriber is in effect on one only.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // A client that is late would find the outage over.
        .start_paused(true)
        .build()
        .unwrap();
    // If there is only one subscriber, tracing asks only the thread that first meets a callsite
    // whether the callsite is enabled. That may be the thread of another test.
    let _second = tracing::Dispatch::new(collector.clone());
    tracing::subscriber::with_default(collector.clone(), || {
        runtime.block_on(async {
            let client = PoliteClient::builder("ExampleBot")
                .egress(Egress::any())
                .resolver(zoo.resolver())
                .profile(profile)
                .build()
                .unwrap();
            let page = client.get(&zoo.url(moved, "/")).await.unwrap();
            page.bytes().await.unwrap();
            let disallowed = client.get(&zoo.url(moved, "/private")).await;
            assert!(matches!(disallowed, Err(Error::Disallowed(_))));
            drop(client.get(&zoo.url(moved, "/busy")).await.unwrap());
            let closed = client.get(&zoo.url(down, "/")).await;
            assert!(matches!(closed, Err(Error::Closed { .. })));
            while client.get(&zoo.url(down, "/")).await.is_err() {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        });
    });

    let spans: Vec<Fields> = {
        let collected = collector.0.lock().unwrap();
        assert!(
            collected
                .spans
                .iter()
                .all(|(name, _)| *name == "polite.get")
        );
        collected
            .spans
            .iter()
            .map(|(_, fields)| fields.clone())
            .collect()
    };
    let robots = |host| zoo.url(host, "/robots.txt");
    let shown = |fields: &Fields| ["host", "hop", "robots"].map(|name| fields.get(name).cloned());
    let expected = |host: &str, hop: &str, robots: Option<String>| {
        [Some(host.to_owned()), Some(hop.to_owned()), robots]
    };
    assert_eq!(shown(&spans[0]), expected(moved, "0", Some(robots(moved))));
    assert_eq!(
        shown(&spans[1]),
        expected(target, "1", Some(robots(target)))
    );
    assert_eq!(shown(&spans[2]), expected(moved, "0", Some(robots(moved))));
    assert_eq!(shown(&spans[4]), expected(down, "0", None));
    assert!(
        spans[0]["waited_ms"].parse::<u64>().unwrap() >= 20,
        "{spans:?}"
    );
    assert!(
        spans[2]["verdict"].contains("Disallow: /private"),
        "{spans:?}"
    );
    assert!(!spans[2].contains_key("waited_ms"));
    assert!(spans[4]["verdict"].contains("is closed since"), "{spans:?}");

    let rounds: Vec<String> = collector
        .events("polite.round")
        .into_iter()
        .map(|mut fields| fields.remove("outcome").unwrap())
        .collect();
    assert_eq!(rounds[0], "rules");
    assert!(rounds[1].starts_with("no file: "), "{rounds:?}");
    assert!(rounds[2].starts_with("unreachable: "), "{rounds:?}");
    assert_eq!(rounds.last().unwrap(), "rules");
    let origin = |host: &str| zoo.url(host, "");
    for name in ["polite.outage_begins", "polite.outage_ends"] {
        let [event] = &collector.events(name)[..] else {
            panic!("{name}: {:?}", collector.events(name));
        };
        assert_eq!(event["origin"], origin(down), "{name}");
    }
    let levels = collector.events("polite.level");
    assert!(
        levels
            .iter()
            .any(|fields| fields["host"] == moved && fields["before"] == "0"),
        "{levels:?}"
    );
    let [block] = &collector.events("polite.block")[..] else {
        panic!("{:?}", collector.events("polite.block"));
    };
    assert_eq!(block["host"], moved);
    assert!(block.contains_key("until"));
}
