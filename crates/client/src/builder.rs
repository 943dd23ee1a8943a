//! The choices that a client is built from.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use http::header::{FROM, HeaderValue, USER_AGENT};
use polite_robots_policy::{Cache, HostRule, Origin, Profile, Scheduler};
use reqwest::dns::Resolve;

use crate::egress::Egress;
use crate::error::build_error::BuildError;
use crate::hosts::groups::Groups;
use crate::hosts::host_rules::HostRules;
use crate::hosts::owner::owner_of;
use crate::identity::Identity;
#[cfg(feature = "sign")]
use crate::identity::sign::Signer;
use crate::net::address_cache::AddressCache;
use crate::net::idle_connections::{IDLE_TIMEOUT, most_by_open_files};
use crate::net::resolver::{GuardedResolver, SystemResolver};
use crate::net::transport::{LONGEST_SILENCE, Transport};
use crate::pages::request_time::longest_request;
use crate::shared::clock::LONGEST_WAIT;
use crate::shared::ownership::{Ownership, Part};
use crate::shared::persistence::Persistence;
use crate::shared::{Settings, Shared};
use crate::sizes::Sizes;
use crate::state::State;
use crate::store::interface::Store;

/// The choices that a [`PoliteClient`](crate::PoliteClient) is built from.
///
/// ```no_run
/// # async fn example() -> Result<(), polite_robots_client::Error> {
/// use std::time::Duration;
///
/// use polite_robots_client::{HostRule, PoliteClient};
///
/// let client = PoliteClient::builder("ExampleBot")
///     .contact("https://example.com/bot", "bot@example.com")
///     .host("*.internal.example", HostRule::new().min_delay(Duration::from_millis(100)))
///     .max_in_flight(8)
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct PoliteClientBuilder {
    agents: Vec<String>,
    http: reqwest::ClientBuilder,
    contact: Option<(String, String)>,
    version: Option<String>,
    profile: Profile,
    rules: Vec<(String, HostRule)>,
    /// The sizes of the kind of crawl. The next five fields are the sizes that the caller chose.
    sizes: Sizes,
    max_in_flight: Option<usize>,
    max_line: Option<usize>,
    max_wait: Option<Duration>,
    page_limit: Option<usize>,
    robots_capacity: Option<usize>,
    max_idle: Option<usize>,
    retries: u32,
    robots_timeout: Duration,
    egress: Egress,
    names: Arc<dyn Resolve>,
    part: Option<Part>,
    groups: Groups,
    store: Option<Arc<dyn Store>>,
    #[cfg(feature = "sign")]
    signer: Option<Signer>,
}

impl PoliteClientBuilder {
    pub(crate) fn new(agent: &str) -> PoliteClientBuilder {
        PoliteClientBuilder {
            agents: vec![agent.to_string()],
            http: reqwest::Client::builder()
                .read_timeout(LONGEST_SILENCE)
                .pool_max_idle_per_host(1)
                .pool_idle_timeout(IDLE_TIMEOUT),
            contact: None,
            version: None,
            profile: Profile::rfc9309(),
            rules: Vec::new(),
            sizes: Sizes::DEFAULT,
            max_in_flight: None,
            max_line: None,
            max_wait: None,
            page_limit: None,
            robots_capacity: None,
            max_idle: None,
            retries: 0,
            robots_timeout: Duration::from_secs(30),
            egress: Egress::public_only(),
            names: Arc::new(SystemResolver),
            part: None,
            groups: Groups::none(),
            store: None,
            #[cfg(feature = "sign")]
            signer: None,
        }
    }

