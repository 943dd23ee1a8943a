//! A page of a live site, asked for as a polite crawler does: each robots.txt first, then the page
//! if it lets this command in.

use polite_robots_policy::Origin;
use polite_robots_policy::fetch::BodyEnd;
use reqwest::Url;

use crate::fetch::http::{Http, NoClient, Paces, Received, get_in_turn};
use crate::fetch::options::RequestOptions;
use crate::fetch::problem::Problem;
use crate::fetch::profiles::ProfileReading;
use crate::fetch::site::Site;
use crate::fetched_page::{FetchedPage, Hop, PageAnswer, PageEnd, PageRequest};
use crate::outcome::Failure;
use crate::terminal::printable;

/// Asks for a page, and for the robots.txt of each URL on the way to it. Up to `most_bytes` of the
/// page are read, and one more.
pub(crate) fn fetch_page(
    url: &str,
    options: &RequestOptions,
    most_bytes: usize,
) -> Result<FetchedPage, Failure> {
    let origin = Origin::of(url).map_err(|error| NoPage(error.to_string()))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let walk = Walk::new(&origin, options, most_bytes);
    let page = runtime.block_on(async { Ok::<_, NoClient>(walk.await?.into_page(url).await) });
    // The runtime does not wait for a resolver that hangs in a thread of its own.
    runtime.shutdown_background();
    Ok(page?)
}

/// The walk from a URL along its redirects.
struct Walk<'o> {
    http: Http,
    paces: Paces,
    sites: Vec<Site>,
    token: &'o str,
    most_bytes: usize,
    requests: Vec<PageRequest>,
    hops: Vec<Hop>,
}

impl<'o> Walk<'o> {
    async fn new(
        origin: &Origin,
        options: &'o RequestOptions,
        most_bytes: usize,
    ) -> Result<Walk<'o>, NoClient> {
        Ok(Walk {
            http: Http::new(&options.settings(), origin.host()).await?,
            paces: Paces::default(),
            sites: Vec::new(),
            token: options.product_token(),
            most_bytes,
            requests: Vec::new(),
            hops: Vec::new(),
        })
    }

    async fn into_page(mut self, url: &str) -> FetchedPage {
        let answer = self.follow(url).await.map(|received| PageAnswer {
            status: received.status,
            fields: received
                .headers
                .iter()
                .map(|(name, value)| (name.as_str().into(), value.as_bytes().into()))
                .collect(),
            body: received.body,
            end: match received.end {
                BodyEnd::CutShort => PageEnd::CutShort,
                _ => PageEnd::Complete,
            },
        });
        FetchedPage {
            requests: self.requests,
            hops: self.hops,
            answer,
        }
    }

    /// The page at the end of the redirects, or the reason why it was not read.
    async fn follow(&mut self, url: &str) -> Result<Received, String> {
        let mut url = String::from(url);
        for _ in 0..=MOST_REDIRECTS {
            self.pass_robots_txt(&url).await?;
            let received = self.get(&url).await?;
            match target(&url, &received)? {
                Some(next) if self.hops.iter().any(|hop| hop.url == next) => {
                    return Err(String::from("its redirects lead in a circle"));
                }
                Some(next) => url = next,
                None => return Ok(received.into_page(self.most_bytes)),
            }
        }
        Err(format!("it redirects more than {MOST_REDIRECTS} times"))
    }

    /// Asks for the robots.txt of the URL, and obeys it as any other crawler does.
    async fn pass_robots_txt(&mut self, url: &str) -> Result<(), String> {
        let origin = Origin::of(url).map_err(|error| error.to_string())?;
        let place = match self.sites.iter().position(|site| site.origin == origin) {
            Some(place) => place,
            None => {
                let site = Site::ask_through(&self.http, origin, &self.paces).await;
                let exchanges = site.round.exchanges.iter();
                let requests = exchanges.map(|exchange| request(&exchange.url, &exchange.answer));
                self.requests.extend(requests);
                self.sites.push(site);
                self.sites.len().saturating_sub(1)
            }
        };
        let Some(site) = self.sites.get(place) else {
            return Ok(());
        };
        self.hops.push(Hop {
            url: String::from(url),
            readings: site.readings.clone(),
        });
        if let Some(problem) = site.round.problem() {
            return Err(format!("its robots.txt gives no answer: {problem}"));
        }
        let own = ProfileReading::own(&site.round, &site.origin);
        let robot = own.robot(self.token).map_err(|error| error.to_string())?;
        let verdict = robot.check(url);
        match verdict.is_allowed() {
            true => Ok(()),
            false => Err(format!(
                "its robots.txt keeps `{}` out ({})",
                self.token,
                verdict.reason()
            )),
        }
    }

    async fn get(&mut self, url: &str) -> Result<Received, String> {
        let origin = Origin::of(url).map_err(|error| error.to_string())?;
        let (host, most_bytes) = (origin.host(), self.most_bytes);
        let answer = get_in_turn(&self.http, &self.paces, host, url, most_bytes).await;
        self.requests.push(request(url, &answer));
        answer.map_err(|problem| problem.to_string())
    }
}

/// The URL to which an answer redirects, if it does.
fn target(url: &str, received: &Received) -> Result<Option<String>, String> {
    let location = match received.status {
        301 | 302 | 303 | 307 | 308 => received.field("location"),
        _ => None,
    };
    let Some(location) = location else {
        return Ok(None);
    };
    let next = Url::parse(url).and_then(|url| url.join(&location));
    match next {
        Ok(next) if matches!(next.scheme(), "http" | "https") => Ok(Some(next.into())),
        _ => Err(format!(
            "it redirects to `{}`, which no crawler fetches",
            printable(&location)
        )),
    }
}

fn request(url: &str, answer: &Result<Received, Problem>) -> PageRequest {
    let received = answer.as_ref().ok();
    PageRequest {
        url: String::from(url),
        status: received.map(|received| received.status),
        location: received.and_then(|received| received.field("location")),
        problem: answer.as_ref().err().map(ToString::to_string),
    }
}

/// A URL that cannot be asked for.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NoPage(String);

/// The most redirects of a page. Google follows ten.
const MOST_REDIRECTS: usize = 10;
