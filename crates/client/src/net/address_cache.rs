//! A cache of the address of each host, which decides the group of the host.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use polite_robots_policy::IpGroup;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::time::Instant;

use crate::hosts::groups::Groups;
use crate::net::resolver::{GuardedResolver, folded};

/// The addresses of the hosts that were resolved. The cache stands between the HTTP client and the
/// resolver, so that the address of the group is the address of the connection.
#[derive(Clone)]
pub(crate) struct AddressCache(Arc<Inner>);

struct Inner {
    groups: Groups,
    /// A resolver of permitted addresses only: a refused address makes no group.
    names: GuardedResolver,
    generations: Mutex<Generations>,
}

/// The group of a host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Membership {
    pub(crate) group: Option<IpGroup>,
    /// Whether the group is new, or has changed, since the last call that reported it.
    pub(crate) is_changed: bool,
}

/// The hosts in two halves: when one is full, the other is forgotten. A forgotten host is resolved
/// again when it is next asked about.
#[derive(Default)]
struct Generations {
    recent: HashMap<Box<str>, Arc<HostAddress>>,
    earlier: HashMap<Box<str>, Arc<HostAddress>>,
}

/// The cached address of one host.
#[derive(Default)]
struct HostAddress {
    /// A lock that is held while the host is resolved for its group, once for all callers.
    checking: tokio::sync::Mutex<()>,
    resolution: Mutex<Resolution>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Resolution {
    /// The address to which connections go first.
    address: Option<IpAddr>,
    group: Option<IpGroup>,
    is_changed: bool,
    /// The time to look again; `None` before the first look.
    due: Option<Instant>,
}

impl AddressCache {
    pub(crate) fn new(groups: Groups, names: GuardedResolver) -> AddressCache {
        AddressCache(Arc::new(Inner {
            groups,
            names,
            generations: Mutex::default(),
        }))
    }

    /// The group of the hosts at an address.
    pub(crate) fn group_at(&self, address: IpAddr) -> Option<IpGroup> {
        self.0.groups.of(address)
    }

    /// Resolves a host, given as in a URL, if it is new or was not resolved for long.
    pub(crate) async fn refresh(&self, host: &str) {
        if literal(host).is_some() {
            return;
        }
        let entry = self.0.host(host);
        if !entry.is_due() {
            return;
        }
        let is_known = entry.resolution().address.is_some();
        // A caller does not wait for another one's refresh if the address is known.
        let checking = match is_known {
            true => entry.checking.try_lock().ok(),
            false => Some(entry.checking.lock().await),
        };
        if checking.is_some() && entry.is_due() {
            let looked_up = tokio::time::timeout(PATIENCE, self.0.find(host)).await;
            if !matches!(looked_up, Ok(Ok(_))) {
                // The group, if there is one, stays: the host may be reached by connections that
                // are open.
                entry.resolution().due = Some(Instant::now() + RETRY);
            }
        }
    }

    /// The group of a host, if it was resolved. A change is still reported later.
    pub(crate) fn group(&self, host: &str) -> Option<IpGroup> {
        match literal(host) {
            Some(address) => self.0.groups.of(address),
            None => self.0.host(host).resolution().group,
        }
    }

    /// The group of a host, if it was resolved. A change is reported to one caller only.
    pub(crate) fn take_membership(&self, host: &str) -> Membership {
        match literal(host) {
            // The group of an address never changes.
            Some(address) => Membership {
                group: self.0.groups.of(address),
                is_changed: false,
            },
            None => self.0.host(host).membership(),
        }
    }

    #[cfg(test)]
    async fn membership(&self, host: &str) -> Membership {
        self.refresh(host).await;
        self.take_membership(host)
    }
}

/// The address, if the host of a URL is one.
fn literal(host: &str) -> Option<IpAddr> {
    let unwrapped = host.trim_start_matches('[').trim_end_matches(']');
    unwrapped.parse().ok()
}

impl Resolve for AddressCache {
    fn resolve(&self, name: Name) -> Resolving {
        let cache = Arc::clone(&self.0);
        Box::pin(async move {
            let addresses = cache.look_up(name).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

impl fmt::Debug for AddressCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut this = f.debug_struct("AddressCache");
        this.field("groups", &self.0.groups).finish_non_exhaustive()
    }
}

impl Inner {
    async fn find(&self, host: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        self.look_up(host.parse()?).await
    }

    /// The addresses of a host; the address of its group is first.
    async fn look_up(&self, name: Name) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let entry = self.host(name.as_str());
        let mut addresses: Vec<SocketAddr> = self.names.resolve(name).await?.collect();
        entry.note(&mut addresses, &self.groups);
        Ok(addresses)
    }

    fn host(&self, host: &str) -> Arc<HostAddress> {
        let mut generations = self
            .generations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Nearly every name is folded already.
        if let Some(entry) = generations.recent.get(host) {
            return Arc::clone(entry);
        }
        let host = folded(host).into_boxed_str();
        if let Some(entry) = generations.recent.get(&host) {
            return Arc::clone(entry);
        }
        let entry = generations.earlier.remove(&host).unwrap_or_default();
        if generations.recent.len() >= HALF {
            generations.earlier = std::mem::take(&mut generations.recent);
        }
        generations.recent.insert(host, Arc::clone(&entry));
        entry
    }
}

impl HostAddress {
    fn resolution(&self) -> MutexGuard<'_, Resolution> {
        self.resolution
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn is_due(&self) -> bool {
        self.resolution()
            .due
            .is_none_or(|due| due <= Instant::now())
    }

