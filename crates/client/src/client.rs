//! [`PoliteClient`]: the calls of a crawler.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use polite_robots_policy::Origin;
use polite_robots_policy::cache::Evidence;
use tokio::runtime;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::builder::PoliteClientBuilder;
use crate::error::Error;
use crate::error::build_error::BuildError;
use crate::hosts::host_state::HostState;
use crate::hosts::progress::{Progress, WaitingHost};
use crate::metrics::Metrics;
use crate::net::request::Request;
use crate::pages::permit::Permit;
use crate::pages::response::Response;
use crate::pages::{self, admission};
use crate::shared::Shared;
use crate::shared::handover;
use crate::turns::turn_guard::Keeper;

/// An HTTP client that cannot be rude.
///
/// Each request waits until the robots.txt of its origin is known and allows it, and until its host
/// has a turn. Clones are cheap and share everything; make one client per crawler. Futures may be
/// dropped at any time.
///
/// ```no_run
/// # async fn example() -> Result<(), polite_robots_client::Error> {
/// use polite_robots_client::PoliteClient;
///
/// let client = PoliteClient::new("ExampleBot")?;
/// let page = client.get("https://example.com/a").await?;
/// println!("{} {}", page.status(), page.verdict());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct PoliteClient {
    handle: Arc<Handle>,
}

/// Ends the tasks of the client when its last clone is dropped.
struct Handle {
    shared: Arc<Shared>,
    tasks: [AbortHandle; 2],
}

impl PoliteClient {
    /// A client with the defaults: RFC 9309, one request at a time and one second between two to a
    /// host, addresses of the public internet only.
    ///
    /// Call it in a tokio runtime, which runs the tasks of the client.
    ///
    /// # Errors
    ///
    /// [`BuildError`] if `agent` is no product token, or outside of a runtime.
    pub fn new(agent: &str) -> Result<PoliteClient, BuildError> {
        PoliteClient::builder(agent).build()
    }

    /// Begins a client with other choices. `agent` is the product token by which a robots.txt names
    /// the crawler.
    pub fn builder(agent: &str) -> PoliteClientBuilder {
        PoliteClientBuilder::new(agent)
    }

    fn start(shared: Shared, runtime: &runtime::Handle) -> PoliteClient {
        let shared = Arc::new(shared);
        let keeper: Weak<dyn Keeper> = Arc::<Shared>::downgrade(&shared);
        shared.state().dispatcher.set_keeper(keeper);
        let driver = runtime.spawn(Arc::clone(&shared).drive());
        let saver = runtime.spawn(Arc::clone(&shared).keep_saved());
        let tasks = [driver.abort_handle(), saver.abort_handle()];
        PoliteClient {
            handle: Arc::new(Handle { shared, tasks }),
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.handle.shared
    }

    /// Fetches a page, when robots.txt allows it and the host has a turn.
    ///
    /// # Errors
    ///
    /// [`Error::Disallowed`] by a rule; [`Error::Closed`] in an outage of robots.txt, with the time
    /// of the next try; [`Error::Busy`] if the turn would come later than the longest wait.
    /// [`Error`] describes the others.
    pub async fn get(&self, url: &str) -> Result<Response, Error> {
        pages::fetch(self.shared(), Box::new(Request::get(url)?)).await
    }

    /// Sends a request, when robots.txt allows its URL and the host has a turn.
    ///
    /// # Errors
    ///
    /// The same as [`PoliteClient::get`].
    pub async fn request(&self, request: Request) -> Result<Response, Error> {
        pages::fetch(self.shared(), Box::new(request)).await
    }

    /// Asks whether a page may be fetched, without fetching it. Fetches robots.txt if it is not at
    /// hand.
    ///
    /// # Errors
    ///
    /// The same as for [`PoliteClient::get`], except [`Error::Disallowed`]: a rule that says no is
    /// an answer here.
    pub async fn check(&self, url: &str) -> Result<Evidence, Error> {
        let request = Request::get(url)?;
        admission::check(
            self.shared(),
            &request.origin,
            &request.url,
            self.deadline(),
        )
        .await
    }

    /// Waits until robots.txt allows a request that another client sends, and until the host has a
    /// turn for it.
    ///
    /// # Errors
    ///
    /// The same as [`PoliteClient::get`].
    pub async fn permit(&self, url: &str) -> Result<Permit, Error> {
        let request = Request::get(url)?;
        let admission = admission::admit(
            self.shared(),
            &request.origin,
            &request.url,
            self.deadline(),
        )
        .await?;
        Ok(Permit::new(Arc::clone(self.shared()), request, admission))
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.shared().settings.max_wait
    }

    /// The sitemaps that the robots.txt of an origin names, in its order. `url` is any URL of the
    /// origin.
    ///
    /// # Errors
    ///
    /// The same as [`PoliteClient::check`].
    pub async fn sitemaps(&self, url: &str) -> Result<Vec<String>, Error> {
        let evidence = self.check(url).await?;
        Ok(evidence.robot().sitemaps().map(String::from).collect())
    }

    /// The counters of the client.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.shared().state().metrics()
    }

