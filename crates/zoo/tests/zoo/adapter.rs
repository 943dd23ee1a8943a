//! Clients of reqwest-middleware and of tower with the layer of the client, in the zoo.

use std::collections::VecDeque;
use std::error::Error as StdError;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::FROM;
use http::{Extensions, HeaderValue};
use http_body_util::BodyExt as _;
use polite_robots_client::error::RedirectProblem;
use polite_robots_client::middleware::Polite;
use polite_robots_client::network::{GuardedResolver, net_error};
use polite_robots_client::{Egress, Error, Evidence, PoliteClient};
use polite_robots_policy::fetch::by_reqwest;
use polite_robots_policy::{Cache, NetError, Profile, RobotsCache, RobotsResponse};
use reqwest::redirect::Policy;
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Middleware, Next};
use tokio::task::JoinSet;
use tower::{Service, ServiceBuilder, ServiceExt as _};
use tower_http::follow_redirect::FollowRedirectLayer;
use tower_http::follow_redirect::policy::Limited;

use super::answer::Answer;
use super::crawl::{PATIENCE, client, impatient, quick, runtime};
use super::hit::{Cut, Hit};
use super::judge::Judge;
use super::kinds::{KINDS, RULES, populate};
use super::server::{Ground, Site, Zoo};
use super::stall;

/// A foreign client as in the documentation of the layer, except for its redirect policy.
fn foreign(zoo: &Zoo, redirects: Policy) -> reqwest::Client {
    let named = builder(zoo).user_agent("Mozilla/5.0");
    named.redirect(redirects).build().unwrap()
}

fn builder(zoo: &Zoo) -> reqwest::ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .connect_timeout(PATIENCE)
        .read_timeout(PATIENCE)
        .retry(reqwest::retry::never());
    GuardedResolver::over(Egress::any(), zoo.resolver()).guard(builder)
}

fn polite(zoo: &Zoo) -> PoliteClient {
    impatient(client(zoo, quick(Profile::rfc9309()), WORKERS))
        .build()
        .unwrap()
}

fn layered(zoo: &Zoo) -> ClientWithMiddleware {
    let http = foreign(zoo, Policy::none());
    ClientBuilder::new(http)
        .with(Polite::new(polite(zoo)))
        .build()
}

fn judge() -> Judge {
    let mut judge = Judge::of_crawl(quick(Profile::rfc9309()), "ExampleBot");
    judge.most_at_once = Some(WORKERS);
    judge
}

fn assert_polite(hits: &[Hit]) {
    assert_polite_by(judge(), hits);
}

fn assert_polite_by(judge: Judge, hits: &[Hit]) -> Judge {
    let violations = judge.violations(hits);
    assert!(violations.is_empty(), "{violations:#?}");
    judge
}

fn one_site(answers: &[(&str, Answer)]) -> Zoo {
    let sites = answers
        .iter()
        .fold(Site::default(), |site, (path, answer)| {
            site.on(path, [answer.clone()])
        });
    Ground::new(1, 0).open([(HOST.to_owned(), sites)].into())
}

const HOST: &str = "h0001.test";
const WORKERS: usize = 32;

/// Fetches a page and follows its redirects as a caller of the layer does.
async fn visit(client: &ClientWithMiddleware, url: &str) -> reqwest_middleware::Result<()> {
    let mut url: reqwest::Url = url.parse().unwrap();
    for _ in 0..5 {
        let page = client.get(url.clone()).send().await?;
        assert_eq!(page.url(), &url);
        let location = page.headers().get("location");
        let target = location.and_then(|target| url.join(target.to_str().unwrap()).ok());
        page.bytes().await?;
        match target.filter(|target| target.scheme().starts_with("http")) {
            Some(target) => url = target,
            None => break,
        }
    }
    Ok(())
}

#[test]
fn a_foreign_client_is_as_polite() {
    crawl(false, |zoo, _| {
        let client = layered(zoo);
        move |url| {
            let client = client.clone();
            async move { Ok(visit(&client, &url).await?) }
        }
    });
}

