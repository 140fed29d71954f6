//! The requests of the loads.

use domain::incident::NewIncident;
use jiff::Timestamp;
use serde_json::json;

use crate::Result;
use crate::load::Load;
use crate::process::Process;
use crate::tenant::Tenant;

const TITLE: &str = "Suspicious sign-ins to the ordering portal from two countries within ten minutes";
const DESCRIPTION: &str = "The alert fired three times between 08:41 and 08:52. The account belongs to the night shift at \
     the Leeds depot; the shift lead says nobody was signed in at that time. Sessions were ended, the password was reset \
     and the logs of the last thirty days are being kept for review.";
const SOURCE: &str = "SIEM rule 4021";
const OCCURRED: &str = "2026-03-01T08:41:00Z";
const DETECTED: &str = "2026-03-01T08:52:00Z";

/// A body of about 500 bytes.
pub(crate) fn incident() -> String {
    json!({
        "title": TITLE,
        "description": DESCRIPTION,
        "source": SOURCE,
        "occurred_date": OCCURRED,
        "detected_date": DETECTED,
    })
    .to_string()
}

/// The same as the store takes it.
pub(crate) fn new_incident() -> Result<NewIncident> {
    Ok(NewIncident {
        title: TITLE.into(),
        description: DESCRIPTION.into(),
        source: Some(SOURCE.into()),
        occurred_date: Some(OCCURRED.parse::<Timestamp>()?),
        detected_date: Some(DETECTED.parse::<Timestamp>()?),
        ..NewIncident::untitled()
    })
}

/// The bare handler with the same body.
pub(crate) fn echo(server: &Process) -> Load {
    Load::new(server, "/", post(&incident(), "application/json", &[], ""))
}

/// Gives every request a key of its own; windows begin in different seconds.
pub(crate) const KEYED: &str = "local run, i = os.time(), 0
function request()
  i = i + 1
  wrk.headers['Idempotency-Key'] = 'k' .. run .. '-' .. i
  return wrk.format()
end
";

/// Creations, by the holders of these tokens in turn.
pub(crate) fn create(service: &Process, tokens: &[String], more: &str) -> Load {
    Load::new(service, "/v1/incidents", post(&incident(), "application/json", tokens, more))
}

/// Creations of risks.
pub(crate) fn risks(service: &Process, token: &str) -> Load {
    let body = json!({
        "title": "Ransomware in the depot network",
        "description": "",
        "inherent": {"likelihood": 4, "impact": 5},
        "target": {"likelihood": 2, "impact": 3},
    });
    Load::new(service, "/v1/risks", post(&body.to_string(), "application/json", &[token.to_owned()], ""))
}

/// Evaluations of a register's first risks in turn.
pub(crate) fn evaluations(service: &Process, token: &str, risks: usize) -> Load {
    let each = format!(
        "local n = 0\nfunction request()\n  n = n % {risks} + 1\n  \
         return wrk.format(nil, '/v1/risks/RSK-' .. n .. '/evaluations')\nend\n"
    );
    let body = json!({"likelihood": 3, "impact": 4}).to_string();
    Load::new(service, "/", post(&body, "application/json", &[token.to_owned()], &each))
}

/// Transitions, each of the next incident among the first `incidents`: all of them are taken, then contained, then
/// dismissed. It goes on after the first `done` transitions.
pub(crate) fn transitions(service: &Process, token: &str, incidents: usize, done: f64) -> Load {
    let each = format!(
        r#"local n, bodies = {done:.0}, {{
  '{{"to":"investigating"}}',
  '{{"to":"contained"}}',
  '{{"to":"dismissed","resolution_reason":"not_an_incident"}}',
}}
function request()
  local number, step = n % {incidents} + 1, math.floor(n / {incidents}) + 1
  n = n + 1
  return wrk.format(nil, '/v1/incidents/INC-' .. number .. '/transitions', nil, bodies[step])
end
"#
    );
    Load::new(service, "/", post("", "application/json", &[token.to_owned()], &each))
}