    /// The hosts with pages that wait: how many, the time of the next turn, and the cause. It is a
    /// list of this moment, in no order.
    ///
    /// ```no_run
    /// # fn example(client: &polite_robots_client::PoliteClient) {
    /// let mut hosts: Vec<_> = client.hosts().collect();
    /// hosts.sort_by_key(|host| std::cmp::Reverse(host.pages));
    /// for host in hosts.iter().take(10) {
    ///     println!("{}: {} pages wait, {:?}", host.host, host.pages, host.cause);
    /// }
    /// # }
    /// ```
    pub fn hosts(&self) -> impl Iterator<Item = WaitingHost> + use<> {
        let now = self.shared().clock.now();
        let state = self.shared().state();
        let waiting = state.waiting(now).into_iter();
        let hosts: Vec<WaitingHost> = waiting.map(|(host, wait)| wait.of(host)).collect();
        hosts.into_iter()
    }

    /// The figures for a progress bar. It looks at each host with pages that wait, so ask once in a
    /// second.
    ///
    /// ```no_run
    /// # async fn example(client: polite_robots_client::PoliteClient) {
    /// use std::time::Duration;
    ///
    /// loop {
    ///     eprint!("\r{}", client.progress());
    ///     tokio::time::sleep(Duration::from_secs(1)).await;
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn progress(&self) -> Progress {
        let now = self.shared().clock.now();
        self.shared().state().progress(now)
    }

    /// Saves everything to the store now. The client does so by itself every half second, and when
    /// its last clone is dropped. Without a store it does nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]. The changes are kept and tried again.
    pub async fn save(&self) -> Result<(), Error> {
        Ok(self.shared().save().await?)
    }

    /// Gives a host to another client, which [takes it over](PoliteClient::take_over). `url` is any
    /// URL of the host.
    ///
    /// This client sends no further request to the host: new calls for it and calls that wait get
    /// [`Error::NotOwned`]. The future waits until the responses and permits of the host are
    /// dropped or have ended, at most for the profile's
    /// [`request_lease`](polite_robots_policy::settings::PaceSettings::request_lease). The state
    /// that it returns is removed from this client and from its store. If the future is dropped,
    /// call again; a state that is lost by then is replaced by a full gap, as in
    /// [`HostState::lost`].
    ///
    /// ```no_run
    /// # async fn example(
    /// #     old: polite_robots_client::PoliteClient,
    /// #     new: polite_robots_client::PoliteClient,
    /// # ) -> Result<(), Box<dyn std::error::Error>> {
    /// use polite_robots_client::hosts::HostState;
    ///
    /// // On the machine that had the host:
    /// let bytes = old.hand_over("https://example.com/").await?.to_bytes()?;
    /// // On the machine that gets it:
    /// new.take_over(HostState::from_bytes(&bytes)?).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`]; [`Error::Store`], and the host stays handed over.
    pub async fn hand_over(&self, url: &str) -> Result<HostState, Error> {
        handover::hand_over(self.shared(), &Origin::of(url)?).await
    }

    /// Takes a host over from another client, which must have stopped asking it. When this returns,
    /// its memory is in the store, if there is one. Until then calls for a host that this client
    /// gave away are [`Error::NotOwned`].
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if it cannot be saved; the host is not taken over then.
    pub async fn take_over(&self, state: HostState) -> Result<(), Error> {
        handover::take_over(self.shared(), state).await
    }

    /// Takes a host back that this client [gave away](PoliteClient::hand_over) and whose next
    /// owner died, with the memory that it left in a store that both share. `url` is any URL of
    /// the origin whose robots.txt is looked for.
    ///
    /// The last second before the end may be missing in the store, so the host waits for one gap.
    /// Without a store it counts as [lost](HostState::lost). For a host that this client did not
    /// give away the call does nothing, as the memory of such a host is loaded when it is met.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`]; [`Error::Store`], and the host is not taken over then.
    pub async fn inherit(&self, url: &str) -> Result<(), Error> {
        handover::inherit(self.shared(), &Origin::of(url)?).await
    }

