//! [`Polite`]: the turns and the robots.txt of a [`PoliteClient`] for a client that is built of
//! layers.

use crate::client::PoliteClient;

/// A layer that lets a request pass when robots.txt allows it and its host has a turn: one of
/// `reqwest-middleware` with the feature `middleware`, and one of [tower](#tower) with the feature
/// `tower`.
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
/// # tower
///
/// With the feature `tower` it is a `tower_layer::Layer` over every service that takes an
/// `http::Request` with an absolute URL, such as the client of hyper. A layer that follows
/// redirects or sends requests again stands above it, so that each request waits for its own turn.
///
/// ```
/// # #[cfg(feature = "tower")]
/// # fn layered<S: Clone>(http: S) -> Result<(), polite_robots_client::Error> {
/// use polite_robots_client::PoliteClient;
/// use polite_robots_client::middleware::Polite;
/// use tower_layer::Layer as _;
///
/// let polite = PoliteClient::builder("ExampleBot")
///     .contact("https://example.com/bot", "bot@example.com")
///     .build()?;
/// // Or `ServiceBuilder::new().layer(Polite::new(polite)).service(http)`.
/// let service = Polite::new(polite).layer(http);
/// # Ok(())
/// # }
/// ```
///
/// Its error is a boxed one, of the service below or an
/// [`Error`](crate::Error): [`Error::of`](crate::Error::of) finds it.
///
/// # Errors
///
/// A request that is not sent by a layer of `reqwest-middleware` is a
/// [`reqwest_middleware::Error::Middleware`] with an [`Error`](crate::Error) in it, which
/// [`Error::of`](crate::Error::of) finds, below an error of `reqwest-retry` too. Errors of the
/// foreign client are passed on as they are.
///
/// # Limits of the adapter
///
/// A layer sees requests and responses, and not the client below it. [`PoliteClient::get`] has none
/// of these gaps:
///
/// * **Redirects.** Build the foreign client with `redirect(Policy::none())`. One that follows
///   redirects sends requests that nobody asked robots.txt about. Its response comes back as
///   [`FollowedUnasked`](crate::error::RedirectProblem::FollowedUnasked), which is loud and too
///   late. A redirect that is returned is a response like any other: send a request for its
///   `Location` through the client with the layer.
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
    pub(super) client: PoliteClient,
}

impl Polite {
    /// A layer with the turns of a client. Add it last.
    #[must_use]
    pub fn new(client: PoliteClient) -> Polite {
        Polite { client }
    }
}
