//! The properties of a certificate that operators need.

use jiff::Timestamp;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::client::verify_server_name;
use tokio_rustls::rustls::server::ParsedCertificate;
use x509_cert::der::Decode as _;
use x509_cert::time::Time;

/// The server's certificate.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The start of its validity.
    pub not_before: Timestamp,
    /// The end of its validity.
    pub not_after: Timestamp,
    der: CertificateDer<'static>,
}

impl Certificate {
    /// Reads the dates; the error is a sentence.
    pub(super) fn new(der: CertificateDer<'static>) -> Result<Self, String> {
        let parsed = x509_cert::Certificate::from_der(&der)
            .map_err(|error| format!("it is not an X.509 certificate: {error}"))?;
        let validity = parsed.tbs_certificate.validity;
        let time = |time: Time| {
            let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
            Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
        };
        Ok(Self { not_before: time(validity.not_before), not_after: time(validity.not_after), der })
    }

    /// Whether clients accept it for this host name or address.
    pub fn covers(&self, host: &str) -> bool {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let (Ok(name), Ok(parsed)) = (ServerName::try_from(host), ParsedCertificate::try_from(&self.der))
        else {
            return false;
        };
        verify_server_name(&parsed, &name).is_ok()
    }

    /// Whole days until it expires, negative if it has expired.
    pub fn days_left(&self, now: Timestamp) -> i64 {
        (self.not_after.as_second() - now.as_second()).div_euclid(24 * 60 * 60)
    }
}
