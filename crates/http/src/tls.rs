//! HTTPS: a certificate with its key from PEM files, reloaded when the files change.
//!
//! TLS 1.2 and 1.3 with the default ciphers of rustls. HTTP/1.1 only: programs keep their connections open, and
//! browsers can use HTTP/2 through a proxy in front; here it would only add attack surface.

mod certificate;
mod handshake;

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::{self, ServerConfig};

pub use certificate::Certificate;
pub(crate) use handshake::handshake;

/// Why a certificate and a key cannot be used. The texts never contain what is in the files.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or is not PEM.
    #[error("{0}: {1}")]
    Unreadable(PathBuf, rustls_pki_types::pem::Error),
    /// The file does not contain what is needed.
    #[error("{0}: there is no {1} in it")]
    Missing(PathBuf, &'static str),
    /// The certificate is invalid, or the key does not belong to it.
    #[error("{0}: {1}")]
    Unusable(PathBuf, String),
}

/// The certificate and key for new connections.
pub struct Tls {
    certificate_file: PathBuf,
    key_file: PathBuf,
    current: RwLock<Arc<ServerConfig>>,
    looked: Mutex<Looked>,
}

/// The state of the files when they were last checked and last loaded.
struct Looked {
    last: Stamps,
    taken: Stamps,
}

type Stamps = [Option<Stamp>; 2];

/// Distinguishes two states of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    length: u64,
    modified: (i64, i64),
}

impl Tls {
    /// Reads the certificate, followed by those of its issuers, and its key.
    pub fn load(certificate_file: &Path, key_file: &Path) -> Result<(Self, Certificate), TlsError> {
        let stamps = stamps(certificate_file, key_file);
        let (config, certificate) = read(certificate_file, key_file)?;
        let tls = Self {
            certificate_file: certificate_file.to_owned(),
            key_file: key_file.to_owned(),
            current: RwLock::new(Arc::new(config)),
            looked: Mutex::new(Looked { last: stamps, taken: stamps }),
        };
        Ok((tls, certificate))
    }

    /// Reloads the files if they have changed, but not since the last check: an operator who replaces them writes one
    /// after the other. `None` when no reload was attempted.
    pub fn look(&self) -> Option<Result<Certificate, TlsError>> {
        let now = stamps(&self.certificate_file, &self.key_file);
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let rests = std::mem::replace(&mut looked.last, now) == now;
        if !rests || looked.taken == now {
            return None;
        }
        looked.taken = now;
        drop(looked);
        Some(self.reload())
    }

    /// Reloads the files. If they cannot be used, the previous certificate stays.
    pub fn reload(&self) -> Result<Certificate, TlsError> {
        let (config, certificate) = read(&self.certificate_file, &self.key_file)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
        Ok(certificate)
    }

    /// The configuration for the next connection.
    pub(crate) fn current(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }
}

fn read(certificate_file: &Path, key_file: &Path) -> Result<(ServerConfig, Certificate), TlsError> {
    let unreadable = |error| TlsError::Unreadable(certificate_file.to_owned(), error);
    let chain: Vec<_> =
        CertificateDer::pem_file_iter(certificate_file).and_then(Iterator::collect).map_err(unreadable)?;
    let leaf = chain.first().ok_or_else(|| TlsError::Missing(certificate_file.to_owned(), "certificate"))?;
    let certificate = Certificate::new(leaf.clone().into_owned())
        .map_err(|reason| TlsError::Unusable(certificate_file.to_owned(), reason))?;
    let key = PrivateKeyDer::from_pem_file(key_file).map_err(|error| match error {
        rustls_pki_types::pem::Error::NoItemsFound => {
            TlsError::Missing(key_file.to_owned(), "private key without a passphrase")
        }
        error => TlsError::Unreadable(key_file.to_owned(), error),
    })?;
    let unusable = |error: rustls::Error| {
        let reason = match error {
            rustls::Error::InconsistentKeys(_) => "it is not the key of the certificate".to_owned(),
            error => error.to_string(),
        };
        TlsError::Unusable(key_file.to_owned(), reason)
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(unusable)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    // Sessions are resumed with tickets, so the server keeps no table; a new certificate ends all of them.
    config.ticketer = aws_lc_rs::Ticketer::new().map_err(unusable)?;
    Ok((config, certificate))
}

fn stamps(certificate_file: &Path, key_file: &Path) -> Stamps {
    [certificate_file, key_file].map(|file| std::fs::metadata(file).ok().map(|metadata| Stamp::of(&metadata)))
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            file: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

#[cfg(test)]
mod tests;
