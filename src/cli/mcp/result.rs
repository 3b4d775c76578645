//! What a command said, as the result of a call.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value as Json, json};

use crate::app::Error;
use crate::privacy::Wall;

/// How a command ended.
#[derive(Debug, Clone)]
pub(super) enum Ended {
    /// It wrote its answer.
    Answered(String),
    /// It could not do its job.
    Failed(Error),
    /// The words were wrong.
    Misused(String),
    /// It met a bug.
    Broken,
}

impl Ended {
    /// The answer as JSON.
    pub(super) fn json(&self) -> Result<Json, ErrorData> {
        match self {
            Self::Answered(text) => serde_json::from_str(text).map_err(|_| broken()),
            Self::Failed(error) => Ok(explained(error)),
            Self::Misused(what) => Err(ErrorData::invalid_params(Wall::shipped().redact(what), None)),
            Self::Broken => Err(broken()),
        }
    }

    /// The result of the call: the JSON of the command, and the same bytes as text.
    pub(super) fn result(&self) -> Result<CallToolResult, ErrorData> {
        let json = self.json()?;
        let text = match self {
            Self::Answered(text) => text.clone(),
            _ => json.to_string(),
        };
        let is_refused = !matches!(json["refused"], Json::Null | Json::Bool(false));
        Ok(result(json, text, is_refused || matches!(self, Self::Failed(_))))
    }
}

/// What is said while the command of a call goes on.
pub(super) fn running() -> CallToolResult {
    let json = json!({ "running": true, "do": "call again with the same arguments" });
    let text = json.to_string();
    result(json, text, false)
}

fn result(json: Json, text: String, is_error: bool) -> CallToolResult {
    let mut result = CallToolResult::structured(json);
    result.content = vec![ContentBlock::text(text)];
    result.is_error = Some(is_error);
    result
}

fn explained(error: &Error) -> Json {
    let row = error.code.row();
    let what = match &error.about {
        Some(about) => format!("{}: {about}", row.message),
        None => row.message.to_owned(),
    };
    json!({ "error": row.word, "what": what, "do": row.help })
}

/// A bug: no detail leaves, for it may be private.
fn broken() -> ErrorData {
    ErrorData::internal_error("loopx met a bug", None)
}