/// Edits of one item of a document, each with another value.
pub(crate) fn edits(service: &Process, token: &str, document: &str) -> Load {
    let each = format!(
        r#"local run, n = os.time(), 0
function request()
  n = n + 1
  local body = '[{{"node_id":"item-1","node_type":"text","value":"' .. run .. ' ' .. n .. '"}}]'
  return wrk.format('PATCH', '/v1/documents/{document}', nil, body)
end
"#
    );
    Load::new(service, "/", post("", "application/json", &[token.to_owned()], &each))
}

/// Tags for risks, all risks with the first tag, then with the next. It goes on after the first `done`.
pub(crate) fn tags(service: &Process, token: &str, risks: usize, tags: &[String], done: f64) -> Load {
    let tags: Vec<String> = tags.iter().map(|tag| format!("'{{\"tag_id\":\"{tag}\"}}'")).collect();
    let each = format!(
        "local n, bodies = {done:.0}, {{{}}}\nfunction request()\n  local risk, tag = n % {risks} + 1, \
         math.floor(n / {risks}) + 1\n  n = n + 1\n  \
         return wrk.format(nil, '/v1/risks/RSK-' .. risk .. '/tags', nil, bodies[tag])\nend\n",
        tags.join(",")
    );
    Load::new(service, "/", post("", "application/json", &[token.to_owned()], &each))
}

/// Acknowledgements of a document's first version that a member signed on paper.
pub(crate) fn acknowledgements(
    service: &Process,
    token: &str,
    document: &str,
    sha256: &str,
    person: &str,
) -> Load {
    let body = json!({"sha256": sha256, "on_paper": {"user": person, "file": "Folder 3"}}).to_string();
    let path = format!("/v1/documents/{document}/versions/1/acknowledgements");
    Load::new(service, &path, post(&body, "application/json", &[token.to_owned()], ""))
}

/// Requests for a token.
pub(crate) fn token(service: &Process, Tenant { client_id, client_secret, .. }: &Tenant) -> Load {
    let form = format!("grant_type=client_credentials&client_id={client_id}&client_secret={client_secret}");
    Load::new(service, "/v1/oauth/token", post(&form, "application/x-www-form-urlencoded", &[], ""))
}

/// One path, over and over.
pub(crate) fn get(service: &Process, path: &str, token: &str) -> Load {
    Load::new(service, path, bearer(token))
}

/// Single incidents of a register with so many, at random.
pub(crate) fn read_one(service: &Process, token: &str, incidents: usize) -> Load {
    let one = format!(
        "function request()\n  return wrk.format(nil, '/v1/incidents/INC-' .. math.random(1, {incidents}))\nend\n"
    );
    Load::new(service, "/", bearer(token) + &one)
}

/// These paths in turn.
pub(crate) fn in_turn(service: &Process, token: &str, paths: &[String]) -> Load {
    let paths: Vec<String> = paths.iter().map(|path| format!("'{path}'")).collect();
    let each = format!(
        "local paths, n = {{{}}}, 0\nfunction request()\n  n = n % #paths + 1\n  return wrk.format(nil, paths[n])\nend\n",
        paths.join(",")
    );
    Load::new(service, "/", bearer(token) + &each)
}

fn bearer(token: &str) -> String {
    format!("wrk.headers['Authorization'] = 'Bearer {token}'\n")
}

fn post(body: &str, media_type: &str, tokens: &[String], more: &str) -> String {
    let who = match tokens {
        [] => String::new(),
        [token] => bearer(token),
        many => {
            let many: Vec<String> = many.iter().map(|token| format!("'Bearer {token}'")).collect();
            format!(
                "local tokens, n = {{{}}}, 0\nfunction request()\n  n = n % #tokens + 1\n  \
                 wrk.headers['Authorization'] = tokens[n]\n  return wrk.format()\nend\n",
                many.join(",")
            )
        }
    };
    format!(
        "wrk.method = 'POST'\nwrk.body = [==[{body}]==]\nwrk.headers['Content-Type'] = '{media_type}'\n{who}{more}"
    )
}
