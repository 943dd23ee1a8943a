//! A body that ends the turn of its host with its own end.

use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Body, Frame, SizeHint};

use crate::pages::permit::Permit;

/// The body of a response, with the turn in which the response came. The turn ends with the last
/// piece of the body, with its error, or when the body is dropped.
#[derive(Debug)]
pub struct PermittedBody<B> {
    body: B,
    permit: Option<Permit>,
}

impl<B: Body> PermittedBody<B> {
    pub(crate) fn new(body: B, permit: Permit) -> PermittedBody<B> {
        let permit = (!body.is_end_stream()).then_some(permit);
        PermittedBody { body, permit }
    }
}

impl<B: Body + Unpin> Body for PermittedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
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
