//! What waits for the turn of a host.

use std::collections::{HashMap, HashSet, VecDeque};

use polite_robots::InvalidUrl;
use polite_robots_policy::{Fetch, HostId, Origin, Ticket};
use url::Url;

/// The scheduler knows hosts and no URLs, this knows URLs and no times.
#[derive(Default)]
pub(crate) struct Frontier {
    hosts: HashMap<HostId, Host>,
    /// Pages whose robots.txt is on its way for the first time.
    parked: HashMap<Origin, Vec<Page>>,
    seen: HashSet<Url>,
}

#[derive(Default)]
struct Host {
    tasks: VecDeque<Task>,
}

/// A request that is to be made in the turn of the host that it goes to.
pub(crate) enum Task {
    /// A redirect of a robots.txt may lead to another host than that whose rules it holds.
    RobotsTxt(Box<Round>),
    Page(Page),
}

/// A round for a robots.txt, before one of its requests.
pub(crate) struct Round {
    pub(crate) ticket: Ticket,
    pub(crate) fetch: Fetch,
}

#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) url: Url,
    pub(crate) origin: Origin,
    /// The pages whose redirects led here.
    pub(crate) redirected_from: Vec<Url>,
    pub(crate) failed_attempts: u8,
}

impl Page {
    pub(crate) fn new(url: Url, redirected_from: Vec<Url>) -> Result<Page, InvalidUrl> {
        let origin = Origin::of(url.as_str())?;
        Ok(Page {
            url,
            origin,
            redirected_from,
            failed_attempts: 0,
        })
    }
}

impl Frontier {
    /// Whether the page is new: no page is fetched twice, wherever a redirect leads.
    pub(crate) fn is_new(&mut self, url: &Url) -> bool {
        self.seen.insert(url.clone())
    }

    pub(crate) fn push_last(&mut self, host: HostId, task: Task) {
        self.hosts.entry(host).or_default().tasks.push_back(task);
    }

    pub(crate) fn push_first(&mut self, host: HostId, task: Task) {
        self.hosts.entry(host).or_default().tasks.push_front(task);
    }

    pub(crate) fn pop(&mut self, host: HostId) -> Option<Task> {
        self.hosts.get_mut(&host)?.tasks.pop_front()
    }

    /// Puts a page aside until the robots.txt of its origin is there.
    pub(crate) fn park(&mut self, page: Page) {
        self.parked
            .entry(page.origin.clone())
            .or_default()
            .push(page);
    }

    /// It is there: its pages go before the others again, in their order.
    pub(crate) fn unpark(&mut self, host: HostId, origin: &Origin) {
        for page in self.parked.remove(origin).into_iter().flatten().rev() {
            self.push_first(host, Task::Page(page));
        }
    }

    /// All pages that still wait.
    pub(crate) fn into_pages(self) -> impl Iterator<Item = Page> {
        let tasks = self.hosts.into_values().flat_map(|host| host.tasks);
        let pages = tasks.filter_map(|task| match task {
            Task::Page(page) => Some(page),
            Task::RobotsTxt(_) => None,
        });
        pages.chain(self.parked.into_values().flatten())
    }
}
