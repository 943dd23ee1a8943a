//! The loop of the crawl: one URL of a host at a time, many hosts at once.

use std::io::{Result, Write as _, stdout};
use std::{collections::BTreeMap, mem::take, pin::pin, time::Duration};

use polite_robots_client::{Error, PoliteClient, error::BuildError};
use tokio::{signal::ctrl_c, task::JoinSet, time::interval};
use url::Url;

use crate::{frontier::Frontier, links};

/// The number of URLs for each outcome, and the sum of the waits for turns.
type Report = (BTreeMap<&'static str, usize>, Duration);

/// A URL, its outcome and the reason, its links, and the wait for its turn.
type Visit = (Url, &'static str, String, Vec<Url>, Duration);

/// Crawls until nothing is left, or until Ctrl-C.
pub(crate) async fn run(client: &PoliteClient, frontier: &mut Frontier) -> Result<Report> {
    let ((mut ends, mut waits), mut visits) = (Report::default(), JoinSet::new());
    let (mut interrupt, mut most_visits) = (pin!(ctrl_c()), MOST_VISITS);
    let mut ticks = interval(Duration::from_secs(10));
    loop {
        while visits.len() < most_visits {
            let Some(url) = frontier.next() else { break };
            visits.spawn(visit(client.clone(), url));
        }
        tokio::select! {
            visit = visits.join_next() => {
                let Some(visit) = visit else { break };
                let (url, end, why, links, waited) = visit?;
                links.into_iter().try_for_each(|link| frontier.add(link))?;
                frontier.end(&url, end)?;
                waits += waited;
                note(&mut ends, &url, end, &why);
            }
            _ = ticks.tick() => {
                let last = client.hosts().max_by_key(|host| host.next_turn);
                last.iter().for_each(|last| eprintln!("{}; last {last}", client.progress()));
            }
            _ = &mut interrupt => {
                if take(&mut most_visits) == 0 { break }
                eprintln!("stopping; {} pages are under way, Ctrl-C again leaves them", visits.len());
                interrupt.set(ctrl_c());
            }
        }
    }
    visits.shutdown().await;
    let left = frontier.hosts.values().flatten();
    left.for_each(|url| note(&mut ends, url, "left", "not fetched yet"));
    Ok((ends, waits))
}

async fn visit(client: PoliteClient, url: Url) -> Visit {
    let (mut links, mut waited) = (Vec::new(), Duration::ZERO);
    let fetched = async {
        let page = client.get(url.as_str()).await?;
        let (status, url, headers) = (page.status(), page.url().clone(), page.headers().clone());
        waited = page.turn_waited();
        // Here a crawler keeps the page.
        let body = page.bytes().await?;
        links = links::of(&url, &headers, &body).map_err(BuildError::from)?;
        Ok((status.as_u16(), format!("{status}, {} bytes", body.len())))
    };
    let (end, why) = match fetched.await {
        Ok((200..=299, why)) => ("fetched", why),
        Ok((429 | 503, why)) => ("left", why),
        Ok((_, why)) => ("failed", why),
        Err(Error::Disallowed(evidence)) => ("disallowed", evidence.verdict().to_string()),
        Err(why @ Error::Http(_)) => ("left", why.to_string()),
        Err(why) if why.retry_at().is_some() => ("left", why.to_string()),
        Err(why) => ("failed", why.to_string()),
    };
    links.retain(|_| end == "fetched");
    // The rules are at hand by now.
    let sitemaps = client.sitemaps(url.as_str()).await.unwrap_or_default();
    links.extend(sitemaps.iter().flat_map(|url| Url::parse(url)));
    (url, end, why, links, waited)
}

fn note(ends: &mut BTreeMap<&str, usize>, url: &Url, end: &'static str, why: &str) {
    *ends.entry(end).or_default() += 1;
    // If nobody reads the output any more, the crawl goes on, as it is not done for the lines
    // alone.
    let _ = writeln!(stdout(), "{end}\t{url}\t{why}");
}

/// The most URLs that wait for a turn or are fetched at once, each of its own host.
const MOST_VISITS: usize = 1000;
