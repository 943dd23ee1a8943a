//! The address that each host is reached at, by which it belongs to a group.

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

/// The addresses of the hosts, as far as they were resolved. It stands between the HTTP client and the resolver, so that
/// the address of the group is the address of the connection.
#[derive(Clone)]
pub(crate) struct AddressBook(Arc<Book>);

struct Book {
    groups: Groups,
    /// Gives only addresses that may be connected to: the others are nobody's group.
    names: GuardedResolver,
    pages: Mutex<Pages>,
}

/// The group of a host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Membership {
    pub(crate) group: Option<IpGroup>,
    /// Whether it was found, or has changed, since the last call that said so.
    pub(crate) is_news: bool,
}

/// The lines of the book in two halves: when one is full, the other is forgotten. A host that is forgotten is resolved
/// again when it is next asked about.
#[derive(Default)]
struct Pages {
    recent: HashMap<Box<str>, Arc<Line>>,
    earlier: HashMap<Box<str>, Arc<Line>>,
}

/// One host.
#[derive(Default)]
struct Line {
    /// Held while the host is resolved for its group: once for all who ask.
    checking: tokio::sync::Mutex<()>,
    known: Mutex<Known>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// The address that connections go to first.
    address: Option<IpAddr>,
    group: Option<IpGroup>,
    is_news: bool,
    /// The time to look again; `None` before the first look.
    due: Option<Instant>,
}

impl AddressBook {
    pub(crate) fn new(groups: Groups, names: GuardedResolver) -> AddressBook {
        AddressBook(Arc::new(Book {
            groups,
            names,
            pages: Mutex::default(),
        }))
    }

    /// The group of the hosts at an address.
    pub(crate) fn group_at(&self, address: IpAddr) -> Option<IpGroup> {
        self.0.groups.of(address)
    }

    /// Looks up where a host is, by the name or the address that a URL has, if it is new or was not looked up for long.
    pub(crate) async fn look(&self, host: &str) {
        if literal(host).is_some() {
            return;
        }
        let line = self.0.line(host);
        if !line.is_due() {
            return;
        }
        let is_known = line.known().address.is_some();
        // A host with a group does not wait for news that another caller is about to have.
        let checking = match is_known {
            true => line.checking.try_lock().ok(),
            false => Some(line.checking.lock().await),
        };
        if checking.is_some() && line.is_due() {
            let looked_up = tokio::time::timeout(PATIENCE, self.0.find(host)).await;
            if !matches!(looked_up, Ok(Ok(_))) {
                // The group, if there is one, stays: the host may be reached by connections that are open.
                line.known().due = Some(Instant::now() + RETRY);
            }
        }
    }

    /// The group of a host, as far as it was looked up. The news stay news.
    pub(crate) fn group(&self, host: &str) -> Option<IpGroup> {
        match literal(host) {
            Some(address) => self.0.groups.of(address),
            None => self.0.line(host).known().group,
        }
    }

    /// The group of a host, as far as it was looked up. The news are taken, and no news to the next caller.
    pub(crate) fn news(&self, host: &str) -> Membership {
        match literal(host) {
            // An address never moves, and to say so again costs nothing.
            Some(address) => Membership {
                group: self.0.groups.of(address),
                is_news: false,
            },
            None => self.0.line(host).membership(),
        }
    }

    #[cfg(all(test, feature = "zoo"))]
    async fn membership(&self, host: &str) -> Membership {
        self.look(host).await;
        self.news(host)
    }
}

/// The address that the host of a URL is.
fn literal(host: &str) -> Option<IpAddr> {
    let unwrapped = host.trim_start_matches('[').trim_end_matches(']');
    unwrapped.parse().ok()
}

