//! Asks many sites: different hosts at once, the sites of one host one after the other.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use polite_robots_policy::Origin;
use tokio::task::{JoinSet, LocalSet};

use crate::fetch::http::{Paces, Settings};
use crate::fetch::progress::Progress;
use crate::fetch::site::Site;
use crate::outcome::Failure;

/// Asks all sites, up to `parallel` hosts at once, and hands over each as soon as it has answered:
/// a site may have a file of 500 KB. The results are in the order of the origins.
pub(super) fn ask<T>(
    origins: Vec<Origin>,
    settings: Settings,
    parallel: usize,
    take: impl FnMut(Site) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    if origins.is_empty() {
        return Ok(Vec::new());
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let asked = ask_hosts(by_host(origins), Rc::new(settings), parallel, take);
    let results = LocalSet::new().block_on(&runtime, asked);
    // The runtime does not wait for a resolver that hangs in a thread of its own.
    runtime.shutdown_background();
    results
}

/// The sites of one host with their places in the list.
type Host = VecDeque<(usize, Origin)>;

fn by_host(origins: Vec<Origin>) -> VecDeque<Host> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut hosts: VecDeque<Host> = VecDeque::new();
    for (number, origin) in origins.into_iter().enumerate() {
        let place = *places
            .entry(origin.host().to_owned())
            .or_insert(hosts.len());
        match hosts.get_mut(place) {
            Some(host) => host.push_back((number, origin)),
            None => hosts.push_back(Host::from([(number, origin)])),
        }
    }
    hosts
}

async fn ask_hosts<T>(
    mut waiting: VecDeque<Host>,
    settings: Rc<Settings>,
    parallel: usize,
    mut take: impl FnMut(Site) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let progress = Progress::new(waiting.iter().map(VecDeque::len).sum());
    let paces = Paces::default();
    let mut asking = JoinSet::new();
    let mut results = BTreeMap::new();
    loop {
        while asking.len() < parallel
            && let Some(mut host) = waiting.pop_front()
        {
            let Some((place, origin)) = host.pop_front() else {
                continue;
            };
            let (settings, paces) = (Rc::clone(&settings), paces.clone());
            asking.spawn_local(async move {
                let site = Site::ask(origin, &settings, &paces).await;
                (place, site, host)
            });
        }
        let Some(asked) = asking.join_next().await else {
            return Ok(results.into_values().collect());
        };
        let (place, site, host) = asked?;
        results.insert(place, take(site?)?);
        progress.advance();
        waiting.push_front(host);
    }
}