    fn membership(&self) -> Membership {
        let mut resolution = self.resolution();
        Membership {
            group: resolution.group,
            is_changed: std::mem::take(&mut resolution.is_changed),
        }
    }

    /// Puts the known address first if the host still has it; else the new first one becomes the
    /// known one. Name servers rotate their answers, and the host must not change its group each
    /// time.
    fn note(&self, addresses: &mut [SocketAddr], groups: &Groups) {
        let mut resolution = self.resolution();
        let place = addresses
            .iter()
            .position(|address| Some(address.ip()) == resolution.address);
        if let Some(before) = place.and_then(|place| addresses.get_mut(..=place)) {
            before.rotate_right(1);
        }
        let Some(address) = addresses.first().map(SocketAddr::ip) else {
            return;
        };
        let group = groups.of(address);
        *resolution = Resolution {
            address: Some(address),
            group,
            is_changed: resolution.is_changed
                || resolution.address.is_none()
                || resolution.group != group,
            due: Some(Instant::now() + REFRESH),
        };
    }
}

/// The age at which an address is looked up again without a new connection.
const REFRESH: Duration = Duration::from_secs(600);

/// The pause after a refresh that failed.
const RETRY: Duration = Duration::from_secs(60);

/// The longest wait of a request for the group of its host: one attempt of the system's resolver.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most hosts in one half; with names of 20 bytes the whole cache takes about 16 MB.
const HALF: usize = 1 << 15;

// The clock is paused in these tests.
#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::egress::Egress;

    const HOST: &str = "a.test";

    /// Gives one answer after the other, the last again and again; an empty one is an error, `None`
    /// is silence.
    #[derive(Clone)]
    struct Script {
        answers: Arc<Mutex<Vec<Option<Vec<IpAddr>>>>>,
        asked: Arc<AtomicUsize>,
    }

    impl Script {
        fn new(answers: &[Option<&[&str]>]) -> Script {
            let parsed = answers.iter().map(|answer| {
                answer.map(|addresses| addresses.iter().map(|text| address(text)).collect())
            });
            Script {
                answers: Arc::new(Mutex::new(parsed.collect())),
                asked: Arc::default(),
            }
        }

        fn asked(&self) -> usize {
            self.asked.load(Ordering::Relaxed)
        }
    }

    impl Resolve for Script {
        fn resolve(&self, _: Name) -> Resolving {
            self.asked.fetch_add(1, Ordering::Relaxed);
            let mut answers = self.answers.lock().unwrap();
            let answer = match answers.len() {
                1 => answers[0].clone(),
                _ => answers.remove(0),
            };
            Box::pin(async move {
                // Lets others come in between.
                tokio::time::sleep(Duration::from_millis(10)).await;
                let Some(addresses) = answer else {
                    return std::future::pending().await;
                };
                if addresses.is_empty() {
                    return Err("no answer".into());
                }
                let addresses = addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
                Ok(Box::new(addresses) as Addrs)
            })
        }
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn groups() -> Groups {
        Groups::by_address(&["192.0.2.0/24".parse().unwrap()])
    }

    fn cache(script: &Script) -> AddressCache {
        let names = GuardedResolver::over(Egress::any(), script.clone());
        AddressCache::new(groups(), names)
    }

    fn group_of(text: &str) -> Option<IpGroup> {
        groups().of(address(text))
    }

    fn wait(test: impl Future<Output = ()>) {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().start_paused(true);
        builder.build().unwrap().block_on(test);
    }

    async fn connect(cache: &AddressCache) -> Vec<IpAddr> {
        let addresses = cache.resolve(HOST.parse().unwrap()).await.unwrap();
        addresses.map(|address| address.ip()).collect()
    }