/// A client that is built of tower's layers, of which the one above follows the redirects.
#[test]
fn a_service_of_tower_is_as_polite() {
    crawl(false, |zoo, _| {
        let service = ServiceBuilder::new()
            .layer(FollowRedirectLayer::with_policy(Limited::new(5)))
            .layer(Polite::new(polite(zoo)))
            .service(Plain(foreign(zoo, Policy::none())));
        move |url: String| {
            let service = service.clone();
            async move {
                let request = http::Request::get(url).body(reqwest::Body::default())?;
                let page = service.oneshot(request).await?;
                assert!(page.extensions().get::<Evidence>().is_some());
                reqwest::Body::wrap(page.into_body()).collect().await?;
                Ok(())
            }
        }
    });
}

/// A client that asks the cache for each request by itself.
#[test]
fn a_cache_whose_callers_wait_is_as_polite() {
    crawl(true, |zoo, cuts| {
        let from = HeaderValue::from_static("bot@example.com");
        let client = builder(zoo)
            .user_agent("ExampleBot/1.0 (+https://example.com/bot)")
            .default_headers([(FROM, from)].into_iter().collect())
            .redirect(Policy::none())
            .build()
            .unwrap();
        let cache = Cache::new(quick(Profile::rfc9309()), &["ExampleBot"], 64 << 20).unwrap();
        let fetch = by_reqwest(client.clone(), PATIENCE);
        let noted = Arc::clone(cuts);
        let robots = RobotsCache::over(cache, move |url: String| {
            let request = Request::to(&url, &noted);
            let fetched = fetch(url);
            async { request.ended(fetched.await) }
        });
        let robots = Arc::new(robots.with_max_wait(Duration::from_secs(60)));
        let cuts = Arc::clone(cuts);
        move |url: String| {
            let (robots, client, cuts) = (Arc::clone(&robots), client.clone(), Arc::clone(&cuts));
            async move { ask_and_visit(&robots, &client, &cuts, url.parse()?).await }
        }
    });
}

/// A request of a caller who may be cut off, also one to a host that a redirect leads to.
struct Request {
    cut: Option<(String, Cuts)>,
}

impl Request {
    fn to(url: &str, cuts: &Cuts) -> Request {
        Request {
            cut: Some((url.to_owned(), Arc::clone(cuts))),
        }
    }

    fn ended<T>(mut self, answer: T) -> T {
        self.cut = None;
        answer
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        if let Some((url, cuts)) = self.cut.take() {
            cuts.lock().unwrap().push(Cut::of(&url));
        }
    }
}

/// Fetches a page and follows its redirects, each in a turn of its own.
async fn ask_and_visit<A>(
    robots: &RobotsCache<impl Fn(String) -> A>,
    client: &reqwest::Client,
    cuts: &Cuts,
    mut url: reqwest::Url,
) -> Visited
where
    A: Future<Output = Result<RobotsResponse, NetError>>,
{
    for _ in 0..5 {
        let permit = robots.wait(url.as_str()).await?;
        if !permit.allowed {
            return Err(permit.to_string().into());
        }
        let request = Request::to(url.as_str(), cuts);
        let page = match client.get(url.clone()).send().await {
            Ok(page) => page,
            Err(error) => {
                permit.fail(net_error(&error));
                return request.ended(Err(error.into()));
            }
        };
        let (status, headers) = (page.status().as_u16(), page.headers().clone());
        let body = page.bytes().await;
        permit.finish(status, &headers);
        request.ended(body)?;
        let location = headers.get("location");
        let target = location.and_then(|target| url.join(target.to_str().ok()?).ok());
        match target.filter(|target| target.scheme().starts_with("http")) {
            Some(target) => url = target,
            None => break,
        }
    }
    Ok(())
}

/// A client of reqwest as a service for requests of the crate `http`.
#[derive(Clone)]
struct Plain(reqwest::Client);

impl Service<http::Request<reqwest::Body>> for Plain {
    type Response = http::Response<reqwest::Body>;
    type Error = reqwest::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, reqwest::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), reqwest::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<reqwest::Body>) -> Self::Future {
        let client = self.0.clone();
        Box::pin(async move { Ok(client.execute(request.try_into()?).await?.into()) })
    }
}

/// The calls that were cut off.
type Cuts = Arc<Mutex<Vec<Cut>>>;

type Visited = Result<(), Box<dyn StdError + Send + Sync>>;