impl Resolve for AddressBook {
    fn resolve(&self, name: Name) -> Resolving {
        let book = Arc::clone(&self.0);
        Box::pin(async move {
            let addresses = book.look_up(name).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

impl fmt::Debug for AddressBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut this = f.debug_struct("AddressBook");
        this.field("groups", &self.0.groups).finish_non_exhaustive()
    }
}

impl Book {
    async fn find(&self, host: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        self.look_up(host.parse()?).await
    }

    /// The addresses of a host, that of its group first.
    async fn look_up(&self, name: Name) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let line = self.line(name.as_str());
        let mut addresses: Vec<SocketAddr> = self.names.resolve(name).await?.collect();
        line.note(&mut addresses, &self.groups);
        Ok(addresses)
    }

    fn line(&self, host: &str) -> Arc<Line> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        // Nearly every name is folded already.
        if let Some(line) = pages.recent.get(host) {
            return Arc::clone(line);
        }
        let host = folded(host).into_boxed_str();
        if let Some(line) = pages.recent.get(&host) {
            return Arc::clone(line);
        }
        let line = pages.earlier.remove(&host).unwrap_or_default();
        if pages.recent.len() >= HALF {
            pages.earlier = std::mem::take(&mut pages.recent);
        }
        pages.recent.insert(host, Arc::clone(&line));
        line
    }
}

impl Line {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_due(&self) -> bool {
        self.known().due.is_none_or(|due| due <= Instant::now())
    }

    fn membership(&self) -> Membership {
        let mut known = self.known();
        Membership {
            group: known.group,
            is_news: std::mem::take(&mut known.is_news),
        }
    }

    /// Puts the known address first, if the host still has it, and else takes the new first one for known. Servers of
    /// names turn their answers round and round, and the host is not to change its group each time.
    fn note(&self, addresses: &mut [SocketAddr], groups: &Groups) {
        let mut known = self.known();
        let place = addresses
            .iter()
            .position(|address| Some(address.ip()) == known.address);
        if let Some(before) = place.and_then(|place| addresses.get_mut(..=place)) {
            before.rotate_right(1);
        }
        let Some(address) = addresses.first().map(SocketAddr::ip) else {
            return;
        };
        let group = groups.of(address);
        *known = Known {
            address: Some(address),
            group,
            is_news: known.is_news || known.address.is_none() || known.group != group,
            due: Some(Instant::now() + REFRESH),
        };
    }
}

/// The age at which an address is looked up again without a new connection.
const REFRESH: Duration = Duration::from_secs(600);

/// The pause after a look that failed.
const RETRY: Duration = Duration::from_secs(60);

/// The longest wait of a request for the group of its host: one attempt of the system's resolver.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hosts in one of two halves; with names of 20 bytes the whole book takes about 16 MB.
const HALF: usize = 1 << 15;