    /// Further product tokens, in the order of preference. The rules of the first that a robots.txt
    /// names apply, else those of `*`; the crawler's own token comes first.
    pub fn also_obey<'a>(
        mut self,
        agents: impl IntoIterator<Item = &'a str>,
    ) -> PoliteClientBuilder {
        self.agents.extend(agents.into_iter().map(String::from));
        self
    }

    /// The HTTP client to build on: proxies, certificates, cookies, HTTP/2. Without a
    /// `connect_timeout` of its own, the limit to connect is 30 seconds. Without a `read_timeout`,
    /// 30 seconds are also the limit of each pause before the response and within it, as a silent
    /// server would keep its turn. The default keeps one idle connection to a host for 5 seconds,
    /// as each takes a file descriptor. [`PoliteClientBuilder::build`] sets its redirect policy,
    /// its retries, its resolver, `User-Agent` and `From`.
    ///
    /// A proxy needs [`Egress::any`], or the client is not built: it resolves names and connects by
    /// itself, unchecked.
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// use polite_robots_client::{Egress, PoliteClient, reqwest};
    ///
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let http = reqwest::Client::builder()
    ///     .proxy(reqwest::Proxy::all("http://proxy.example:8080")?)
    ///     .connect_timeout(Duration::from_secs(10));
    /// let client = PoliteClient::builder("ExampleBot").http(http).egress(Egress::any()).build()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Cookies, by the feature `cookies`. They go with requests for robots.txt too:
    ///
    #[cfg_attr(feature = "cookies", doc = "```no_run")]
    #[cfg_attr(not(feature = "cookies"), doc = "```ignore")]
    /// # use polite_robots_client::{PoliteClient, reqwest};
    /// # async fn example() -> Result<(), polite_robots_client::error::BuildError> {
    /// let http = reqwest::Client::builder().cookie_store(true);
    /// let client = PoliteClient::builder("ExampleBot").http(http).build()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// With the feature `http2` a server of https that speaks HTTP/2 is asked in it, still one
    /// request at a time. [`PoliteClientBuilder::max_idle`] cannot close such a connection early,
    /// as HTTP/2 knows no `Connection: close`.
    ///
    #[cfg_attr(feature = "http2", doc = "```no_run")]
    #[cfg_attr(not(feature = "http2"), doc = "```ignore")]
    /// # use polite_robots_client::{PoliteClient, reqwest};
    /// # async fn example() -> Result<(), polite_robots_client::error::BuildError> {
    /// // HTTP/2 without TLS, for servers of one's own that speak nothing else.
    /// let http = reqwest::Client::builder().http2_prior_knowledge();
    /// let client = PoliteClient::builder("ExampleBot").http(http).build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn http(mut self, http: reqwest::ClientBuilder) -> PoliteClientBuilder {
        self.http = http;
        self
    }

    /// A page about the crawler, which `User-Agent` names, and a mail address, which `User-Agent`
    /// and `From` name.
    pub fn contact(mut self, page: &str, address: &str) -> PoliteClientBuilder {
        self.contact = Some((page.to_string(), address.to_string()));
        self
    }

    /// The version of the crawler in `User-Agent`.
    pub fn version(mut self, version: &str) -> PoliteClientBuilder {
        self.version = Some(version.to_string());
        self
    }

    /// The reading of statuses, outages, delays and errors; [`Profile::rfc9309`] by default.
    pub fn profile(mut self, profile: Profile) -> PoliteClientBuilder {
        self.profile = profile;
        self
    }

    /// A rule of the operator for the hosts that match: a name, `*.` and a domain, or `*`. The
    /// longest pattern counts.
    pub fn host(mut self, pattern: &str, rule: HostRule) -> PoliteClientBuilder {
        self.rules.push((pattern.to_string(), rule));
        self
    }

    /// The hosts that this client may ask, for a crawler of many machines; all hosts by default.
    /// `is_in` must not depend on scheme or port. It is called for each request, so it may read a
    /// table that changes. The URL of another host, also as the target of a redirect, is
    /// [`Error::NotOwned`](crate::Error::NotOwned).
    ///
    /// ```no_run
    /// use polite_robots_client::PoliteClient;
    ///
    /// const MACHINES: u64 = 8;
    /// # fn example(this_machine: u64) -> Result<(), polite_robots_client::error::BuildError> {
    /// let client = PoliteClient::builder("ExampleBot")
    ///     .part(move |origin| origin.partition_key() % MACHINES == this_machine)
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn part(
        mut self,
        is_in: impl Fn(&Origin) -> bool + Send + Sync + 'static,
    ) -> PoliteClientBuilder {
        self.part = Some(Box::new(is_in));
        self
    }

    /// The sizes of a crawl of very many sites with few pages each, whose pace is limited by the
    /// client rather than by the gaps of the sites.
    ///
    /// | setting | default | `broad` | [`focused`](PoliteClientBuilder::focused) |
    /// |---|---|---|---|
    /// | [`max_in_flight`](PoliteClientBuilder::max_in_flight) | 32 | 448 | 32 |
    /// | [`max_line`](PoliteClientBuilder::max_line) | 10,000 | 1,000 | 100,000 |
    /// | [`max_wait`](PoliteClientBuilder::max_wait) | 5 minutes | 10 minutes | 1 day |
    /// | [`page_limit`](PoliteClientBuilder::page_limit) | 10 MiB | 2 MiB | 10 MiB |
    /// | [`robots_capacity`](PoliteClientBuilder::robots_capacity) | 64 MiB | 256 MiB | 64 MiB |
    ///
    /// A setting that is made by a call of its own wins, whether that call comes before this one or
    /// after it. Of `broad` and `focused` the last one counts.
    ///
    /// **Places.** A new site needs a place twice, for robots.txt and for its page. So n places
    /// take at most n ÷ 2t new sites a second if an answer takes t seconds: 448 take 1,120 at 200
    /// ms and 224 at a second. Hosts that have not answered yet may have half of the places, which
    /// is the half that their files need.
    ///
    /// **Open files.** A request has two at most: while it connects it may try two addresses, and
    /// before that it may look up a name. 448 requests have 896, which leaves 128 of `ulimit -n
    /// 1024` to the rest of the process. [`max_idle`](PoliteClientBuilder::max_idle) is 0 then, so
    /// each page has a connection of its own. With `ulimit -n 8192` it is 5,248, and most pages
    /// come by the connection of their robots.txt, which spares a handshake of TLS.
    ///
    /// **Memory.** The rules of all sites take 256 MiB at most. A file of 3.8 kB counts as about 10
    /// kB there, so that rules of 25,000 sites are at hand, which is 22 seconds of new sites at the
    /// greatest pace; a site needs its own for two or three, then a date is kept. Bodies that
    /// are read at once take 448 × 2 MiB, 896 MiB, if all of them are as long as they may be; one
    /// in brotli may need up to 28 MiB more for as long as it is read. A call that waits takes
    /// about 6 kB, so that 100,000 take 600 MB: the crawler decides how many there are.
    pub fn broad(mut self) -> PoliteClientBuilder {
        self.sizes = Sizes::BROAD;
        self
    }

    /// The sizes of a crawl of a few known sites with very many pages each, whose URLs may all be
    /// given at once; the table of [`broad`](PoliteClientBuilder::broad) has them.
    ///
    /// **Places.** A host has one request at a time and a gap of a second after it, so 32 places
    /// are always enough for 32 sites, and for 192 whose answers take 200 ms, as each then needs a
    /// place a sixth of the time.
    ///
    /// **Waits.** A host takes 86,400 pages a day at most, at a page a second, so a call that waits
    /// for a day and a line of 100,000 lose no page that one day could fetch. A call may wait as
    /// long for a `Retry-After`, where with the default the call ends, and says when to come back.
    ///
    /// **Open files and memory** are those of the default: 64 files for requests and, of `ulimit -n
    /// 1024`, 704 for idle connections; 64 MiB for rules and 320 MiB for bodies. A line of 100,000
    /// calls takes about 600 MB.
    pub fn focused(mut self) -> PoliteClientBuilder {
        self.sizes = Sizes::FOCUSED;
        self
    }

    /// The most requests under way to all hosts together; 32 by default, 1 at least.
    ///
    /// A turn that is granted holds a place from that moment on. If its future is not polled, as in
    /// the buffer of a stream that nobody reads, the turn goes to the next caller after 10 seconds,
    /// and the future gets another one when it is polled. A response or a permit holds its place
    /// until it is dropped, or for the profile's
    /// [`request_lease`](polite_robots_policy::settings::PaceSettings::request_lease).
    ///
    /// Hosts compete for the places with their like, so that a few that drip hold nobody up. Hosts
    /// that have not answered yet take half of the places at most, and a quarter before all others.
    /// A host with a request of ten seconds or more, as it is slow or its pages large, begins in a
    /// quarter until it has been quick for a while: two answers, and twice as many each further
    /// time. A request that takes long counts as one of a slow host from then on, after ten
    /// seconds, or after one to ten while many hosts wait. When all places are taken and a host
    /// waits that is not slow, the request that has taken longest ends with
    /// [`Error::Crowded`](crate::Error::Crowded), or as a round for robots.txt that says nothing
    /// about the site, until a quarter of the places is left to slow ones. A crawl of large files
    /// needs more places; permits never give way.
    ///
    /// N new hosts that never answer delay a new site by 30 seconds as long as N is below 15 times
    /// this figure, and by N × 2 ÷ this figure seconds beyond. N hosts that answer for robots.txt
    /// but not for pages delay its first page by 30 seconds more, and by N ÷ this figure seconds
    /// once N is 30 times this figure. Afterwards they are known as slow and delay nobody.
    pub fn max_in_flight(mut self, requests: usize) -> PoliteClientBuilder {
        self.max_in_flight = Some(requests);
        self
    }

    /// The most servers with an idle connection (keep-alive), which stays open for 5 seconds in
    /// case the next page of its host comes. Requests to further servers say `Connection: close`.
    ///
    /// Each is an open file, so at most this figure and two for each place of
    /// [`max_in_flight`](PoliteClientBuilder::max_in_flight) are open. By default those are three
    /// quarters of the files that the process may open (`ulimit -n`), or of 8,192 if it may open
    /// more. An HTTP client of the caller's own that keeps idle connections for longer leaves more.
    pub fn max_idle(mut self, servers: usize) -> PoliteClientBuilder {
        self.max_idle = Some(servers);
        self
    }

    /// The longest queue of callers for one host; one more gets
    /// [`Error::Busy`](crate::Error::Busy). 10,000 by default.
    pub fn max_line(mut self, callers: usize) -> PoliteClientBuilder {
        self.max_line = Some(callers);
        self
    }

    /// The longest wait of a call for robots.txt and turns, redirects included. Beyond it,
    /// [`Error::Busy`](crate::Error::Busy) says when the turn is. 5 minutes by default.
    pub fn max_wait(mut self, wait: Duration) -> PoliteClientBuilder {
        self.max_wait = Some(wait);
        self
    }

    /// The times that a call sends a request again after a failure that may pass, in all hops
    /// together; 0 by default.
    ///
    /// A failure that may pass is a 429, a 503, or a connection that failed or broke before the
    /// answer. Each further request waits for a turn of the host like any other, so it comes after
    /// the `Retry-After` and the gap of the back-off, and it asks robots.txt anew. If that turn
    /// comes later than [`PoliteClientBuilder::max_wait`] permits, the call ends with the response
    /// or error at hand, or with [`Error::Busy`](crate::Error::Busy) if other callers delay the
    /// turn that far. Only GET and HEAD are repeated, and never after the caller has the response:
    /// a body that breaks off in the middle is an error of the caller's read.
    ///
    /// Never put a layer that retries, such as `reqwest-retry`, above a polite client: it sleeps by
    /// its own clock, then waits for a turn of the host once more, and repeats answers that time
    /// does not change. Below the client there is none: reqwest's own retries are turned off, as
    /// they would have no turn.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), polite_robots_client::Error> {
    /// use polite_robots_client::PoliteClient;
    ///
    /// let client = PoliteClient::builder("ExampleBot").retries(2).build()?;
    /// let page = client.get("https://example.com/a").await?;
    /// println!("{} after {} retries", page.status(), page.retries());
    /// # Ok(())
    /// # }
    /// ```
    pub fn retries(mut self, retries: u32) -> PoliteClientBuilder {
        self.retries = retries;
        self
    }

    /// The longest body of a page in bytes, after decoding; a longer one is
    /// [`Error::TooLarge`](crate::Error::TooLarge). 10 MiB by default.
    pub fn page_limit(mut self, bytes: usize) -> PoliteClientBuilder {
        self.page_limit = Some(bytes);
        self
    }

    /// The time limit of one request for robots.txt with its body. 30 seconds by default, and never
    /// longer than the profile's
    /// [`request_lease`](polite_robots_policy::settings::PaceSettings::request_lease).
    pub fn robots_timeout(mut self, limit: Duration) -> PoliteClientBuilder {
        self.robots_timeout = limit;
        self
    }

    /// The memory in bytes that the rules of all origins may take; see [`Cache`]. 64 MiB by
    /// default. The hosts of one registrable domain (`example.co.uk` with `shop.example.co.uk`) are
    /// a [group](Cache::group_by) there.
    pub fn robots_capacity(mut self, bytes: usize) -> PoliteClientBuilder {
        self.robots_capacity = Some(bytes);
        self
    }

    /// The addresses that may be connected to: public ones by default.
    pub fn egress(mut self, egress: Egress) -> PoliteClientBuilder {
        self.egress = egress;
        self
    }

    /// The resolver of host names; the operating system's by default. Its answers are checked by
    /// the egress rules.
    pub fn resolver(mut self, names: impl Resolve + 'static) -> PoliteClientBuilder {
        self.names = Arc::new(names);
        self
    }

    /// The hosts that share one pace because they share an address; [`Groups::none`] by default.
    pub fn groups(mut self, groups: Groups) -> PoliteClientBuilder {
        self.groups = groups;
        self
    }

    /// The place where the memory of the crawl outlives the process, such as
    /// [`RedbStore`](crate::store::RedbStore): the answers of robots.txt and the pace of each host.
    /// Without one a client begins anew.
    pub fn store(mut self, store: impl Store) -> PoliteClientBuilder {
        self.store = Some(Arc::new(store));
        self
    }

    /// Signs each request, those for robots.txt and each hop of a redirect too: Web Bot Auth.
    #[cfg(feature = "sign")]
    pub fn sign(mut self, signer: Signer) -> PoliteClientBuilder {
        self.signer = Some(signer);
        self
    }

    /// The sizes that the caller chose, and those of the kind of crawl for the others.
    fn sizes(&self) -> Sizes {
        Sizes {
            max_in_flight: self.max_in_flight.unwrap_or(self.sizes.max_in_flight),
            max_line: self.max_line.unwrap_or(self.sizes.max_line),
            max_wait: self.max_wait.unwrap_or(self.sizes.max_wait),
            page_limit: self.page_limit.unwrap_or(self.sizes.page_limit),
            robots_capacity: self.robots_capacity.unwrap_or(self.sizes.robots_capacity),
        }
    }

    /// Checks the choices.
    pub(crate) fn shared(self) -> Result<Shared, BuildError> {
        let sizes = self.sizes();
        let profile = self.groups.spread(self.profile);
        let agents: Vec<&str> = self.agents.iter().map(String::as_str).collect();
        let cache = Cache::new(profile, &agents, sizes.robots_capacity)?.group_by(owner_of);
        let mut identity = Identity::new(agents.first().copied().unwrap_or_default())?;
        if let Some(version) = self.version {
            identity = identity.version(version)?;
        }
        if let Some((page, address)) = &self.contact {
            identity = identity.contact(page, address)?;
        }
        let mut rules = HostRules::new();
        for (pattern, rule) in self.rules {
            rules.insert(&pattern, rule)?;
        }
        let http = checked(self.http, &self.egress)?;
        let (resolver, addresses) = with_addresses(self.names, self.groups, &self.egress);
        let most_idle = self.max_idle;
        let most_idle = most_idle.unwrap_or_else(|| most_by_open_files(sizes.max_in_flight));
        let transport = Transport::new(http, names(&identity), self.egress, resolver, most_idle);
        let transport = transport.map_err(BuildError::Http)?;
        #[cfg(feature = "sign")]
        let transport = transport.signing(self.signer);
        let scheduler = Scheduler::new(profile);
        let state = State::new(scheduler, cache, sizes.max_in_flight, sizes.max_line);
        let settings = Settings {
            profile,
            rules,
            ownership: Ownership::new(self.part),
            max_wait: sizes.max_wait.min(LONGEST_WAIT),
            retries: self.retries,
            page_limit: sizes.page_limit,
            robots_timeout: self.robots_timeout.min(longest_request(&profile)),
        };
        let persistence = self.store.map(|store| Persistence::new(store, profile));
        Ok(Shared::new(
            state,
            transport,
            settings,
            persistence,
            addresses,
        ))
    }
}

