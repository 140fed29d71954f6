//! TLS to PostgreSQL by `sslmode`, with libpq's meanings.
//!
//! | sslmode | encrypted | certificate checked | host name checked |
//! | --- | --- | --- | --- |
//! | disable | no | | |
//! | prefer (default) | if the server can | no | no |
//! | require | yes | if `sslrootcert` is given | no |
//! | verify-ca | yes | yes | no |
//! | verify-full | yes | yes | yes |
//!
//! The certificate is checked against `sslrootcert` or, without it, the machine's trust store.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{Error, Result};

/// How much of the server's certificate is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    Nothing,
    Chain,
    ChainAndName,
}

/// Splits `sslmode` and `sslrootcert` from a URL, because the driver knows only some of the modes.
pub(crate) fn configure(url: &str) -> Result<(tokio_postgres::Config, MakeRustlsConnect)> {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut root, mut rest) = (None, None, Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value.to_owned()),
            Some(("sslrootcert", value)) => root = Some(value.replace("%2F", "/")),
            _ => rest.push(pair),
        }
    }
    let url = if rest.is_empty() { base.to_owned() } else { format!("{base}?{}", rest.join("&")) };
    // The driver's own message never repeats the password; ours does not repeat the URL.
    let mut config: tokio_postgres::Config =
        url.parse().map_err(|error| Error::denied(format!("DATABASE_URL is not valid: {error}")))?;
    let check = match mode.as_deref() {
        Some("disable") => (SslMode::Disable, Check::Nothing),
        None | Some("prefer" | "allow") => (SslMode::Prefer, Check::Nothing),
        Some("require") if root.is_none() => (SslMode::Require, Check::Nothing),
        Some("require" | "verify-ca") => (SslMode::Require, Check::Chain),
        Some("verify-full") => (SslMode::Require, Check::ChainAndName),
        Some(other) => return Err(Error::denied(format!("DATABASE_URL: sslmode {other} is not known"))),
    };
    config.ssl_mode(check.0);
    Ok((config, MakeRustlsConnect::new(client(check.1, root.as_deref())?)))
}

fn client(check: Check, root: Option<&str>) -> Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(Error::internal)?;
    if check == Check::Nothing {
        let verifier = Arc::new(Verifier { chain: None, provider });
        return Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth());
    }
    let roots = Arc::new(roots(root)?);
    if check == Check::ChainAndName {
        return Ok(builder.with_root_certificates(roots).with_no_client_auth());
    }
    let chain = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider))
        .build()
        .map_err(|error| Error::denied(format!("sslrootcert: {error}")))?;
    let verifier = Arc::new(Verifier { chain: Some(chain), provider });
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

fn roots(file: Option<&str>) -> Result<RootCertStore> {
    let mut store = RootCertStore::empty();
    match file {
        Some(path) => {
            let unreadable = |error| Error::denied(format!("sslrootcert {path}: {error}"));
            for certificate in CertificateDer::pem_file_iter(path).map_err(unreadable)? {
                store.add(certificate.map_err(unreadable)?).map_err(Error::denied)?;
            }
        }
        None => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if store.is_empty() {
        Err(Error::denied("no root certificate to check the server by"))
    } else {
        Ok(store)
    }
}

/// Checks the chain but not the name, or nothing at all, as the operator chose.
#[derive(Debug)]
struct Verifier {
    chain: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        match chain.verify_server_cert(end_entity, intermediates, server_name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
