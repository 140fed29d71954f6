use rcgen::{CertificateParams, KeyPair, date_time_ymd};

use super::*;

/// A certificate for `name`, valid in 2026, with its key, both in PEM.
fn pair(name: &str) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![name.to_owned(), "127.0.0.1".to_owned()]).unwrap();
    params.not_before = date_time_ymd(2026, 1, 1);
    params.not_after = date_time_ymd(2026, 12, 31);
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn paths(&self) -> [PathBuf; 2] {
        ["cert.pem", "key.pem"].map(|name| self.folder.path().join(name))
    }

    fn write(&self, certificate: &str, key: &str) {
        let [certificate_file, key_file] = self.paths();
        std::fs::write(certificate_file, certificate).unwrap();
        std::fs::write(key_file, key).unwrap();
    }

    fn load(&self) -> Result<(Tls, Certificate), TlsError> {
        let [certificate_file, key_file] = self.paths();
        Tls::load(&certificate_file, &key_file)
    }

    fn refused(&self, certificate: &str, key: &str) -> String {
        self.write(certificate, key);
        self.load().err().expect("it is refused").to_string()
    }
}

#[test]
fn a_certificate_tells_its_dates_and_names() {
    let files = Files::new();
    let (certificate, key) = pair("bailiwick.example");
    files.write(&certificate, &key);
    let (_, certificate) = files.load().unwrap();
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    assert_eq!(certificate.not_before, at("2026-01-01T00:00:00Z"));
    assert_eq!(certificate.not_after, at("2026-12-31T00:00:00Z"));
    assert_eq!(certificate.days_left(at("2026-12-30T00:00:00Z")), 1);
    assert_eq!(certificate.days_left(at("2026-12-30T00:00:01Z")), 0);
    assert_eq!(certificate.days_left(at("2027-01-01T00:00:00Z")), -1);
    assert!(certificate.covers("bailiwick.example") && certificate.covers("127.0.0.1"));
    assert!(!certificate.covers("other.example") && !certificate.covers("[::1]") && !certificate.covers(""));
}

#[test]
fn what_cannot_be_used_is_refused_in_a_sentence_without_its_content() {
    let files = Files::new();
    let ((certificate, key), (other, other_key)) = (pair("a.example"), pair("b.example"));
    let [certificate_file, key_file] = files.paths().map(|path| path.display().to_string());
    assert!(files.load().err().unwrap().to_string().starts_with(&certificate_file));
    for (certificate, key, file, words) in [
        (certificate.as_str(), other_key.as_str(), &key_file, "not the key of the certificate"),
        ("", &key, &certificate_file, "no certificate"),
        (&key, &key, &certificate_file, "no certificate"),
        (&certificate, "", &key_file, "no private key"),
        (&certificate, &other, &key_file, "no private key"),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            &key,
            &certificate_file,
            "not an X.509 certificate",
        ),
        (&certificate[..certificate.len() / 2], &key, &certificate_file, ""),
    ] {
        let refused = files.refused(certificate, key);
        assert!(refused.starts_with(file.as_str()) && refused.contains(words), "{refused}");
        assert!(!refused.contains("BEGIN"), "{refused}");
    }
}

#[test]
fn changed_files_are_taken_once_they_rest() {
    let files = Files::new();
    let ((certificate, key), (other, other_key)) = (pair("a.example"), pair("b.example"));
    files.write(&certificate, &key);
    let (tls, _) = files.load().unwrap();
    assert!(tls.look().is_none() && tls.look().is_none());
    let before = tls.current();

    // Only the certificate was replaced.
    files.write(&other, &key);
    assert!(tls.look().is_none());
    files.write(&other, &other_key);
    assert!(tls.look().is_none(), "it was written a moment ago");
    let taken = tls.look().expect("it rests").expect("it is good");
    assert!(taken.covers("b.example"));
    assert!(!Arc::ptr_eq(&before, &tls.current()));
    assert!(tls.look().is_none() && tls.look().is_none());
}

#[test]
fn a_pair_that_cannot_be_used_leaves_the_old_one_and_is_told_once() {
    let files = Files::new();
    let (certificate, key) = pair("a.example");
    files.write(&certificate, &key);
    let (tls, _) = files.load().unwrap();
    let before = tls.current();
    files.write("nonsense", &key);
    assert!(tls.look().is_none());
    assert!(tls.look().expect("it rests").is_err());
    assert!(tls.look().is_none());
    assert!(tls.reload().is_err());
    std::fs::remove_file(&files.paths()[1]).unwrap();
    assert!(tls.look().is_none());
    assert!(tls.look().expect("it rests").is_err());
    assert!(Arc::ptr_eq(&before, &tls.current()));
    // Valid files again.
    files.write(&certificate, &key);
    assert!(tls.look().is_none());
    assert!(tls.look().expect("it rests").is_ok());
}
