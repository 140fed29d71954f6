//! `bailiwick doctor`: checks an installation and changes nothing.

mod database;
mod files;

use db::Clock;

use crate::cli;
use crate::config::{Config, Layers, environment};
use crate::failure::{Failure, Result};
use crate::{machine, output};

use super::finding::Findings;

/// Days before its end at which a certificate should have been replaced.
const RENEW_DAYS: i64 = 21;
/// Days before its end at which something is wrong with its renewal.
const URGENT_DAYS: i64 = 3;

pub(crate) async fn run(command: cli::Doctor, json: bool) -> Result<()> {
    let layers = Layers::read(&command.settings.0, &environment(), false);
    let clock = machine::clock();
    let mut findings = Findings::default();
    match layers.config() {
        Ok(config) => {
            settings(&layers, &config, &mut findings);
            files::folder(&config, &mut findings);
            files::settings_file(&layers, &mut findings);
            database::check(&config, &clock, &mut findings).await;
            files::backups(&config, &clock, &mut findings);
            certificate(&config, &clock, &mut findings);
        }
        Err(faults) => {
            for fault in faults {
                findings.fault("settings", fault.to_string(), "Correct it; nothing else was checked.");
            }
        }
    }
    if json {
        output::json(&findings.view())?;
    } else {
        findings.tell()?;
    }
    match findings.faults() {
        0 => Ok(()),
        1 => Err(Failure::new("there is a fault").coded("fault_found")),
        count => Err(Failure::new(format!("there are {count} faults")).coded("fault_found")),
    }
}

fn settings(layers: &Layers, config: &Config, findings: &mut Findings) {
    let refusal = config.refusal(false);
    if let Some(refusal) = &refusal {
        findings.fault("settings", refusal, "serve would not start.");
    }
    let warnings: Vec<_> = layers.warnings.iter().cloned().chain(config.warnings()).collect();
    for warning in &warnings {
        findings.warning("settings", warning, "See docs/operation.md.");
    }
    if refusal.is_none() && warnings.is_empty() {
        let file =
            layers.file.as_ref().map_or("without a file".to_owned(), |file| file.display().to_string());
        findings.ok("settings", file);
    }
}

fn certificate(config: &Config, clock: &Clock, findings: &mut Findings) {
    let Some(files) = &config.tls else { return };
    let certificate = match http::Tls::load(&files.certificate, &files.key) {
        Ok((_, certificate)) => certificate,
        Err(error) => {
            return findings.fault(
                "certificate",
                error.to_string(),
                "Put the certificate and its key there, in PEM.",
            );
        }
    };
    let (days, until) = (certificate.days_left(clock()), domain::time::format(certificate.not_after));
    let told = format!("{days} days left, until {until}");
    let renew = "Renew it in the same files; the service loads it automatically.";
    if certificate.not_before > clock() {
        findings.fault("certificate", "it is not valid yet", "Check the machine's clock.");
    } else if days < URGENT_DAYS {
        findings.fault("certificate", told, renew);
    } else if days < RENEW_DAYS {
        findings.warning("certificate", told, renew);
    } else {
        findings.ok("certificate", told);
    }
    let host = config.public_host();
    if let Some(host) = host.filter(|host| !certificate.covers(host)) {
        let advice = "Get one with that name, or correct public_url.";
        findings.fault("certificate", format!("it is not for {host}, the host of public_url"), advice);
    }
}
