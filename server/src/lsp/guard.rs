//! A layer between the protocol library and the handlers: it keeps the order of requests, and confines a panic to its
//! own request.

use std::panic::AssertUnwindSafe;
use std::task::{Context, Poll};

use futures_util::future::{self, BoxFuture, FutureExt};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_service::Service;

/// A service that starts requests in the order in which they arrive.
///
/// A handler first sends a task to the owner of the database. It is polled once when its request arrives, so that
/// these sends happen in order; the rest runs as a separate task.
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
                let mut task = EndOnDrop(tokio::spawn(handler));
                async move {
                    match (&mut task.0).await {
                        Ok(Ok(answer)) => answer,
                        Ok(Err(_)) | Err(_) => Ok(failed(id, &method)),
                    }
                }
                .boxed()
            }
        }
    }
}

/// A task that is aborted when its handle is dropped: the library drops the future of a cancelled request, and
/// aborting the handler cancels its work.
struct EndOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for EndOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The answer to a request whose handler panicked; a notification has none.
fn failed(id: Option<Id>, method: &str) -> Option<Response> {
    id.map(|id| Response::from_error(id, defect(method)))
}

/// The error for a defect of the server.
pub(super) fn defect(what: &str) -> Error {
    Error {
        code: ErrorCode::InternalError,
        message: format!("a defect of the server stopped `{what}`; please report it with the file that you edited")
            .into(),
        data: None,
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::sync::Notify;

    use super::*;

    /// A service that never answers.
    struct Silent(Arc<Notify>);

    /// Tells when it is gone.
    struct Told(Arc<Notify>);

    impl Drop for Told {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }

    impl Service<Request> for Silent {
        type Response = Option<Response>;
        type Error = Infallible;
        type Future = BoxFuture<'static, Result<Option<Response>, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: Request) -> Self::Future {
            let told = Told(self.0.clone());
            async move {
                let _told = told;
                future::pending().await
            }
            .boxed()
        }
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_ends() {
        let ended = Arc::new(Notify::new());
        let mut service = Guarded::new(Silent(ended.clone()));
        let mut answer = service.call(Request::build("textDocument/hover").id(1).finish());
        assert!((&mut answer).now_or_never().is_none());
        drop(answer);
        tokio::time::timeout(Duration::from_secs(60), ended.notified()).await.expect("the handler goes on");
    }
}
