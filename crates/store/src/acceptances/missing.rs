//! Conditions on risks `r` by their acceptances.

use domain::acceptance::RiskAcceptance;
use domain::document::Day;
use domain::scale::{AcceptanceBy, Scales};

use crate::scales;

/// The risk's acceptances are in this state on a day, after the journal entry in the parameter `seq` or now.
pub(crate) fn decision_state(state: RiskAcceptance, seq: Option<&str>, today: &Day) -> String {
    let today = today.as_str();
    let is_fit = format!("(a.scale_until IS NULL OR a.scale_until >= '{today}')");
    let live = format!("a.state IN ('accepted', 'stale') AND a.until >= '{today}'");
    let requested = "a.state = 'requested'";
    match state {
        RiskAcceptance::Requested => has(requested, seq),
        RiskAcceptance::Accepted => has(&format!("a.state = 'accepted' AND {live} AND {is_fit}"), seq),
        RiskAcceptance::Stale => has(&format!("{live} AND (a.state = 'stale' OR NOT {is_fit})"), seq),
        RiskAcceptance::Expired => {
            let expired = format!("a.state IN ('accepted', 'stale') AND a.until < '{today}'");
            format!("{} AND NOT {}", has(&expired, seq), has(&live, seq))
        }
        RiskAcceptance::None => format!("NOT {}", has(&format!("({requested} OR {live})"), seq)),
    }
}

/// The risk is open, the band of its latest evaluation, of which `code` is the code, wants a decision, and none is in force.
pub(crate) fn is_decision_missing(code: &str, scales: &Scales, seq: Option<&str>, today: &Day) -> String {
    let wants = |by| matches!(by, AcceptanceBy::Owner | AcceptanceBy::People);
    let codes = scales::present_codes(scales)
        .filter(|code| scales::band_of_code(scales, *code).is_some_and(|band| wants(band.acceptance.by)));
    let codes: Vec<String> = codes.map(|code| code.to_string()).collect();
    if codes.is_empty() {
        return "1 = 0".to_owned();
    }
    let accepted = decision_state(RiskAcceptance::Accepted, seq, today);
    format!("r.status = 'open' AND {code} IN ({}) AND NOT {accepted}", codes.join(", "))
}

/// The risk has an acceptance `a` that fulfils a condition.
fn has(condition: &str, seq: Option<&str>) -> String {
    let of_risk = "a.organization = r.organization AND a.risk = r.number";
    let present = |more: &str| {
        format!("EXISTS (SELECT 1 FROM risk_acceptance AS a WHERE {of_risk}{more} AND {condition})")
    };
    match seq {
        None => present(""),
        Some(seq) => format!(
            "({} OR EXISTS (SELECT 1 FROM risk_acceptance_history AS a
                            WHERE {of_risk} AND a.seq_from <= {seq} AND a.seq_to > {seq} AND {condition}))",
            present(&format!(" AND a.seq_from <= {seq}"))
        ),
    }
}
