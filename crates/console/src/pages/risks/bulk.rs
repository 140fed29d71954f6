//! What can be done to many risks at once.

use std::collections::HashMap;

use db::Tx;
use domain::bulk::BulkOperation;
use domain::json;
use domain::risk::{Risk, RiskPatch, RiskStatus, Treatment};
use domain::tag::TagReference;
use domain::{RiskNumber, Word};

use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;
use crate::pages::listed::bulk::{Field, Input, Now, Operation, Record, members};
use crate::texts;

domain::words! {
    "ConsoleRiskBulk"
    /// What is changed.
    pub(crate) enum What {
        /// Who is responsible for them.
        Owner = "owner",
        /// Their status.
        Status = "status",
        /// Their category.
        Category = "category",
        /// What is done about them.
        Treatment = "treatment",
        /// A tag is put on.
        Tag = "tag",
        /// A tag is taken off.
        Untag = "untag",
    }
}

impl Operation for What {
    type Record = Risk;

    fn label(self) -> &'static str {
        match self {
            Self::Owner => texts::CHANGE_OWNER,
            Self::Status => texts::CHANGE_STATUS,
            Self::Category => texts::CHANGE_CATEGORY,
            Self::Treatment => texts::CHANGE_TREATMENT,
            Self::Tag => texts::TAG,
            Self::Untag => texts::REMOVE_TAG,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Owner => texts::CHANGE_RISK_OWNER,
            Self::Status => texts::CHANGE_RISK_STATUS,
            Self::Category => texts::CHANGE_RISK_CATEGORY,
            Self::Treatment => texts::CHANGE_RISK_TREATMENT,
            Self::Tag => texts::ADD_TAG_TO_RISKS,
            Self::Untag => texts::REMOVE_TAG_FROM_RISKS,
        }
    }

    fn fields(self) -> Vec<Field> {
        let field = |name, sent_as, label, note, input| Field { name, sent_as, label, note, input };
        match self {
            Self::Owner => vec![field("owner", As::TextOrNull, texts::OWNER, "", Input::Person)],
            Self::Status => vec![
                field("status", As::Text, texts::STATUS, "", Input::Word(words_of::<RiskStatus>())),
                field(
                    "status_reason",
                    As::TextOrNull,
                    texts::REASON,
                    texts::TO_CLOSE_OR_REOPEN,
                    Input::Prose,
                ),
            ],
            Self::Category => {
                let (name, note) = (texts::CATEGORY, texts::EMPTY_CLEARS);
                vec![field("category", As::TextOrNull, name, note, Input::Line(200))]
            }
            Self::Treatment => {
                let words = Input::Word(words_of::<Treatment>());
                vec![field("treatment", As::Text, texts::TREATMENT, "", words)]
            }
            Self::Tag | Self::Untag => vec![Field::tag()],
        }
    }

    fn undo_note(self, form: &Form) -> &'static str {
        match self {
            Self::Status if form.is("status", RiskStatus::Closed.as_str()) => texts::UNDO_LEAVES_CLOSED,
            _ => "",
        }
    }

    fn read(self, form: &Form, request: &PageRequest) -> Result<BulkOperation<RiskPatch>> {
        let (members, clock) = (members(self), &request.clock);
        Ok(match self {
            Self::Owner | Self::Status | Self::Category | Self::Treatment => {
                BulkOperation::Change(Box::new(form.read_as(&members, clock, json::body)?))
            }
            Self::Tag => {
                BulkOperation::Tag(form.read_as::<TagReference>(&members, clock, json::body)?.tag_id)
            }
            Self::Untag => {
                BulkOperation::Untag(form.read_as::<TagReference>(&members, clock, json::body)?.tag_id)
            }
        })
    }

    async fn records(
        tx: &mut Tx,
        request: &PageRequest,
        numbers: &[RiskNumber],
    ) -> store::Result<HashMap<RiskNumber, Record>> {
        let found = store::risks::get_many(tx, request.id(), numbers).await?;
        let record = |it: Risk| (it.number, Record { title: it.title, now: Now::Risk(it.status) });
        Ok(found.into_iter().map(record).collect())
    }
}

/// The words of a list with their labels.
fn words_of<W: Word>() -> Vec<(String, String)> {
    W::ALL.iter().map(|it| (it.as_str().to_owned(), words::label(it))).collect()
}
