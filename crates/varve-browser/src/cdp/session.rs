//! The calls of one session: a page, a frame of another process, a worker.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::connection::{Call, Connection};
use super::error::CdpError;

/// One session of a connection; without an id, the browser itself.
#[derive(Clone)]
pub(crate) struct Session {
    connection: Connection,
    id: Option<String>,
}

impl Session {
    /// The browser as a whole.
    pub(crate) fn browser(connection: &Connection) -> Session {
        Session {
            connection: connection.clone(),
            id: None,
        }
    }

    /// An attached page, frame or worker.
    pub(crate) fn attached(connection: &Connection, id: &str) -> Session {
        Session {
            connection: connection.clone(),
            id: Some(id.to_owned()),
        }
    }

    /// The connection that carries it.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Sends a call; awaiting its answer is left to the caller, so that several can be on the way.
    pub(crate) fn begin(&self, method: &'static str, params: impl Serialize) -> Call {
        self.connection.call(self.id.as_deref(), method, params)
    }

    /// Calls and reads the answer.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        deadline: Instant,
    ) -> Result<T, CdpError> {
        let answer = self.begin(method, params).answer(deadline).await?;
        serde_json::from_str(answer.get()).map_err(|cause| CdpError::Unreadable {
            method,
            cause: cause.to_string(),
        })
    }

    /// Sends a call whose answer does not matter.
    pub(crate) fn tell(&self, method: &str, params: impl Serialize) {
        self.connection.tell(self.id.as_deref(), method, params);
    }
}
