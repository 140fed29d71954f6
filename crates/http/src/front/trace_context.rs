//! The trace context of a request in a trace across services (W3C Trace Context, level 2).

use std::str::FromStr as _;

use axum::http::{HeaderMap, HeaderName};
use db::Db;
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// The maximum length of a `tracestate` that is passed on; at least 512 is required.
const STATE_BYTES: usize = 512;

/// The flag that the rightmost seven bytes of a trace's id are random.
const RANDOM_FLAG: u8 = 0b10;

/// The flag that the caller records this trace.
const SAMPLED_FLAG: u8 = 0b01;

/// The trace that a request belongs to: the caller's, or a new one. It is added to the request's extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceContext {
    /// The id of the whole trace; never all zeros.
    pub trace_id: [u8; 16],
    /// The caller's span; `None` starts a trace.
    pub parent_id: Option<[u8; 8]>,
    /// The flags of level 2.
    pub flags: u8,
    /// The vendor data of other systems, passed on to the next ones.
    pub state: Option<String>,
}

impl TraceContext {
    /// The caller's trace if `traceparent` is valid, else a new one: a malformed header is never an error.
    pub(crate) fn of(headers: &HeaderMap, db: &Db) -> Self {
        Self::joined(headers).unwrap_or_else(|| {
            let mut trace_id = [0; 16];
            (db.random())(&mut trace_id);
            Self { trace_id, parent_id: None, flags: RANDOM_FLAG, state: None }
        })
    }

    fn joined(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(TRACEPARENT).iter();
        let value = values.next()?;
        let (trace_id, parent_id, flags) = parse(value.as_bytes())?;
        if values.next().is_some() {
            return None;
        }
        Some(Self { trace_id, parent_id: Some(parent_id), flags, state: state(headers) })
    }

    /// Makes the span of a request part of the trace for the trace exporter, and returns the trace's id as text. A
    /// trace that starts here has the id that the exporter assigned.
    pub(crate) fn enter(&self, span: &Span) -> String {
        if let Some(parent_id) = self.parent_id {
            let state = self.state.as_deref().and_then(|state| TraceState::from_str(state).ok());
            let parent = SpanContext::new(
                TraceId::from_bytes(self.trace_id),
                SpanId::from_bytes(parent_id),
                TraceFlags::new(self.flags),
                true,
                state.unwrap_or_default(),
            );
            // This fails when no exporter is configured.
            let _ = span.set_parent(Context::new().with_remote_span_context(parent));
        }
        match span.context().span().span_context().trace_id() {
            TraceId::INVALID => self.trace_id_text(),
            id => id.to_string(),
        }
    }

    /// Whether the caller records this trace.
    pub fn is_sampled(&self) -> bool {
        self.flags & SAMPLED_FLAG != 0
    }

    /// The trace's id as it is written: 32 hexadecimal digits.
    pub fn trace_id_text(&self) -> String {
        hex::encode(self.trace_id)
    }
}

/// Parses `00-<trace id>-<parent id>-<flags>`. Future versions may append to it; `ff` is not a version.
fn parse(value: &[u8]) -> Option<([u8; 16], [u8; 8], u8)> {
    let (known, rest) = value.split_at_checked(55)?;
    let &[ref version @ .., b'-'] = known.get(..3)? else { return None };
    let [version] = digits(version)?;
    let ends_well = if version == 0 { rest.is_empty() } else { rest.is_empty() || rest.starts_with(b"-") };
    let dashes_stand = [35, 52].iter().all(|place| known.get(*place) == Some(&b'-'));
    if version == 0xff || !ends_well || !dashes_stand {
        return None;
    }
    let trace_id: [u8; 16] = digits(known.get(3..35)?)?;
    let parent_id: [u8; 8] = digits(known.get(36..52)?)?;
    let [flags] = digits(known.get(53..)?)?;
    let is_valid = trace_id != [0; 16] && parent_id != [0; 8];
    is_valid.then_some((trace_id, parent_id, flags & (RANDOM_FLAG | SAMPLED_FLAG)))
}

/// Lower-case hexadecimal digits.
fn digits<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let is_lower = text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_lower && hex::decode_to_slice(text, &mut bytes).is_ok()).then_some(bytes)
}

/// All `tracestate` headers as one list; one that is too long or not text is dropped.
fn state(headers: &HeaderMap) -> Option<String> {
    let mut state = String::new();
    for value in headers.get_all(TRACESTATE) {
        let value = value.to_str().ok()?.trim();
        if !state.is_empty() && !value.is_empty() {
            state.push(',');
        }
        state.push_str(value);
    }
    (!state.is_empty() && state.len() <= STATE_BYTES).then_some(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn joined(pairs: &[(HeaderName, &str)]) -> Option<TraceContext> {
        let headers = pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        TraceContext::joined(&headers)
    }

    #[test]
    fn a_trace_is_joined() {
        let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        let found = joined(&[(TRACEPARENT, &parent), (TRACESTATE, "a=1"), (TRACESTATE, " b=2 ")]).unwrap();
        assert_eq!(found.trace_id_text(), TRACE);
        assert_eq!(found.parent_id, Some([0, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7]));
        assert!(found.is_sampled());
        assert_eq!(found.state.as_deref(), Some("a=1,b=2"));
        // A future version, with something appended, and unknown flags.
        let later = format!("cc-{TRACE}-00f067aa0ba902b7-f0-more");
        let found = joined(&[(TRACEPARENT, &later)]).unwrap();
        assert!(!found.is_sampled() && found.flags == 0 && found.state.is_none());
        assert!(joined(&[(TRACEPARENT, &parent), (TRACESTATE, &"x".repeat(513))]).unwrap().state.is_none());
    }

    #[test]
    fn a_malformed_header_joins_nothing() {
        let zeros = "0".repeat(32);
        for value in [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-00f067aa0ba902b7-01-more"),
            format!("00-{TRACE}-00f067aa0ba902b7-01-"),
            format!("00-{TRACE}-00f067aa0ba902b7"),
            format!("00-{TRACE}-00f067aa0ba902b7-1"),
            format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            format!("cc-{TRACE}-00f067aa0ba902b7-01more"),
            format!("0-{TRACE}-00f067aa0ba902b7-001"),
            format!("00-{}-00f067aa0ba902b7-01", TRACE.to_uppercase()),
            format!("00-{zeros}-00f067aa0ba902b7-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00_{TRACE}_00f067aa0ba902b7_01"),
            format!("00-{TRACE}-00f067aa0ba902bg-01"),
        ] {
            assert_eq!(joined(&[(TRACEPARENT, &value)]), None, "{value}");
        }
        let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        assert_eq!(joined(&[(TRACEPARENT, &parent), (TRACEPARENT, &parent)]), None);
        assert_eq!(joined(&[(TRACESTATE, "a=1")]), None);
    }
}
