//! A register, and the service on it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Result;
use crate::process::Process;
use crate::service::Service;
use crate::tenant::{self, Tenant};

const SCOPES: &str = "incidents:read incidents:write incidents:delete risks:read risks:write documents:read \
                      documents:write documents:acknowledge tags:write";

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
        let organization =
            tenant::text(&json_of(&["organization", "create", "--name", name, "--json"])?, "id")?;
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
        let (client_id, client_secret) =
            (tenant::text(&client, "client_id")?, tenant::text(&client, "client_secret")?);
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
        Ok(Service::new(process, format!("http://{metrics}/metrics")))
    }
}

/// An address that was free a moment ago.
fn free_address() -> Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}
