//! Issuing tokens, and requests with one that the service knows.

use std::time::{Duration, Instant};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};

use super::read::FEW;
use crate::Result;
use crate::bench::Bench;
use crate::case::Case;
use crate::figure::{Limit, Unit};
use crate::process::cpu_of;
use crate::window::{Measure, Window};
use crate::{data, load, requests, server};

/// About as long as the signed part of an access token.
const MESSAGE_BYTES: usize = 600;
const CHECKS: &str = "bailiwick_token_signature_checks_total";

/// Beside the bare signature and the echo.
pub(super) async fn token(bench: &Bench) -> Result<Case> {
    let bare = server::start(None)?;
    let (service, tenant, _) = bench.service("token").await?;
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
    let mut case = Case::default();
    case.load("bare echo", requests::echo(&bare), &bare);
    case.as_baseline();
    case.load("token", requests::token(&service.process, &tenant), &service.process);
    case.own("one ES256 signature", move |seconds| std::future::ready(signature(&key, seconds)));
    case.as_baseline();
    let beside = ["one ES256 signature", "bare echo"];
    case.bar("token: CPU", Measure::Cpu, "token", &beside, Limit::AtMost(2.5));
    Ok(case)
}

fn signature(key: &EcdsaKeyPair, seconds: u64) -> Result<Window> {
    let (random, message) = (SystemRandom::new(), [0x42; MESSAGE_BYTES]);
    let (started, before, mut done) = (Instant::now(), cpu_of("self")?, 0.0);
    while started.elapsed() < Duration::from_secs(seconds) {
        key.sign(&random, &message)?;
        done += 1.0;
    }
    let cpu_us = (cpu_of("self")? - before).as_secs_f64() * 1e6 / done;
    Ok(Window { cpu_us, ..Window::NOTHING })
}

/// The service counts the signatures that it checks.
pub(super) async fn known(bench: &Bench) -> Result<Case> {
    let set = data::incidents(bench, FEW).await?;
    let service = set.target.serve(&bench.program)?;
    let token = service.token(&set.tenant).await?;
    let before_any = service.metric(CHECKS, "").await?;
    service.get("/v1/incidents/1", &token).await?;
    let before = service.metric(CHECKS, "").await?;
    if before != before_any + 1.0 {
        return Err("the first request with a token should check its signature".into());
    }
    let mut case = Case::default();
    case.own("requests with a known token", move |seconds| {
        let (service, load) = (service.clone(), requests::read_one(&service.process, &token, FEW));
        async move {
            let window = load::run(&load, seconds, &service.process)?;
            Ok(Window { value: service.metric(CHECKS, "").await? - before, ..window })
        }
    });
    let (work, count) = ("known token: signatures checked", Measure::Value(Unit::Count));
    case.bar(work, count, "requests with a known token", &[], Limit::AtMost(0.0));
    Ok(case)
}
