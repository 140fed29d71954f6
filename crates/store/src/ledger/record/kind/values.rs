//! The kinds of fields that hold a value of one kind of record.

use db::Value;
use domain::document::{self, ApprovalStep, KeptText, ProposedChanges, ReportSource};
use domain::import::RowFault;
use domain::incident::Hold;
use domain::review::{self, Action};
use domain::risk::Rating;
use domain::saved_view::ViewFilter;
use domain::scale::ScaleContent;
use domain::{Actor, Reason};
use jiff::Timestamp;

use super::{AnActor, Kind, ONE_COLUMN, Shape};
use crate::ledger::record::{Reader, names};

/// What is wrong with rows of a file, as JSON; nothing is NULL.
pub(crate) struct AFaultList;

impl AFaultList {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<Vec<RowFault>> for AFaultList {
    fn write<'v>(value: &'v Vec<RowFault>, out: &mut Vec<Value<'v>>) {
        let faults = (!value.is_empty()).then(|| serde_json::json!(value).to_string());
        out.push(faults.map_or(Value::Null, Value::from));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Vec<RowFault>> {
        let Some(text): Option<String> = row.next()? else { return Ok(Vec::new()) };
        serde_json::from_str(&text)
            .map_err(|error| db::Error::Internal(format!("{text} is no list of faults: {error}")))
    }
}

/// The pause of an incident, or none.
pub(crate) struct AHold;

impl AHold {
    pub(crate) const SHAPE: Shape = Shape {
        suffixes: &["_since", "_until", "_reason", "_by_kind", "_by_id"],
        derived: 0,
        joined: Some(names::hold),
    };
}

impl Kind<Option<Hold>> for AHold {
    fn write<'v>(value: &'v Option<Hold>, out: &mut Vec<Value<'v>>) {
        let Some(hold) = value else {
            out.extend([const { Value::Null }; 5]);
            return;
        };
        out.push(Value::Time(hold.since));
        out.push(hold.until.map_or(Value::Null, Value::Time));
        out.push(Value::from(hold.reason.as_str()));
        AnActor::write(&hold.by, out);
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Option<Hold>> {
        let (since, until, reason): (Option<Timestamp>, Option<Timestamp>, Option<String>) =
            (row.next()?, row.next()?, row.next()?);
        let reason = Reason::stored(reason.unwrap_or_default());
        let by: Option<Actor> = AnActor::read(row)?;
        let (Some(since), Some(by)) = (since, by) else { return Ok(None) };
        Ok(Some(Hold { since, by, until, reason }))
    }
}

/// The actions of a review, as JSON; none is NULL.
pub(crate) struct AnActionList;

impl AnActionList {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<Vec<Action>> for AnActionList {
    fn write<'v>(value: &'v Vec<Action>, out: &mut Vec<Value<'v>>) {
        out.push(review::list_to_stored(value).map_or(Value::Null, Value::from));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Vec<Action>> {
        let Some(text): Option<String> = row.next()? else { return Ok(Vec::new()) };
        review::list_from_stored(&text)
            .ok_or_else(|| db::Error::Internal(format!("{text} is no list of actions")))
    }
}

/// The steps of an approval, as JSON; none is NULL.
pub(crate) struct AStepList;

impl AStepList {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<Vec<ApprovalStep>> for AStepList {
    fn write<'v>(value: &'v Vec<ApprovalStep>, out: &mut Vec<Value<'v>>) {
        out.push(document::steps_to_stored(value).map_or(Value::Null, Value::from));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Vec<ApprovalStep>> {
        let Some(text): Option<String> = row.next()? else { return Ok(Vec::new()) };
        document::steps_from_stored(&text)
            .ok_or_else(|| db::Error::Internal(format!("{text} is no list of steps")))
    }
}

/// Where a document keeps its own words, as JSON; nowhere is NULL.
pub(crate) struct AKeptList;

impl AKeptList {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<Vec<KeptText>> for AKeptList {
    fn write<'v>(value: &'v Vec<KeptText>, out: &mut Vec<Value<'v>>) {
        out.push(document::kept_to_stored(value).map_or(Value::Null, Value::from));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Vec<KeptText>> {
        let Some(text): Option<String> = row.next()? else { return Ok(Vec::new()) };
        document::kept_from_stored(&text)
            .ok_or_else(|| db::Error::Internal("the kept texts of a proposal are damaged".to_owned()))
    }
}

/// What the text of a kept report was made from, as JSON; nothing is NULL.
pub(crate) struct ASource;

impl ASource {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<Option<ReportSource>> for ASource {
    fn write<'v>(value: &'v Option<ReportSource>, out: &mut Vec<Value<'v>>) {
        out.push(value.as_ref().map_or(Value::Null, |it| it.to_stored().into()));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Option<ReportSource>> {
        let Some(text): Option<String> = row.next()? else { return Ok(None) };
        let source = ReportSource::from_stored(&text);
        source.map(Some).ok_or_else(|| db::Error::Internal("the source of a report is damaged".to_owned()))
    }
}

/// What a proposal changes of its document, as JSON; nothing is NULL.
pub(crate) struct SomeChanges;

impl SomeChanges {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<ProposedChanges> for SomeChanges {
    fn write<'v>(value: &'v ProposedChanges, out: &mut Vec<Value<'v>>) {
        out.push(value.to_stored().map_or(Value::Null, Value::from));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<ProposedChanges> {
        let Some(text): Option<String> = row.next()? else { return Ok(ProposedChanges::default()) };
        ProposedChanges::from_stored(&text)
            .ok_or_else(|| db::Error::Internal("the changes of a proposal are damaged".to_owned()))
    }
}

/// The filter of a list, as JSON.
pub(crate) struct AViewFilter;

impl AViewFilter {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<ViewFilter> for AViewFilter {
    fn write<'v>(value: &'v ViewFilter, out: &mut Vec<Value<'v>>) {
        out.push(Value::from(value.to_stored()));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<ViewFilter> {
        let text: String = row.next()?;
        ViewFilter::from_stored(&text).ok_or_else(|| db::Error::Internal(format!("{text} is no filter")))
    }
}

/// The levels and bands of a scale, as JSON.
pub(crate) struct AScaleContent;

impl AScaleContent {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl Kind<ScaleContent> for AScaleContent {
    fn write<'v>(value: &'v ScaleContent, out: &mut Vec<Value<'v>>) {
        out.push(Value::from(value.to_stored()));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<ScaleContent> {
        let text: String = row.next()?;
        ScaleContent::from_stored(&text).ok_or_else(|| db::Error::Internal(format!("{text} is no scale")))
    }
}

/// A judgement of a risk.
pub(crate) struct ARating;

impl ARating {
    pub(crate) const SHAPE: Shape = Shape { suffixes: &["_likelihood", "_impact"], derived: 0, joined: None };
}

impl Kind<Rating> for ARating {
    fn write<'v>(value: &'v Rating, out: &mut Vec<Value<'v>>) {
        out.extend([Value::Integer(value.likelihood), Value::Integer(value.impact)]);
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Rating> {
        Ok(Rating { likelihood: row.next()?, impact: row.next()? })
    }
}

impl Kind<Option<Rating>> for ARating {
    fn write<'v>(value: &'v Option<Rating>, out: &mut Vec<Value<'v>>) {
        match value {
            Some(value) => Self::write(value, out),
            None => out.extend([Value::Null, Value::Null]),
        }
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Option<Rating>> {
        let (likelihood, impact): (Option<i64>, Option<i64>) = (row.next()?, row.next()?);
        Ok(likelihood.zip(impact).map(|(likelihood, impact)| Rating { likelihood, impact }))
    }
}
