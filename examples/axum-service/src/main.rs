//! A small service: counts the words of a text that is posted to it.

use std::collections::HashMap;

use axum::{routing::post, Json, Router};
use itertools::Itertools;
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
struct Counted {
    id: Uuid,
    words: Vec<(String, usize)>,
}

async fn count(text: String) -> Json<Counted> {
    let counts: HashMap<&str, usize> = text.split_whitespace().counts();
    let words = counts.into_iter().sorted().map(|(word, count)| (word.to_owned(), count)).collect();
    Json(Counted { id: Uuid::new_v4(), words })
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let router = Router::new().route("/counts", post(count));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, router).await?;
    Ok(())
}