// Time stands still in these tests, which tokio does with the features of the zoo.
#[cfg(all(test, feature = "zoo"))]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::egress::Egress;

    const HOST: &str = "a.test";

    /// Gives one answer after the other, the last again and again; an empty one is an error, `None` is silence.
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
                // So that others may come in between.
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

    fn book(script: &Script) -> AddressBook {
        let names = GuardedResolver::over(Egress::any(), script.clone());
        AddressBook::new(groups(), names)
    }

    fn group_of(text: &str) -> Option<IpGroup> {
        groups().of(address(text))
    }

    fn wait(test: impl Future<Output = ()>) {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().start_paused(true);
        builder.build().unwrap().block_on(test);
    }

    async fn connect(book: &AddressBook) -> Vec<IpAddr> {
        let addresses = book.resolve(HOST.parse().unwrap()).await.unwrap();
        addresses.map(|address| address.ip()).collect()
    }

    #[test]
    fn a_host_is_looked_up_once_for_all_and_again_after_ten_minutes() {
        wait(async {
            let script = Script::new(&[Some(&["198.51.100.1"]), Some(&["198.51.100.2"])]);
            let book = book(&script);
            let (first, second) = tokio::join!(book.membership(HOST), book.membership("A.test."));
            assert_eq!(first.group, group_of("198.51.100.1"));
            assert_eq!(second.group, first.group);
            assert!(first.is_news && !second.is_news);
            tokio::time::sleep(Duration::from_secs(599)).await;
            assert_eq!(book.membership(HOST).await.group, first.group);
            assert_eq!(script.asked(), 1);
            tokio::time::sleep(Duration::from_secs(1)).await;
            let (moved, meanwhile) = tokio::join!(book.membership(HOST), book.membership(HOST));
            assert_eq!(
                (moved.group, moved.is_news),
                (group_of("198.51.100.2"), true)
            );
            // Nobody waits for news who has a group.
            assert_eq!(meanwhile.group, first.group);
            assert_eq!(script.asked(), 2);
        });
    }

    /// A connection goes to the address of the group as long as the host has it, in whatever order the answer is.
    #[test]
    fn the_address_of_the_group_is_the_address_of_the_connection() {
        wait(async {
            let [one, two, three] = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
            let turned: &[&str] = &[two, three, one];
            let script =
                Script::new(&[Some(&[one, two, three]), Some(turned), Some(&[three, two])]);
            let book = book(&script);
            assert_eq!(book.membership(HOST).await.group, group_of(one));
            assert_eq!(connect(&book).await, [one, two, three].map(address));
            assert_eq!(
                book.membership(HOST).await,
                Membership {
                    group: group_of(one),
                    is_news: false
                }
            );
            // The host has moved; the connection finds out first.
            assert_eq!(connect(&book).await, [three, two].map(address));
            let moved = book.membership(HOST).await;
            assert_eq!((moved.group, moved.is_news), (group_of(three), true));
            assert_eq!(script.asked(), 3);
        });
    }

    #[test]
    fn a_failed_look_is_no_group_and_ends_no_group() {
        wait(async {
            let found: Option<&[&str]> = Some(&["198.51.100.1"]);
            let script = Script::new(&[Some(&[]), None, found, Some(&[])]);
            let book = book(&script);
            assert_eq!(book.membership(HOST).await, Membership::default());
            // It is not tried again at once.
            assert_eq!(book.membership(HOST).await, Membership::default());
            assert_eq!(script.asked(), 1);
            tokio::time::sleep(RETRY).await;
            let began = Instant::now();
            assert_eq!(book.membership(HOST).await, Membership::default());
            assert_eq!(began.elapsed().as_secs(), PATIENCE.as_secs());
            tokio::time::sleep(RETRY).await;
            assert_eq!(book.membership(HOST).await.group, group_of("198.51.100.1"));
            tokio::time::sleep(REFRESH).await;
            let kept = book.membership(HOST).await;
            assert_eq!(
                (kept.group, kept.is_news),
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
            let book = AddressBook::new(groups(), names);
            assert_eq!(book.membership(HOST).await.group, group_of("8.8.8.8"));
            assert_eq!(book.membership("b.test").await, Membership::default());
        });
    }

    #[test]
    fn a_host_that_moves_into_a_content_network_leaves_its_group() {
        wait(async {
            let script = Script::new(&[Some(&["198.51.100.1"]), Some(&["192.0.2.1"])]);
            let book = book(&script);
            assert!(book.membership(HOST).await.group.is_some());
            tokio::time::sleep(REFRESH).await;
            let moved = book.membership(HOST).await;
            assert_eq!((moved.group, moved.is_news), (None, true));
        });
    }

    #[test]
    fn an_address_in_a_url_is_not_resolved() {
        wait(async {
            let script = Script::new(&[Some(&[])]);
            let book = book(&script);
            for host in ["198.51.100.1", "[2001:db8::1]"] {
                let bare = host.trim_matches(['[', ']']);
                assert_eq!(book.membership(host).await.group, group_of(bare));
            }
            assert_eq!(book.membership("192.0.2.1").await.group, None);
            assert_eq!(script.asked(), 0);
        });
    }

    #[test]
    fn the_book_is_bounded_and_keeps_what_is_asked_for() {
        let book = book(&Script::new(&[Some(&[])]));
        let kept = book.0.line("kept.test");
        let lost = Arc::downgrade(&book.0.line("lost.test"));
        for number in 0..3 * HALF {
            book.0.line(&format!("h{number}.test"));
            if number % 1000 == 0 {
                assert!(Arc::ptr_eq(&kept, &book.0.line("kept.test")));
            }
        }
        let pages = book.0.pages.lock().unwrap();
        assert!(pages.recent.len() + pages.earlier.len() <= 2 * HALF);
        assert!(lost.upgrade().is_none());
    }
}