    /// The number of pages that a host will take within `horizon`, if nothing changes: the number
    /// of its URLs worth having at hand. A frontier that loads more of them from its disk only
    /// holds memory.
    ///
    /// ```no_run
    /// # use polite_robots_client::{Error, PoliteClient};
    /// # async fn example(client: PoliteClient) -> Result<(), Error> {
    /// use std::time::Duration;
    ///
    /// let urls_to_load = client.capacity("example.com", Duration::from_secs(600)).await?;
    /// # let _ = urls_to_load;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`] if `host` is no name of a host, and [`Error::Store`].
    pub async fn capacity(&self, host: &str, horizon: Duration) -> Result<usize, Error> {
        let origin = Origin::of(&format!("https://{host}"))?;
        let host = self.shared().host(origin.host()).await?;
        Ok(self
            .shared()
            .state()
            .dispatcher
            .scheduler
            .capacity(host, horizon))
    }

    /// Says in one sentence what applies to an origin now, since when and until when. Fetches
    /// nothing; `None` if nothing is known about it.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`].
    pub fn explain(&self, url: &str) -> Result<Option<String>, Error> {
        let origin = Origin::of(url)?;
        let shared = self.shared();
        let now = shared.clock.now();
        let state = shared.state();
        let explanation = state.cache.explain(&origin, now);
        Ok(explanation.map(|explanation| explanation.to_string()))
    }
}

impl PoliteClientBuilder {
    /// Builds the client and starts its tasks on the current tokio runtime.
    ///
    /// # Errors
    ///
    /// [`BuildError`] names the choice that cannot be met; outside of a runtime it is
    /// [`BuildError::NoRuntime`].
    pub fn build(self) -> Result<PoliteClient, BuildError> {
        let runtime = runtime::Handle::try_current().map_err(|_| BuildError::NoRuntime)?;
        Ok(PoliteClient::start(self.shared()?, &runtime))
    }
}

impl fmt::Debug for PoliteClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoliteClient")
            .field("settings", &self.shared().settings)
            .finish_non_exhaustive()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.shared.abort_rounds();
        // Nobody is left to report an error to. The store then has no note of a clean end, and the
        // next client takes it for a crash, which is the careful answer.
        let _ = self.shared.close();
    }
}

