//! Listens, and answers what a browser asks for.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Semaphore, watch};

use super::hub::Hub;
use super::message;
use super::page;
use super::record;
use super::room::Start;
use super::security::{Access, HEADERS, Verdict};
use super::socket;

/// Connections at a time; those beyond are closed at once.
const MAX_CONNECTIONS: usize = 256;
/// A request's head has to come within this time.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// A record has to come within this time.
const BODY_TIME: Duration = Duration::from_secs(30);
/// The largest record.
const MAX_RECORD: usize = 4 << 20;
/// The largest message of a page.
const MAX_MESSAGE: usize = 64 << 10;
/// How long it goes on without a page, when it has opened the browser itself.
const ALONE: Duration = Duration::from_secs(60);
/// A browser that was opened has so long to come.
const OPENING: Duration = Duration::from_secs(300);

/// Serves until Ctrl-C; when it has opened the browser itself, until the last page was closed a minute ago.
///
/// # Errors
/// When the system does not let it listen.
pub fn run(listener: TcpListener, access: Arc<Access>, hub: Arc<Hub>, opened: bool) -> Result<()> {
    let (stop, mut stopped) = watch::channel(false);
    let mut asked = false;
    // Fails only where a handler is set already.
    let _ = ctrlc::set_handler(move || {
        if std::mem::replace(&mut asked, true) {
            std::process::exit(crate::interrupt::EXIT_CODE.into());
        }
        stop.send_replace(true);
    });
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).context("cannot listen")?;
        tokio::select! {
            () = accept(&listener, router(access, hub.clone())) => {}
            _ = stopped.wait_for(|stopped| *stopped) => {}
            () = alone(&hub), if opened => {}
        }
        hub.close_all();
        Ok(())
    })
}

/// Until there was no page for a minute.
async fn alone(hub: &Hub) {
    let mut pages = hub.pages();
    let mut patience = OPENING;
    loop {
        let is_alone = pages.wait_for(|pages| *pages == 0);
        if is_alone.await.is_err() {
            return;
        }
        if tokio::time::timeout(patience, pages.wait_for(|pages| *pages > 0)).await.is_err() {
            return;
        }
        patience = ALONE;
    }
}

async fn accept(listener: &tokio::net::TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let (stream, _) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(why) => {
                // No more files may be opened, say: that passes.
                tracing::warn!("cannot accept a connection: {why}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else { continue };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(64 << 10);
            let connection = server.serve_connection(TokioIo::new(stream), service).with_upgrades();
            if let Err(why) = connection.await {
                tracing::debug!("a connection has failed: {why}");
            }
            drop(place);
        });
    }
}

fn router(access: Arc<Access>, hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/live", get(live))
        .route("/games", post(begin_record))
        .route("/games/{file}", get(download))
        .fallback(get(file))
        .with_state(hub)
        .layer(from_fn_with_state(access, guard))
        .layer(middleware::map_response(with_headers))
}

async fn with_headers(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        let header = HeaderValue::from_static(value);
        response.headers_mut().insert(HeaderName::from_static(name), header);
    }
    response
}

async fn guard(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    match access.check(request.method(), request.uri(), request.headers()) {
        Verdict::Allowed => next.run(request).await,
        Verdict::Admitted { cookie } => {
            (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, "/".to_owned())])
                .into_response()
        }
        Verdict::Refused(why) => {
            tracing::debug!("refused: {why}");
            (StatusCode::FORBIDDEN, why).into_response()
        }
    }
}

/// A part of the page.
async fn file(request: Request) -> Response {
    match page::file(request.uri().path()) {
        Some((kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}

/// The connection of a page.
async fn live(State(hub): State<Arc<Hub>>, upgrade: WebSocketUpgrade) -> Response {
    let Some(place) = hub.enter() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "there are too many pages").into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| socket::serve(socket, hub, place))
}

/// Which game of a record is wanted.
#[derive(serde::Deserialize)]
struct Which {
    /// From 1.
    #[serde(default = "first")]
    game: usize,
}

fn first() -> usize {
    1
}

/// A record that was dropped on the page: `POST /games?game=N`.
async fn begin_record(
    State(hub): State<Arc<Hub>>,
    Query(which): Query<Which>,
    request: Request,
) -> Response {
    let too_large = || (StatusCode::PAYLOAD_TOO_LARGE, "the record is too large").into_response();
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > MAX_RECORD) {
        return too_large();
    }
    let bytes = axum::body::to_bytes(request.into_body(), MAX_RECORD);
    let bytes = match tokio::time::timeout(BODY_TIME, bytes).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return too_large(),
        Err(_) => return (StatusCode::REQUEST_TIMEOUT, "the record does not come").into_response(),
    };
    let (one, count) = record::one_of(&bytes, which.game);
    if !(1..=count).contains(&which.game) {
        let why = format!("game {} is wanted of a file with {count}", which.game);
        return (StatusCode::UNPROCESSABLE_ENTITY, why).into_response();
    }
    let name = if count > 1 { format!("game {} of {count}", which.game) } else { String::new() };
    match hub.begin(Start::Record(one.to_vec(), name)).await {
        Ok(id) => axum_json(&serde_json::json!({"game": id, "games": count})),
        Err(why) => (StatusCode::UNPROCESSABLE_ENTITY, why).into_response(),
    }
}

fn axum_json(value: &serde_json::Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// `GAME.sgf`, or `GAME-review.sgf` with the review's comments and variations.
async fn download(State(hub): State<Arc<Hub>>, Path(name): Path<String>) -> Response {
    let missing = || (StatusCode::NOT_FOUND, "there is no such game").into_response();
    let Some(stem) = name.strip_suffix(".sgf") else { return missing() };
    let reviewed = stem.strip_suffix("-review");
    let Some(room) = hub.room(reviewed.unwrap_or(stem)) else { return missing() };
    match room.ask(message::Request::Sgf { reviewed: reviewed.is_some() }).await {
        Ok(sgf) => {
            let headers = [
                (CONTENT_TYPE, "application/x-go-sgf; charset=utf-8".to_owned()),
                (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
            ];
            let text = sgf.as_str().unwrap_or_default().to_owned();
            (headers, Body::from(text)).into_response()
        }
        Err(why) => (StatusCode::CONFLICT, why).into_response(),
    }
}
