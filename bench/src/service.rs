//! The service under test, with one organization and one client in it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::Process;
use crate::{Result, Run};

pub(crate) struct Service {
    pub(crate) process: Process,
    pub(crate) organization: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    http: reqwest::Client,
}

const SCOPES: &str = "incidents:read incidents:write incidents:delete risks:read risks:write";

/// Starts the service on an empty database.
pub(crate) async fn start(run: &Run, folder: &Path) -> Result<Service> {
    let data = folder.join("data");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&run.service);
        command.args(arguments).arg("--data").arg(&data).env_remove("DATABASE_URL");
        if let Some(url) = &run.database {
            command.args(["--database", url]);
        }
        command
    };
    let json_of = |mut command: Command| -> Result<Value> {
        let output = command.output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let organization = json_of(command(&["organization", "create", "--name", "Bench", "--json"]))?;
    let organization = text(&organization, "id")?;
    let create = [
        "client",
        "create",
        "--organization",
        &organization,
        "--name",
        "bench",
        "--scopes",
        SCOPES,
        "--json",
    ];
    let client = json_of(command(&create))?;
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("BAILIWICK_RATE_LIMIT", "0").env("RUST_LOG", "warn");
    Ok(Service {
        process: Process::start(&mut serve)?,
        organization,
        client_id: text(&client, "client_id")?,
        client_secret: text(&client, "client_secret")?,
        http: reqwest::Client::new(),
    })
}

impl Service {
    /// An access token.
    pub(crate) async fn token(&self) -> Result<String> {
        let body = json!({"grant_type": "client_credentials", "client_id": self.client_id, "client_secret": self.client_secret});
        let answer = self.http.post(self.url("/v1/oauth/token")).json(&body).send().await?;
        text(&answer.error_for_status()?.json().await?, "access_token")
    }

    /// Sends one request with a body and gives the answer's.
    pub(crate) async fn send(
        &self,
        method: reqwest::Method,
        path: &str,
        token: &str,
        body: &Value,
    ) -> Result<Value> {
        let request = self.http.request(method, self.url(path)).bearer_auth(token).json(body);
        Ok(request.send().await?.error_for_status()?.json().await?)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.process.url)
    }
}

pub(crate) fn text(value: &Value, member: &str) -> Result<String> {
    value.get(member).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("no {member}").into())
}
