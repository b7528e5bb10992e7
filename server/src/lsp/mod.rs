//! The language server.
//!
//! ```text
//! standard input → frames → protocol library → guard → backend ─task→ owner ─snapshot→ pool → requests
//! ```
//!
//! One thread, the owner, has the database and the documents. Handlers first send it a task, so edits are applied in
//! order, and a question is about the text at the time it was asked.

mod backend;
mod capabilities;
mod checked;
mod commands;
mod devices;
mod documents;
mod encoding;
mod frames;
mod guard;
mod notifications;
mod outbox;
mod owner;
mod pages;
mod paths;
mod pictures;
mod progress;
mod publish;
mod published;
mod requests;
mod results;
mod running;
mod runs;
mod sent_tokens;
mod session;
mod settings;
mod snapshot;
mod state;
mod unread;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use check::discard;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc::unbounded_channel;
use tower_lsp::Server;

use backend::Backend;
use guard::Guarded;

use crate::stack;

/// The most concurrent requests; far more than any client has.
const MOST_REQUESTS: usize = 256;
/// The bytes buffered between the frames and the protocol library.
const PIPE_BYTES: usize = 1 << 20;
/// How long answers are worked at after the client's last message, where it ended without saying goodbye.
const AFTER_THE_CLIENT: Duration = Duration::from_secs(30);
/// The delay before large unused values are dropped.
const BEFORE_DISCARD: Duration = Duration::from_millis(200);

/// Serves one client on standard input and output until it exits; returns whether it shut down properly.
///
/// # Errors
/// A sentence if threads cannot be started.
pub(crate) fn serve_standard() -> Result<bool, String> {
    crate::huge_pages::allow(false);
    discard_elsewhere()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the server cannot be started: {error}"))?;
    let result = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout()));
    // A pending read of standard input must not keep the process alive.
    runtime.shutdown_background();
    result
}

/// Drops large values on a separate thread, so that no edit waits for it.
fn discard_elsewhere() -> Result<(), String> {
    let (discarded, waiting) = std::sync::mpsc::channel();
    let drop_them = move || {
        for first in &waiting {
            // The sender is about to compute new values and needs the cores.
            std::thread::sleep(BEFORE_DISCARD);
            drop(first);
            waiting.try_iter().for_each(drop);
        }
    };
    // An expression is dropped as deep as it is written.
    let thread = std::thread::Builder::new().name("discard".to_owned()).stack_size(stack::BYTES).spawn(drop_them);
    thread.map_err(|error| format!("the server's threads cannot be started: {error}"))?;
    discard::hand_to(move |value| {
        // The thread ends with the process; later values are dropped here.
        let _ = discarded.send(value);
    });
    Ok(())
}

/// Serves one client.
async fn serve(
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> Result<bool, String> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(cores)
        .stack_size(stack::BYTES)
        .thread_name(|number| format!("reader {number}"))
        .build()
        .map_err(|error| format!("the server's threads cannot be started: {error}"))?;
    let pool = Arc::new(pool);

    let (to_library, from_frames) = tokio::io::duplex(PIPE_BYTES);
    let (from_library, to_collect) = tokio::io::duplex(PIPE_BYTES);
    let (answers, waiting) = unbounded_channel();
    let collecting = tokio::spawn(frames::collect(to_collect, answers.clone()));
    let (finish, over) = tokio::sync::oneshot::channel();
    let writing = tokio::spawn(frames::write(waiting, over, output));

    let (mut problem, mut owner) = (None, None);
    let goodbye = Arc::new(AtomicBool::new(false));
    let (service, socket) = Backend::service(pool, answers.clone(), goodbye.clone(), &mut problem, &mut owner);
    if let Some(problem) = problem {
        return Err(problem);
    }
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let reading = tokio::spawn(async move {
        frames::pass_messages(input, to_library, answers).await;
        // The client is gone, and with it whoever wants the runs that go on.
        if let Some(owner) = owner {
            owner.send(|state| state.running.close());
        }
        let _ = end.send(());
    });
    let serving = Server::new(from_frames, from_library, socket).concurrency_level(MOST_REQUESTS);
    // Without a client, answers that are not there soon are not waited for, such as that of a driver which hangs.
    let too_long = async {
        if ended.await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(AFTER_THE_CLIENT).await;
    };
    tokio::select! {
        () = serving.serve(Guarded::new(service)) => {}
        () = too_long => {}
    }
    // Sent answers are written before the process ends; further input is not read.
    reading.abort();
    let _ = collecting.await;
    let _ = reading.await;
    let _ = finish.send(());
    let _ = writing.await;
    Ok(goodbye.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests;
