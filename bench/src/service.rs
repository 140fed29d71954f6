//! The service under test.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Result;
use crate::process::Process;

const SCOPES: &str = "incidents:read incidents:write incidents:delete risks:read risks:write";

/// An organization with a client.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Tenant {
    pub(crate) organization: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
}

/// Where a register is stored.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The data folder.
    pub(crate) data: PathBuf,
    /// A database of PostgreSQL instead of the file in it.
    pub(crate) database: Option<String>,
}

impl Target {
    pub(crate) fn folder(data: PathBuf) -> Self {
        Self { data, database: None }
    }

    /// A command of the service on this register.
    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).arg("--data").arg(&self.data).env_remove("DATABASE_URL");
        if let Some(url) = &self.database {
            command.env("DATABASE_URL", url);
        }
        command
    }

    /// Makes an organization with a client.
    pub(crate) fn create_tenant(&self, program: &Path, name: &str) -> Result<Tenant> {
        let json_of = |arguments: &[&str]| -> Result<Value> {
            let output = self.command(program, arguments).output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
            }
            Ok(serde_json::from_slice(&output.stdout)?)
        };
        let organization = text(&json_of(&["organization", "create", "--name", name, "--json"])?, "id")?;
        let create = [
            "client",
            "create",
            "--organization",
            &organization,
            "--name",
            name,
            "--scopes",
            SCOPES,
            "--json",
        ];
        let client = json_of(&create)?;
        let (client_id, client_secret) = (text(&client, "client_id")?, text(&client, "client_secret")?);
        Ok(Tenant { organization, client_id, client_secret })
    }

    /// Starts the service without a rate limit, which would end the run; everything else is as it comes.
    pub(crate) fn serve(&self, program: &Path) -> Result<Service> {
        // Another process may take the address before the service does.
        self.try_to_serve(program).or_else(|_| self.try_to_serve(program))
    }

    fn try_to_serve(&self, program: &Path) -> Result<Service> {
        let metrics = free_address()?;
        let mut command = self.command(program, &["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0"]);
        command.args(["--metrics-listen", &metrics]).env("RUST_LOG", "warn");
        let process = Process::start(&mut command)?;
        Ok(Service { process, metrics: format!("http://{metrics}/metrics"), http: reqwest::Client::new() })
    }
}

/// An address that was free a moment ago.
fn free_address() -> Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

/// The service as a process.
pub(crate) struct Service {
    pub(crate) process: Process,
    metrics: String,
    http: reqwest::Client,
}

impl Service {
    /// An access token of a client.
    pub(crate) async fn token(&self, tenant: &Tenant) -> Result<String> {
        let body = json!({
            "grant_type": "client_credentials",
            "client_id": tenant.client_id,
            "client_secret": tenant.client_secret,
        });
        let url = format!("{}/v1/oauth/token", self.process.url);
        let answer = self.http.post(url).json(&body).send().await?;
        text(&answer.error_for_status()?.json().await?, "access_token")
    }

    /// Sends one request and gives the answer's body.
    pub(crate) async fn send(
        &self,
        method: reqwest::Method,
        path: &str,
        token: &str,
        body: Option<&Value>,
    ) -> Result<String> {
        let request = self.http.request(method, format!("{}{path}", self.process.url)).bearer_auth(token);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        Ok(request.send().await?.error_for_status()?.text().await?)
    }

    /// Reads an answer to its end without keeping it.
    pub(crate) async fn read_through(&self, path: &str, token: &str) -> Result<()> {
        let url = format!("{}{path}", self.process.url);
        let mut answer = self.http.get(url).bearer_auth(token).send().await?.error_for_status()?;
        while answer.chunk().await?.is_some() {}
        Ok(())
    }

    /// The sum of what the service counted under this name, with this text among the labels.
    pub(crate) async fn metric(&self, name: &str, label: &str) -> Result<f64> {
        let page = self.http.get(&self.metrics).send().await?.error_for_status()?.text().await?;
        sum(&page, name, label)
    }
}

fn sum(page: &str, name: &str, label: &str) -> Result<f64> {
    let lines = page.lines().filter_map(|line| line.strip_prefix(name));
    let mut values = lines.filter(|rest| rest.starts_with([' ', '{']) && rest.contains(label)).map(|rest| {
        let value = rest.rsplit(' ').next().unwrap_or_default();
        value.parse::<f64>().map_err(|error| format!("{name}: {error}"))
    });
    let first = values.next().ok_or_else(|| format!("the service does not count {name}"))??;
    values.try_fold(first, |sum, value| Ok(sum + value?))
}

fn text(value: &Value, member: &str) -> Result<String> {
    value.get(member).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("no {member}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_found_by_name_and_label() {
        let page = "# HELP a x\na_total 7\na{r=\"/x\",s=\"200\"} 1.5\na{r=\"/x\",s=\"404\"} 2\na{r=\"/y\"} 8\nab 9\n";
        assert_eq!(sum(page, "a_total", "").unwrap(), 7.0);
        assert_eq!(sum(page, "a", "r=\"/x\"").unwrap(), 3.5);
        assert!(sum(page, "b", "").is_err());
    }
}