impl fmt::Debug for PoliteClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoliteClientBuilder")
            .field("agents", &self.agents)
            .field("profile", &self.profile)
            .field("egress", &self.egress)
            .finish_non_exhaustive()
    }
}

/// Puts a cache of addresses over the resolver, if hosts are grouped by address.
fn with_addresses(
    names: Arc<dyn Resolve>,
    groups: Groups,
    egress: &Egress,
) -> (Arc<dyn Resolve>, Option<AddressCache>) {
    if groups.is_none() {
        return (names, None);
    }
    let cache = AddressCache::new(groups, GuardedResolver::over_shared(egress.clone(), names));
    (Arc::new(cache.clone()), Some(cache))
}

/// The HTTP client with a limit to connect. It refuses choices that would go around the checks. A
/// builder shows what it was given only in its debug text, where no text of the caller's can look
/// like the beginning of a line. The proxies of the environment are looked up later, and turned
/// off.
fn checked(
    http: reqwest::ClientBuilder,
    egress: &Egress,
) -> Result<reqwest::ClientBuilder, BuildError> {
    let choices = format!("{http:#?}");
    let has = |field: &str| choices.contains(&format!("\n    {field}"));
    if egress.is_restricted() && has("proxies: [") {
        return Err(BuildError::Proxy);
    }
    // A host named `host` that was given addresses shows a list here.
    if has("    \"host\": \"") || has("    \"host\": Sensitive") {
        return Err(BuildError::HostHeader);
    }
    if has("connect_timeout: ") {
        return Ok(http);
    }
    Ok(http.connect_timeout(LONGEST_SILENCE))
}

