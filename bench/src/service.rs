//! The service under test.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::Result;
use crate::process::Process;
use crate::tenant::{self, Tenant};

/// The service as a process.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) process: Arc<Process>,
    metrics: String,
    http: reqwest::Client,
}

impl Service {
    pub(crate) fn new(process: Process, metrics: String) -> Self {
        Self { process: Arc::new(process), metrics, http: reqwest::Client::new() }
    }

    /// An access token of a client.
    pub(crate) async fn token(&self, tenant: &Tenant) -> Result<String> {
        let body = json!({
            "grant_type": "client_credentials",
            "client_id": tenant.client_id,
            "client_secret": tenant.client_secret,
        });
        let url = format!("{}/v1/oauth/token", self.process.url);
        let answer = self.http.post(url).json(&body).send().await?;
        tenant::text(&answer.error_for_status()?.json().await?, "access_token")
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

    /// Gets JSON.
    pub(crate) async fn get(&self, path: &str, token: &str) -> Result<Value> {
        Ok(serde_json::from_str(&self.send(reqwest::Method::GET, path, token, None).await?)?)
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
