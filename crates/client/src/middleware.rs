//! [`Polite`]: the turns and the robots.txt of a [`PoliteClient`] for a client of the crate
//! `reqwest-middleware`.

use std::pin::Pin;
use std::task::{Context, Poll};

use async_trait::async_trait;
use bytes::Bytes;
use http::Extensions;
use http_body::{Body, Frame, SizeHint};
use reqwest::ResponseBuilderExt as _;
use reqwest_middleware::{Middleware, Next};
use url::Url;

use crate::client::PoliteClient;
use crate::error::{Error, RedirectProblem};
use crate::net::net_error::net_error;
use crate::pages::permit::Permit;

/// A layer of `reqwest-middleware` that lets a request pass when robots.txt allows it and its host
/// has a turn.
///
/// It holds a [`PoliteClient`], which fetches robots.txt by itself and knows the pace of each host;
/// clones of that client may fetch pages beside the layer, and both keep the same gaps. The layer
/// also gives each request the `User-Agent`, `From` and signature of that client. A response holds
/// the turn of its host until its body is read to the end or dropped, as
/// [`Response`](crate::Response) does, and its extensions hold the [`Evidence`](crate::Evidence).
///
/// ```
/// use polite_robots_client::middleware::Polite;
/// use polite_robots_client::{Egress, Error, PoliteClient};
/// use polite_robots_client::network::GuardedResolver;
/// use reqwest_middleware::{ClientBuilder, ClientWithMiddleware};
///
/// fn client() -> Result<ClientWithMiddleware, Error> {
///     // First, as it installs a provider of cryptography for rustls if the process has none.
///     let polite = PoliteClient::builder("ExampleBot")
///         .contact("https://example.com/bot", "bot@example.com")
///         .build()?;
///     let http = GuardedResolver::new(Egress::public_only())
///         .guard(reqwest::Client::builder())
///         .redirect(reqwest::redirect::Policy::none())
///         .retry(reqwest::retry::never())
///         .build()?;
///     // Other layers stand above, so that whatever they send passes this one.
///     Ok(ClientBuilder::new(http).with(Polite::new(polite)).build())
/// }
///
/// async fn visit(client: &ClientWithMiddleware, url: &str) -> reqwest_middleware::Result<()> {
///     match client.get(url).send().await {
///         Ok(page) => println!("{url}: {}", page.text().await?),
///         Err(error) => match Error::of(&error) {
///             Some(Error::Disallowed(why)) => println!("dropped: {}", why.verdict()),
///             Some(why) => println!("{url}: {why}, retry at {:?}", why.retry_at()),
///             None => return Err(error),
///         },
///     }
///     Ok(())
/// }
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async { client().map(drop) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A request that is not sent is a [`reqwest_middleware::Error::Middleware`] with an [`Error`] in
/// it, which [`Error::of`] finds, below an error of `reqwest-retry` too. Errors of the foreign
/// client are passed on as they are.
///
/// # Limits of the adapter
///
/// A layer sees requests and responses, and not the client below it. [`PoliteClient::get`] has none
/// of these gaps:
///
/// * **Redirects.** Build the foreign client with `redirect(Policy::none())`. One that follows
///   redirects sends requests that nobody asked robots.txt about; its response comes back as
///   [`RedirectProblem::FollowedUnasked`], which is loud and too late. A redirect that is returned
///   is a response like any other: send a request for its `Location` through the client with the
///   layer.
/// * **Addresses.** An address in the URL is checked; that of a name is chosen by the foreign
///   client. Give it a [`GuardedResolver`](crate::network::GuardedResolver) as above. A proxy
///   resolves by itself, so its choice is unchecked.
/// * **Retries.** A layer that sends requests again stands *above* this one:
///   `.with(retry).with(polite)`, as the first layer that is added is the outermost one. Then each
///   attempt passes robots.txt and waits for its own turn. Below, its requests would follow each
///   other within one turn, unseen. reqwest repeats some requests by itself, which `retry(never())`
///   ends. `reqwest-retry` sends nothing again that robots.txt disallows, and keeps the failed
///   response while it sleeps, so the host's gap begins after that.
/// * **Caches.** A layer that answers without a request stands above, too, or its answers wait for
///   turns.
/// * **Time.** No wait is cut off but that of [`max_wait`](crate::PoliteClientBuilder::max_wait). A
///   time limit of the foreign client counts from the moment of sending; one around the call counts
///   the wait for the turn.
/// * **Sizes.** The page limit is not applied to the responses of the foreign client.
#[derive(Debug, Clone)]
pub struct Polite {
    client: PoliteClient,
}

impl Polite {
    /// A layer with the turns of a client. Add it last.
    #[must_use]
    pub fn new(client: PoliteClient) -> Polite {
        Polite { client }
    }

    /// Waits for the permit and makes the request one of the crawler.
    async fn admit(&self, request: &mut reqwest::Request) -> Result<Permit, Error> {
        let permit = self.client.permit(request.url().as_str()).await?;
        self.client.shared().transport.identify(request)?;
        Ok(permit)
    }
}

#[async_trait]
impl Middleware for Polite {
    async fn handle(
        &self,
        mut request: reqwest::Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<reqwest::Response> {
        let url = request.url().clone();
        let admitted = self.admit(&mut request).await;
        let permit = admitted.map_err(|error| foreign(error, &url))?;
        match next.run(request, extensions).await {
            Ok(response) => answered(response, permit, &url).map_err(|error| foreign(error, &url)),
            Err(error) => {
                // Without a network error nobody knows what a lower layer did: then the request
                // counts as broken off.
                if let Some(error) = network_error(&error) {
                    permit.fail(net_error(error));
                }
                Err(error)
            }
        }
    }
}

/// Notes the answer, and ties its turn to its body.
fn answered(
    mut response: reqwest::Response,
    mut permit: Permit,
    asked: &Url,
) -> Result<reqwest::Response, Error> {
    permit.answered(response.status(), response.headers());
    if target(response.url()) != target(asked) {
        return Err(Error::Redirect {
            chain: vec![asked.to_string(), response.url().to_string()],
            why: RedirectProblem::FollowedUnasked,
        });
    }
    let evidence = permit.evidence().clone();
    response.extensions_mut().insert(evidence);
    Ok(holding(response, permit))
}

/// Wraps the error so that layers above leave it a source of theirs: transparent errors, such as
/// those of `reqwest-middleware` and `reqwest-retry`, show only the source of what they hold.
fn foreign(error: Error, url: &Url) -> reqwest_middleware::Error {
    anyhow::Error::new(error)
        .context(format!("no page from {url}"))
        .into()
}

fn network_error(error: &reqwest_middleware::Error) -> Option<&reqwest::Error> {
    match error {
        reqwest_middleware::Error::Reqwest(error) => Some(error),
        reqwest_middleware::Error::Middleware(error) => {
            error.chain().find_map(|error| error.downcast_ref())
        }
    }
}

/// The URL as a server sees it: a client keeps no fragment, and sends credentials in a header.
fn target(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    // Fails only for URLs without a host, which have no credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// Ties the permit to the body of the response.
fn holding(response: reqwest::Response, permit: Permit) -> reqwest::Response {
    // The URL gets lost on the way through the crate `http`, and comes back by an extension that
    // only this builder makes.
    let mut url = http::response::Builder::new().url(response.url().clone());
    let (mut parts, body) = http::Response::<reqwest::Body>::from(response).into_parts();
    if let Some(url) = url.extensions_mut() {
        parts.extensions.extend(std::mem::take(url));
    }
    let permit = (!body.is_end_stream()).then_some(permit);
    let body = reqwest::Body::wrap(PermittedBody { body, permit });
    http::Response::from_parts(parts, body).into()
}

/// A body that ends the turn of its host with its own end.
struct PermittedBody {
    body: reqwest::Body,
    permit: Option<Permit>,
}

impl Body for PermittedBody {
    type Data = Bytes;
    type Error = reqwest::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<reqwest::Result<Frame<Bytes>>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.permit = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