/// A foreign client repeats the crawl of the client itself, with a third of the calls cut off.
fn crawl<V, R>(hands_over: bool, client: impl FnOnce(&Zoo, &Cuts) -> V)
where
    V: Fn(String) -> R + Clone + Send + 'static,
    R: Future<Output = Visited> + Send,
{
    let ground = Ground::new(KINDS.len(), 1);
    let (exhibits, sites) = populate(&ground);
    let zoo = ground.open(sites);
    let urls = exhibits.iter().flat_map(|exhibit| exhibit.urls.clone());
    let urls: Vec<String> = urls.collect();
    let cuts = Cuts::default();
    runtime().block_on(async {
        stall::watch();
        let visit = client(&zoo, &cuts);
        let calls = urls.iter().map(|url| (url.clone(), 1));
        let queue: Arc<Mutex<VecDeque<(String, u32)>>> = Arc::new(Mutex::new(calls.collect()));
        let mut workers = JoinSet::new();
        for worker in 0..WORKERS {
            let (visit, queue) = (visit.clone(), Arc::clone(&queue));
            let cuts = Arc::clone(&cuts);
            workers.spawn(async move {
                loop {
                    let Some((url, attempt)) = queue.lock().unwrap().pop_front() else {
                        break;
                    };
                    let is_cut =
                        attempt < 6 && (worker + url.len() + attempt as usize).is_multiple_of(3);
                    let patience = if is_cut {
                        Duration::from_millis(900 * u64::from(attempt))
                    } else {
                        Duration::from_secs(120)
                    };
                    let visited = tokio::time::timeout(patience, visit(url.clone())).await;
                    let is_over = match &visited {
                        Err(_) => {
                            cuts.lock().unwrap().push(Cut::of(&url));
                            false
                        }
                        Ok(Err(error)) => match Error::of(&**error) {
                            Some(Error::Closed { retry_at, .. }) => {
                                tokio::time::sleep(Duration::from_millis(700)).await;
                                retry_at.is_none() || attempt >= 8
                            }
                            _ => true,
                        },
                        Ok(Ok(())) => true,
                    };
                    if !is_over {
                        queue.lock().unwrap().push_back((url, attempt + 1));
                    }
                }
            });
        }
        while let Some(done) = workers.join_next().await {
            done.unwrap();
        }
    });
    let hits = zoo.hits();
    let mut judge = judge();
    judge.cuts = zoo.cuts(cuts.lock().unwrap().clone());
    judge.hands_over = hands_over;
    let judge = assert_polite_by(judge, &hits);
    let unfetched = judge.unfetched(&hits, &urls);
    assert!(unfetched.is_empty(), "{unfetched:#?}");
}

/// A layer that retries a request as `reqwest-retry` does: it holds the failed response until the
/// next attempt.
struct Again;

