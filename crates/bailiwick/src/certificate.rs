//! The certificate of HTTPS: read at the start, and again when its files change or at SIGHUP.

use std::sync::Arc;
use std::time::Duration;

use db::Clock;
use http::{Certificate, Tls, TlsError};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

use crate::config::TlsFiles;
use crate::failure::{Failure, Result};

/// How often the files are checked. A change is loaded when they are unchanged between two checks.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Reads the certificate and its key.
pub(crate) fn load(files: &TlsFiles) -> Result<Arc<Tls>> {
    let (tls, _) = Tls::load(&files.certificate, &files.key).map_err(Failure::new)?;
    Ok(Arc::new(tls))
}

/// Loads changed files until it is aborted. Without a certificate it only keeps SIGHUP from ending the
/// process.
pub(crate) fn watch(tls: Option<Arc<Tls>>, clock: &Clock) -> Result<JoinHandle<()>> {
    let mut hangup = signal(SignalKind::hangup())?;
    let clock = Arc::clone(clock);
    Ok(tokio::spawn(async move {
        loop {
            let tried = tokio::select! {
                _ = hangup.recv() => tls.as_ref().map(|tls| tls.reload()),
                () = tokio::time::sleep(LOOK_EVERY) => tls.as_ref().and_then(|tls| tls.look()),
            };
            if let Some(tried) = tried {
                tell(tried, &clock);
            }
        }
    }))
}

fn tell(tried: Result<Certificate, TlsError>, clock: &Clock) {
    match tried {
        Ok(certificate) => {
            let not_after = domain::time::format(certificate.not_after);
            let days_left = certificate.days_left(clock());
            if days_left < 0 {
                tracing::warn!(not_after, "the new certificate is in use, but it has expired");
            } else {
                tracing::info!(not_after, days_left, "the new certificate is in use");
            }
        }
        Err(error) => tracing::error!(%error, "the new certificate cannot be used; the old one stays in use"),
    }
}