    #[test]
    fn a_host_is_looked_up_once_for_all_and_again_after_ten_minutes() {
        wait(async {
            let script = Script::new(&[Some(&["198.51.100.1"]), Some(&["198.51.100.2"])]);
            let cache = cache(&script);
            let (first, second) = tokio::join!(cache.membership(HOST), cache.membership("A.test."));
            assert_eq!(first.group, group_of("198.51.100.1"));
            assert_eq!(second.group, first.group);
            assert!(first.is_changed && !second.is_changed);
            tokio::time::sleep(Duration::from_secs(599)).await;
            assert_eq!(cache.membership(HOST).await.group, first.group);
            assert_eq!(script.asked(), 1);
            tokio::time::sleep(Duration::from_secs(1)).await;
            let (moved, meanwhile) = tokio::join!(cache.membership(HOST), cache.membership(HOST));
            assert_eq!(
                (moved.group, moved.is_changed),
                (group_of("198.51.100.2"), true)
            );
            // A caller whose host has a group does not wait.
            assert_eq!(meanwhile.group, first.group);
            assert_eq!(script.asked(), 2);
        });
    }

    /// A connection goes to the address of the group as long as the host has it, in whatever order
    /// the answer is.
    #[test]
    fn the_address_of_the_group_is_the_address_of_the_connection() {
        wait(async {
            let [one, two, three] = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
            let turned: &[&str] = &[two, three, one];
            let script =
                Script::new(&[Some(&[one, two, three]), Some(turned), Some(&[three, two])]);
            let cache = cache(&script);
            assert_eq!(cache.membership(HOST).await.group, group_of(one));
            assert_eq!(connect(&cache).await, [one, two, three].map(address));
            assert_eq!(
                cache.membership(HOST).await,
                Membership {
                    group: group_of(one),
                    is_changed: false
                }
            );
            // The host has moved; the connection finds out first.
            assert_eq!(connect(&cache).await, [three, two].map(address));
            let moved = cache.membership(HOST).await;
            assert_eq!((moved.group, moved.is_changed), (group_of(three), true));
            assert_eq!(script.asked(), 3);
        });
    }

    #[test]
    fn a_failed_look_is_no_group_and_ends_no_group() {
        wait(async {
            let found: Option<&[&str]> = Some(&["198.51.100.1"]);
            let script = Script::new(&[Some(&[]), None, found, Some(&[])]);
            let cache = cache(&script);
            assert_eq!(cache.membership(HOST).await, Membership::default());
            // It is not tried again at once.
            assert_eq!(cache.membership(HOST).await, Membership::default());
            assert_eq!(script.asked(), 1);
            tokio::time::sleep(RETRY).await;
            let began = Instant::now();
            assert_eq!(cache.membership(HOST).await, Membership::default());
            assert_eq!(began.elapsed().as_secs(), PATIENCE.as_secs());
            tokio::time::sleep(RETRY).await;
            assert_eq!(cache.membership(HOST).await.group, group_of("198.51.100.1"));
            tokio::time::sleep(REFRESH).await;
            let kept = cache.membership(HOST).await;
            assert_eq!(
                (kept.group, kept.is_changed),
                (group_of("198.51.100.1"), false)
            );
            assert_eq!(script.asked(), 4);
        });
    }

    #[test]
    fn a_refused_address_is_nobodys_group() {
        wait(async {
            let script = Script::new(&[Some(&["10.0.0.1", "8.8.8.8"]), Some(&["10.0.0.1"])]);
            let names = GuardedResolver::over(Egress::public_only(), script.clone());
            let cache = AddressCache::new(groups(), names);
            assert_eq!(cache.membership(HOST).await.group, group_of("8.8.8.8"));
            assert_eq!(cache.membership("b.test").await, Membership::default());
        });
    }

    #[test]
    fn a_host_that_moves_into_a_content_network_leaves_its_group() {
        wait(async {
            let script = Script::new(&[Some(&["198.51.100.1"]), Some(&["192.0.2.1"])]);
            let cache = cache(&script);
            assert!(cache.membership(HOST).await.group.is_some());
            tokio::time::sleep(REFRESH).await;
            let moved = cache.membership(HOST).await;
            assert_eq!((moved.group, moved.is_changed), (None, true));
        });
    }

    #[test]
    fn an_address_in_a_url_is_not_resolved() {
        wait(async {
            let script = Script::new(&[Some(&[])]);
            let cache = cache(&script);
            for host in ["198.51.100.1", "[2001:db8::1]"] {
                let bare = host.trim_matches(['[', ']']);
                assert_eq!(cache.membership(host).await.group, group_of(bare));
            }
            assert_eq!(cache.membership("192.0.2.1").await.group, None);
            assert_eq!(script.asked(), 0);
        });
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_hosts_in_use() {
        let cache = cache(&Script::new(&[Some(&[])]));
        let kept = cache.0.host("kept.test");
        let lost = Arc::downgrade(&cache.0.host("lost.test"));
        for number in 0..3 * HALF {
            cache.0.host(&format!("h{number}.test"));
            if number % 1000 == 0 {
                assert!(Arc::ptr_eq(&kept, &cache.0.host("kept.test")));
            }
        }
        let generations = cache.0.generations.lock().unwrap();
        assert!(generations.recent.len() + generations.earlier.len() <= 2 * HALF);
        assert!(lost.upgrade().is_none());
    }
}