/// The names of the crawler, which each request carries. An [`Identity`] has only characters of a
/// header.
fn names(identity: &Identity) -> HeaderMap {
    let user_agent = Some(identity.user_agent());
    [
        (USER_AGENT, user_agent),
        (FROM, identity.from().map(String::from)),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, HeaderValue::from_str(&value?).ok()?)))
    .collect()
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use crate::net::idle_connections::idle_of;

    #[test]
    fn a_limit_to_connect_is_set_where_the_caller_has_none() {
        let http = reqwest::Client::builder;
        let text = HeaderValue::from_static("connect_timeout: 5, proxies: [, \"host\": \"a\"");
        let texts = [("X-Note".parse().unwrap(), text)].into_iter().collect();
        let address = SocketAddr::from(([127, 0, 0, 1], 80));
        for (http, limit) in [
            (http(), "connect_timeout: 30s"),
            (http().default_headers(texts), "connect_timeout: 30s"),
            (http().resolve("host", address), "connect_timeout: 30s"),
            (
                http().connect_timeout(Duration::from_secs(2)),
                "connect_timeout: 2s",
            ),
        ] {
            let http = checked(http, &Egress::public_only()).unwrap();
            let choices = format!("{http:?}");
            assert!(choices.contains(limit), "{choices}");
        }
    }

    fn builder() -> PoliteClientBuilder {
        PoliteClientBuilder::new("ExampleBot")
    }

    #[test]
    fn a_setting_of_the_caller_wins_before_and_after_those_of_a_kind_of_crawl() {
        let own = |builder: PoliteClientBuilder| {
            builder
                .max_in_flight(1)
                .max_line(2)
                .max_wait(Duration::from_secs(3))
                .page_limit(4)
                .robots_capacity(5)
        };
        let expected = Sizes {
            max_in_flight: 1,
            max_line: 2,
            max_wait: Duration::from_secs(3),
            page_limit: 4,
            robots_capacity: 5,
        };
        for builder in [
            own(builder()).broad(),
            own(builder().broad()),
            own(builder()),
        ] {
            assert_eq!(builder.sizes(), expected);
        }
        // The settings that the caller left are those of the crawl.
        let sizes = builder().max_line(7).broad().sizes();
        assert_eq!(
            sizes,
            Sizes {
                max_line: 7,
                ..Sizes::BROAD
            }
        );
    }

    #[test]
    fn the_last_kind_of_crawl_counts() {
        assert_eq!(builder().sizes(), Sizes::DEFAULT);
        assert_eq!(builder().focused().broad().sizes(), Sizes::BROAD);
        assert_eq!(builder().broad().focused().sizes(), Sizes::FOCUSED);
    }

    /// Two files for each place, as the documentation says.
    #[test]
    fn a_broad_crawl_leaves_files_of_1024() {
        assert_eq!(1_024 - 2 * Sizes::BROAD.max_in_flight, 128);
        assert_eq!(idle_of(1_024, Sizes::BROAD.max_in_flight), 0);
        assert_eq!(idle_of(8_192, Sizes::BROAD.max_in_flight), 5_248);
        assert_eq!(idle_of(1_024, Sizes::DEFAULT.max_in_flight), 704);
    }
}
