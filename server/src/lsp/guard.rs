//! Between the protocol library and the handlers: order is kept, and a panic answers its own request only.

use std::panic::AssertUnwindSafe;
use std::task::{Context, Poll};

use futures_util::future::{self, BoxFuture, FutureExt};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_service::Service;

/// A service whose requests are begun in the order in which they arrive.
///
/// A handler's first act is to send what it was asked to the owner of the database. It is polled once when it arrives,
/// so that these sends happen in order; what then has to wait, waits as a task of its own.
pub(super) struct Guarded<S> {
    inner: S,
}

impl<S> Guarded<S> {
    pub(super) fn new(inner: S) -> Self {
        Self { inner }
    }
}

impl<S> Service<Request> for Guarded<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Option<Response>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let id = request.id().cloned();
        let method = request.method().to_owned();
        let begun = std::panic::catch_unwind(AssertUnwindSafe(|| self.inner.call(request)));
        let Ok(handler) = begun else { return future::ok(failed(id, &method)).boxed() };
        let mut handler = AssertUnwindSafe(handler).catch_unwind().boxed();
        match (&mut handler).now_or_never() {
            Some(Ok(answer)) => future::ready(answer).boxed(),
            Some(Err(_panic)) => future::ok(failed(id, &method)).boxed(),
            None => {
                let task = tokio::spawn(handler);
                async move {
                    match task.await {
                        Ok(Ok(answer)) => answer,
                        Ok(Err(_)) | Err(_) => Ok(failed(id, &method)),
                    }
                }
                .boxed()
            }
        }
    }
}

/// The answer to a request whose handler panicked; a notification has none.
fn failed(id: Option<Id>, method: &str) -> Option<Response> {
    id.map(|id| Response::from_error(id, defect(method)))
}

/// The error that says that the server has a defect.
pub(super) fn defect(what: &str) -> Error {
    Error {
        code: ErrorCode::InternalError,
        message: format!("a defect of the server stopped `{what}`; please report it with the file that you edited")
            .into(),
        data: None,
    }
}
