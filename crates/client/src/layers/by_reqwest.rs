//! [`Polite`] as a layer of the crate `reqwest-middleware`.

use async_trait::async_trait;
use http::Extensions;
use reqwest::ResponseBuilderExt as _;
use reqwest_middleware::{Middleware, Next};
use url::Url;

use crate::client::PoliteClient;
use crate::error::{Error, RedirectProblem};
use crate::layers::permitted_body::PermittedBody;
use crate::layers::polite::Polite;
use crate::net::net_error::net_error;
use crate::pages::permit::Permit;

#[async_trait]
impl Middleware for Polite {
    async fn handle(
        &self,
        mut request: reqwest::Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<reqwest::Response> {
        let url = request.url().clone();
        let admitted = admit(&self.client, &mut request).await;
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

/// Waits for the permit and makes the request one of the crawler.
async fn admit(client: &PoliteClient, request: &mut reqwest::Request) -> Result<Permit, Error> {
    let permit = client.permit(request.url().as_str()).await?;
    client.shared().transport.identify(request)?;
    Ok(permit)
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
    let body = reqwest::Body::wrap(PermittedBody::new(body, permit));
    http::Response::from_parts(parts, body).into()
}