#[async_trait::async_trait]
impl Middleware for Again {
    async fn handle(
        &self,
        request: reqwest::Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<reqwest::Response> {
        loop {
            let copy = request.try_clone().unwrap();
            let answer = next.clone().run(copy, extensions).await;
            if answer.as_ref().is_ok_and(|answer| answer.status() == 429) {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
            return answer;
        }
    }
}

#[test]
fn each_attempt_of_a_layer_above_has_a_turn_of_its_own() {
    let page = [Answer::status(429).retry_after(2), Answer::ok("a page")];
    let site = Site::default().on("/robots.txt", [Answer::ok(RULES)]);
    let site = site.on("/a", page);
    let zoo = Ground::new(1, 0).open([(HOST.to_owned(), site)].into());
    runtime().block_on(async {
        let http = foreign(&zoo, Policy::none());
        let polite = Polite::new(polite(&zoo));
        let client = ClientBuilder::new(http).with(Again).with(polite).build();
        let page = client.get(zoo.url(HOST, "/a")).send().await.unwrap();
        assert_eq!(page.text().await.unwrap(), "a page");
    });
    let hits = zoo.hits();
    let paths: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths, ["/robots.txt", "/a", "/a"]);
    assert!(hits[2].start >= hits[1].end + Duration::from_secs(2));
    assert_polite(&hits);
}

#[test]
fn a_disallowed_page_is_not_sent_and_its_error_is_found() {
    let zoo = one_site(&[("/robots.txt", Answer::ok(RULES))]);
    runtime().block_on(async {
        let client = layered(&zoo);
        let error = client.get(zoo.url(HOST, "/private")).send().await;
        let error = error.unwrap_err();
        assert!(
            matches!(Error::of(&error), Some(Error::Disallowed(_))),
            "{error:?}"
        );
        let reqwest_middleware::Error::Middleware(error) = error else {
            panic!("{error:?}");
        };
        assert!(matches!(error.downcast_ref(), Some(Error::Disallowed(_))));
    });
    assert!(zoo.hits().iter().all(|hit| hit.path == "/robots.txt"));
}

#[test]
fn a_client_that_follows_redirects_by_itself_is_found() {
    let zoo = one_site(&[
        ("/a", Answer::redirect(302, "/b")),
        ("/b", Answer::ok("moved")),
    ]);
    runtime().block_on(async {
        let http = foreign(&zoo, Policy::limited(3));
        let client = ClientBuilder::new(http)
            .with(Polite::new(polite(&zoo)))
            .build();
        let error = client.get(zoo.url(HOST, "/a")).send().await.unwrap_err();
        let Some(Error::Redirect { chain, why }) = Error::of(&error) else {
            panic!("{error:?}");
        };
        assert_eq!(*why, RedirectProblem::FollowedUnasked);
        assert_eq!(*chain, ["/a", "/b"].map(|path| zoo.url(HOST, path)));
    });
}

#[test]
fn a_response_stays_itself_and_the_request_gets_the_crawlers_name() {
    let zoo = one_site(&[("/a", Answer::ok("a page").header("X-Kind", "plain"))]);
    runtime().block_on(async {
        let url = zoo.url(HOST, "/a");
        let request = layered(&zoo)
            .get(format!("{url}#part"))
            .header("User-Agent", "Opera");
        let page = request.send().await.unwrap();
        assert_eq!((page.status().as_u16(), page.url().as_str()), (200, &*url));
        assert_eq!(
            (page.content_length(), &page.headers()["x-kind"]),
            (Some(6), &"plain".parse().unwrap())
        );
        assert!(page.extensions().get::<Evidence>().unwrap().is_allowed());
        assert!(page.remote_addr().is_some());
        assert_eq!(page.bytes().await.unwrap(), "a page");
    });
    let hits = zoo.hits();
    let name = "ExampleBot/1.0 (+https://example.com/bot; bot@example.com)";
    for hit in &hits {
        assert_eq!(hit.header("user-agent"), Some(name));
        assert_eq!(hit.header("from"), Some("bot@example.com"));
    }
    assert_eq!(hits.len(), 2);
}

/// The turn of the host ends when the body has been read or the response is dropped, and not
/// before.
#[test]
fn a_response_holds_the_turn_of_its_host() {
    let body = "x".repeat(4 << 20);
    let zoo = one_site(&[("/a", Answer::ok(&body)), ("/b", Answer::ok("b"))]);
    runtime().block_on(async {
        let client = layered(&zoo);
        let get = async |path| client.get(zoo.url(HOST, path)).send().await.unwrap();
        let patience = Duration::from_millis(1_000);
        let page = get("/a").await;
        assert!(tokio::time::timeout(patience, get("/b")).await.is_err());
        assert_eq!(page.bytes().await.unwrap().len(), body.len());
        assert_eq!(get("/b").await.text().await.unwrap(), "b");
        drop(get("/a").await);
        assert_eq!(get("/b").await.text().await.unwrap(), "b");
    });
    assert_polite(&zoo.hits());
}

/// Failures of the foreign client slow the host down: the layer reports them to its pace.
#[test]
fn a_failure_of_the_foreign_client_counts() {
    let zoo = one_site(&[("/a", Answer::reset())]);
    runtime().block_on(async {
        let polite = polite(&zoo);
        let http = foreign(&zoo, Policy::none());
        let client = ClientBuilder::new(http)
            .with(Polite::new(polite.clone()))
            .build();
        for _ in 0..3 {
            let error = client.get(zoo.url(HOST, "/a")).send().await.unwrap_err();
            assert!(
                matches!(error, reqwest_middleware::Error::Reqwest(_)),
                "{error:?}"
            );
        }
        let metrics = polite.metrics();
        assert_eq!((metrics.in_flight, metrics.cancelled), (0, 0));
    });
    assert_polite(&zoo.hits());
}