// The clock is paused in these tests. A permit sends nothing.
#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use http::HeaderValue;
    use polite_robots::{Cause, RobotsTxt};
    use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
    use polite_robots_policy::settings::Obedience;
    use polite_robots_policy::{
        Entry, HostRule, NetError, Outcome, Profile, RetryAfter, Timestamp, Turn,
    };

    use super::*;
    use crate::egress::Egress;
    use crate::hosts::groups::Groups;
    use crate::net::resolver::StaticResolver;
    use crate::pages::permit::Permit;
    use crate::store::batch::Batch;
    use crate::store::interface::Store;
    use crate::store::key::Key;
    use crate::store::memory::MemoryStore;
    use crate::store::store_error::StoreError;

    /// A client that asks nobody for robots.txt.
    fn client() -> PoliteClientBuilder {
        let rule = HostRule::new().obedience(Obedience::Ignore);
        PoliteClient::builder("ExampleBot").host("*", rule)
    }

    /// A client with the rules of a site whose robots.txt has been in an outage since, and a permit
    /// for a page of it.
    async fn permit_in_an_outage() -> (PoliteClient, Permit) {
        let client = PoliteClient::new("ExampleBot").unwrap();
        let origin = Origin::of("https://a.example/").unwrap();
        let profile = Profile::rfc9309();
        let now = client.shared().clock.now();
        let ago = |minutes: u64| Timestamp::from_millis(now.as_millis() - minutes * 60_000);
        let mut entry = Entry::for_origin(&origin);
        let outcome = Outcome::Parsed {
            robots_txt: RobotsTxt::parse(b"User-agent: *\nDisallow: /no"),
            freshness: Freshness::default(),
            validators: Validators::default(),
            end: BodyEnd::Complete,
        };
        entry.handle(outcome, &profile, ago(1_000));
        // The next round is an hour after the last one by now.
        for minutes in [300, 240, 180, 120, 60, 10] {
            let cause = Cause::Status(500);
            let retry_after = None;
            let outage = Outcome::Unreachable { cause, retry_after };
            entry.handle(outage, &profile, ago(minutes));
        }
        client.shared().state().cache.insert(&origin, entry, now);
        let permit = client.permit("https://a.example/page").await.unwrap();
        (client, permit)
    }

    /// Whether the robots.txt of the site is due now.
    fn is_due(client: &PoliteClient) -> bool {
        let shared = client.shared();
        let state = shared.state();
        state.cache.due(shared.clock.now()).next().is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_came_by_a_permit_makes_robots_txt_due() {
        let (client, permit) = permit_in_an_outage().await;
        assert!(!is_due(&client));
        permit.finish(200, None);
        assert!(is_due(&client));
        for error in [NetError::Connect, NetError::Local] {
            let (client, permit) = permit_in_an_outage().await;
            permit.fail(error);
            assert!(!is_due(&client), "{error:?}");
        }
    }

    #[tokio::test]
    async fn a_proxy_needs_egress_to_any_address() {
        let with_proxy = || {
            let proxy = reqwest::Proxy::all("http://127.0.0.1:1").unwrap();
            client().http(reqwest::Client::builder().proxy(proxy))
        };
        assert!(matches!(with_proxy().build(), Err(BuildError::Proxy)));
        assert!(with_proxy().egress(Egress::any()).build().is_ok());
        assert!(client().http(reqwest::Client::builder()).build().is_ok());
    }

    #[tokio::test]
    async fn a_host_among_the_default_headers_is_refused() {
        let with = |name: &'static str, value: &'static str| {
            let fields = [(name.parse().unwrap(), HeaderValue::from_static(value))];
            let headers = fields.into_iter().collect();
            client().http(reqwest::Client::builder().default_headers(headers))
        };
        let refused = with("Host", "other.example").build();
        assert!(matches!(refused, Err(BuildError::HostHeader)));
        assert!(with("X-Note", "{\"host\": 1}").build().is_ok());
    }

    #[test]
    fn a_client_outside_of_a_runtime_is_an_error() {
        let refused = PoliteClient::new("ExampleBot").unwrap_err();
        assert!(matches!(refused, BuildError::NoRuntime));
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_is_handed_over_when_the_lease_of_a_leaked_permit_is_over() {
        let client = client().build().unwrap();
        let leaked = client.permit("https://a.example/").await.unwrap();
        let began = Instant::now();
        client.hand_over("https://a.example/").await.unwrap();
        let waited = began.elapsed();
        let lease = Profile::rfc9309().pace.request_lease;
        assert!(waited >= lease, "{waited:?}");
        assert!(waited < lease + Duration::from_secs(2), "{waited:?}");
        leaked.finish(200, None);
        assert_eq!(client.metrics().in_flight, 0);
    }

    /// A client whose hosts share an address, which starts two requests a minute.
    fn grouped(store: &Arc<MemoryStore>) -> PoliteClient {
        let names = ["a.example", "b.example", "c.example"];
        let resolver = names
            .into_iter()
            .fold(StaticResolver::new(), |resolver, name| {
                resolver.host(name, ["8.8.8.8".parse().unwrap()])
            });
        let mut profile = Profile::rfc9309();
        profile.pace.group_starts = 2;
        let client = client().profile(profile).resolver(resolver);
        let client = client
            .groups(Groups::by_address(&[]))
            .store(Arc::clone(store));
        client.build().unwrap()
    }

    /// A store that can be away.
    #[derive(Default)]
    struct RemoteStore {
        store: MemoryStore,
        is_away: AtomicBool,
    }

    impl RemoteStore {
        fn set_away(&self, is_away: bool) {
            self.is_away.store(is_away, Ordering::SeqCst);
        }

        fn reach(&self) -> Result<&MemoryStore, StoreError> {
            match self.is_away.load(Ordering::SeqCst) {
                true => Err(StoreError::Load("away".into())),
                false => Ok(&self.store),
            }
        }
    }

    impl Store for RemoteStore {
        fn load(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
            self.reach()?.load(key)
        }

        fn save(&self, batch: &Batch) -> Result<(), StoreError> {
            self.reach()?.save(batch)
        }
    }

    const HOUR: Duration = Duration::from_secs(3_600);

    /// A visit to a host that asks to be left alone for an hour.
    async fn meet_a_pause(client: &PoliteClient, host: &str) {
        let permit = client.permit(&format!("https://{host}/")).await.unwrap();
        permit.finish(429, Some(RetryAfter::Delay(HOUR)));
    }

    #[tokio::test(start_paused = true)]
    async fn while_the_store_is_away_known_hosts_are_crawled_and_others_wait() {
        let store = Arc::new(RemoteStore::default());
        // The other host has rules, which are at hand.
        let rule = HostRule::new().obedience(Obedience::Ignore);
        let client = PoliteClient::builder("ExampleBot").host("b.example", rule);
        let client = client.store(Arc::clone(&store)).build().unwrap();
        let origin = Origin::of("https://a.example/").unwrap();
        let now = client.shared().clock.now();
        let mut entry = Entry::for_origin(&origin);
        let outcome = Outcome::Parsed {
            robots_txt: RobotsTxt::parse(b"User-agent: *\nDisallow: /no"),
            freshness: Freshness::default(),
            validators: Validators::default(),
            end: BodyEnd::Complete,
        };
        entry.handle(outcome, &Profile::rfc9309(), now);
        client.shared().state().cache.insert(&origin, entry, now);
        visit(&client, "a.example").await;
        client.save().await.unwrap();
        store.set_away(true);
        visit(&client, "a.example").await;
        let unknown = client.permit("https://b.example/").await.unwrap_err();
        assert!(matches!(unknown, Error::Store(_)), "{unknown}");
        assert!(client.save().await.is_err());
        let key = Key::pacer("a.example");
        let saved = || store.store.load(&key).unwrap();
        let before = saved();
        store.set_away(false);
        client.save().await.unwrap();
        assert_ne!(saved(), before);
        visit(&client, "b.example").await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_hand_over_while_the_store_is_away_can_be_repeated() {
        let store = Arc::new(RemoteStore::default());
        let client = client().store(Arc::clone(&store)).build().unwrap();
        meet_a_pause(&client, "a.example").await;
        store.set_away(true);
        let url = "https://a.example/";
        let refused = client.hand_over(url).await.unwrap_err();
        assert!(matches!(refused, Error::Store(_)), "{refused}");
        store.set_away(false);
        let state = client.hand_over(url).await.unwrap();
        let now = client.shared().clock.now();
        let Turn::NotBefore(until) = state.pacer.poll(&Profile::rfc9309(), now) else {
            panic!("{state:?}")
        };
        assert!(until > now.saturating_add(HOUR / 2), "{until}");
        assert_eq!(store.store.load(&Key::pacer("a.example")).unwrap(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_comes_back_from_a_dead_owner_with_its_pace() {
        let store = Arc::new(RemoteStore::default());
        let [first, second] = [(); 2].map(|()| {
            let client = client().max_wait(2 * HOUR);
            client.store(Arc::clone(&store)).build().unwrap()
        });
        let url = "https://a.example/";
        visit(&first, "a.example").await;
        second
            .take_over(first.hand_over(url).await.unwrap())
            .await
            .unwrap();
        meet_a_pause(&second, "a.example").await;
        second.save().await.unwrap();
        drop(second);
        let given = first.permit(url).await.unwrap_err();
        assert!(matches!(given, Error::NotOwned { .. }), "{given}");

        store.set_away(true);
        assert!(first.inherit(url).await.is_err());
        assert!(first.permit(url).await.is_err());
        store.set_away(false);
        first.inherit(url).await.unwrap();
        let began = Instant::now();
        // The host is this client's again, and its state stays as it is.
        first.inherit(url).await.unwrap();
        visit(&first, "a.example").await;
        assert!(began.elapsed() > HOUR / 2, "{:?}", began.elapsed());
    }

    async fn visit(client: &PoliteClient, host: &str) {
        let permit = client.permit(&format!("https://{host}/")).await.unwrap();
        permit.finish(200, None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_starts_of_a_group_count_after_a_restart() {
        let store = Arc::new(MemoryStore::new());
        let client = grouped(&store);
        visit(&client, "a.example").await;
        client.save().await.unwrap();
        drop(client);
        let client = grouped(&store);
        let began = Instant::now();
        visit(&client, "b.example").await;
        assert!(began.elapsed() < Duration::from_secs(5));
        visit(&client, "c.example").await;
        let waited = began.elapsed();
        // The wall clock goes on between the two lives, though tokio's stands still.
        assert!(waited >= Duration::from_secs(30), "{waited:?}");
        assert!(waited < Duration::from_secs(65), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_crash_each_group_waits_for_a_window() {
        let store = Arc::new(MemoryStore::new());
        let client = grouped(&store);
        let held = client.permit("https://a.example/").await.unwrap();
        client.save().await.unwrap();
        // A request is under way, so this is no clean end.
        drop(client);
        let client = grouped(&store);
        let began = Instant::now();
        visit(&client, "b.example").await;
        let waited = began.elapsed();
        assert!(waited >= Duration::from_secs(59), "{waited:?}");
        assert!(waited < Duration::from_secs(65), "{waited:?}");
        drop(held);
    }
}
