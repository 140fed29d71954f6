//! Issuing tokens, beside the bare signature and the echo.

use std::time::{Duration, Instant};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};

use crate::Result;
use crate::bench::Bench;
use crate::case::Outcome;
use crate::figure::{Limit, Row, Unit};
use crate::load::Windows;
use crate::process::cpu_of;
use crate::{requests, server};

/// About as long as the signed part of an access token.
const MESSAGE_BYTES: usize = 600;

pub(super) async fn measure(bench: &Bench) -> Result<Outcome> {
    let bare = server::start(None)?;
    let (service, tenant) = bench.service("token")?;
    let echo = requests::echo(&bare);
    let token = requests::token(&service.process, &tenant.client_id, &tenant.client_secret);
    bench.warm_up(&echo, &bare)?;
    bench.warm_up(&token, &service.process)?;
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
    let (mut beside, mut tokens, mut signatures) = (Windows::default(), Windows::default(), Vec::new());
    for round in 1..=bench.rounds() {
        bench.step(format_args!("token: round {round} of {}", bench.rounds()));
        beside.push(bench.load(&echo, &bare)?);
        tokens.push(bench.load(&token, &service.process)?);
        signatures.push(signature_us(&key, bench.seconds())?);
    }
    let least: Vec<f64> = signatures.iter().zip(beside.cpu_us()).map(|(sign, echo)| sign + echo).collect();
    let baseline = ("one ES256 signature + the echo", &*least);
    Ok(Outcome {
        rows: vec![Row::ratio("token: CPU", Unit::Micros, &tokens.cpu_us(), baseline, Limit::AtMost(2.5))?],
        lines: vec![tokens.line("token")?],
        ..Outcome::default()
    })
}

/// Processor time of one signature.
fn signature_us(key: &EcdsaKeyPair, seconds: u64) -> Result<f64> {
    let (random, message) = (SystemRandom::new(), [0x42; MESSAGE_BYTES]);
    let (started, before, mut done) = (Instant::now(), cpu_of("self")?, 0.0);
    while started.elapsed() < Duration::from_secs(seconds) {
        key.sign(&random, &message)?;
        done += 1.0;
    }
    Ok((cpu_of("self")? - before).as_secs_f64() * 1e6 / done)
}
