//! [`Polite`] as a layer of tower.

use std::error::Error as StdError;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::Body;
use polite_robots_policy::NetError;
use tower_layer::Layer;
use tower_service::Service;

use crate::error::Error;
use crate::layers::permitted_body::PermittedBody;
use crate::layers::polite::Polite;
use crate::net::request::Request;
use crate::pages::permit::Permit;

impl<S> Layer<S> for Polite {
    type Service = PoliteService<S>;

    fn layer(&self, inner: S) -> PoliteService<S> {
        PoliteService {
            polite: self.clone(),
            inner,
        }
    }
}

/// A service of tower that waits for robots.txt and for the turn of the host before each request:
/// [`Polite`] over another service.
///
/// The extensions of a response hold the [`Evidence`](crate::Evidence).
#[derive(Debug, Clone)]
pub struct PoliteService<S> {
    polite: Polite,
    inner: S,
}

type BoxError = Box<dyn StdError + Send + Sync>;

impl<S, B, R> Service<http::Request<B>> for PoliteService<S>
where
    S: Service<http::Request<B>, Response = http::Response<R>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: Send + 'static,
    R: Body,
{
    type Response = http::Response<PermittedBody<R>>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, mut request: http::Request<B>) -> Self::Future {
        let polite = self.polite.clone();
        // The service that was ready is the one to call; its clone is asked again.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        Box::pin(async move {
            let permit = admit(&polite, &mut request).await?;
            match inner.call(request).await {
                Ok(response) => Ok(answered(response, permit)),
                Err(error) => {
                    let error = error.into();
                    permit.fail(NetError::of(&*error));
                    Err(error)
                }
            }
        })
    }
}

/// Waits for the permit and makes the request one of the crawler.
async fn admit<B>(polite: &Polite, request: &mut http::Request<B>) -> Result<Permit, Error> {
    // A relative target has no host to ask, and is the error that says so.
    let Request { url, .. } = Request::get(&request.uri().to_string())?;
    let permit = polite.client.permit(url.as_str()).await?;
    // The signer takes a request without a body.
    let mut head = reqwest::Request::new(request.method().clone(), url);
    mem::swap(head.headers_mut(), request.headers_mut());
    polite.client.shared().transport.identify(&mut head)?;
    mem::swap(head.headers_mut(), request.headers_mut());
    Ok(permit)
}

/// Notes the answer, and ties its turn to its body.
fn answered<R: Body>(
    mut response: http::Response<R>,
    mut permit: Permit,
) -> http::Response<PermittedBody<R>> {
    permit.answered(response.status(), response.headers());
    let evidence = permit.evidence().clone();
    response.extensions_mut().insert(evidence);
    response.map(|body| PermittedBody::new(body, permit))
}
