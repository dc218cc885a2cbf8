//! Running our own scripts in a page, in a world of their own: they see the page's document and
//! none of its scripts, and its scripts do not see them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::cdp::{CdpError, Session};

const NAME: &str = "varve";

/// Our world in one frame, until the frame shows another document.
pub(super) struct World {
    session: Session,
    context: i64,
}

impl World {
    /// The call by which a script runs in our world of every document before the page's own.
    pub(super) fn script_before_all(source: &str) -> (&'static str, Value) {
        let params = json!({"source": source, "worldName": NAME});
        ("Page.addScriptToEvaluateOnNewDocument", params)
    }

    /// Enters a frame.
    pub(super) async fn enter(
        session: &Session,
        frame: &str,
        deadline: Instant,
    ) -> Result<World, CdpError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Created {
            execution_context_id: i64,
        }
        let params = json!({"frameId": frame, "worldName": NAME});
        let created: Created = session
            .call("Page.createIsolatedWorld", params, deadline)
            .await?;
        Ok(World {
            session: session.clone(),
            context: created.execution_context_id,
        })
    }

    /// Calls a function, given as source text, and awaits what it promises.
    pub(super) async fn run<T: DeserializeOwned>(
        &self,
        function: &str,
        argument: Value,
        deadline: Instant,
    ) -> Result<T, CdpError> {
        const METHOD: &str = "Runtime.evaluate";
        let params = json!({
            "expression": format!("({function})({argument})"),
            "contextId": self.context,
            "awaitPromise": true,
            "returnByValue": true,
            "silent": true,
        });
        let evaluated: Evaluated<T> = self.session.call(METHOD, params, deadline).await?;
        match evaluated.result.value {
            Some(value) => Ok(value),
            None => Err(CdpError::Refused {
                method: METHOD,
                message: evaluated.complaint(),
            }),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound = "T: DeserializeOwned")]
struct Evaluated<T> {
    result: Returned<T>,
    exception_details: Option<Thrown>,
}

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Returned<T> {
    #[serde(default = "none")]
    value: Option<T>,
    description: Option<String>,
}

fn none<T>() -> Option<T> {
    None
}

#[derive(Deserialize)]
struct Thrown {
    text: String,
}

impl<T> Evaluated<T> {
    fn complaint(self) -> String {
        let text = self.exception_details.map(|thrown| thrown.text);
        self.result
            .description
            .or(text)
            .unwrap_or_else(|| "no value".to_owned())
    }
}
