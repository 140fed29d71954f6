//! Registers that the service itself fills: slower, and right for a build of any schema.

use std::path::Path;

use crate::load::{self, Load};
use crate::process::Process;
use crate::target::Target;
use crate::tenant::Tenant;
use crate::{Result, requests};

/// Creates at least so many incidents.
pub(crate) async fn incidents(program: &Path, target: &Target, tenant: &Tenant, count: usize) -> Result<()> {
    let service = target.serve(program)?;
    let token = service.token(tenant).await?;
    send(&requests::create(&service.process, &[token], ""), count, &service.process)
}

/// Creates at least so many risks, and evaluates the first of them so often.
pub(super) async fn risks(
    program: &Path,
    target: &Target,
    tenant: &Tenant,
    (count, each): (usize, usize),
) -> Result<()> {
    let service = target.serve(program)?;
    let token = service.token(tenant).await?;
    send(&requests::risks(&service.process, &token), count, &service.process)?;
    send(&requests::evaluations(&service.process, &token, count), count * each, &service.process)
}

/// Sends this load until so many requests were answered.
fn send(load: &Load, count: usize, service: &Process) -> Result<()> {
    let mut sent = 0.0;
    while sent < count as f64 {
        sent += load::run(load, 1, service)?.requests;
    }
    Ok(())
}
