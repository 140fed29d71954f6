//! The stepper of an incident's page: where it stands, what can follow, and what that needs.

use domain::incident::{Category, ResolutionReason, Spell, Status, TransitionOption};
use jiff::Timestamp;

use super::show::ShowPage;
use crate::frame::form::Form;
use crate::frame::problems::Problems;
use crate::texts;

/// The statuses of the stepper, in their order.
const STEPS: [Status; 5] =
    [Status::New, Status::Investigating, Status::Contained, Status::Resolved, Status::Closed];

/// The members of a step for which its form has a value already: a step to Resolved asks for nothing else.
const FILLED_IN: [&str; 2] = ["resolution_reason", "responded_date"];

/// A step of the life of an incident.
pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) class: &'static str,
    /// When it was reached, unless the note says it.
    pub(super) at: Option<Timestamp>,
    /// What it needs, or when it was reopened.
    pub(super) note: String,
}

impl ShowPage {
    /// The stepper. A step that was gone back to has the time at which that was, and a dismissed incident ends as such.
    pub(super) fn stages(&self) -> Vec<Stage> {
        let incident = &self.it.incident;
        let (status, dates) = (incident.status, incident.dates());
        let steps = STEPS.map(|step| match (step, status) {
            (Status::Closed, Status::Dismissed) => Status::Dismissed,
            _ => step,
        });
        let now = steps.iter().position(|step| *step == status).unwrap_or_default();
        let reached =
            [Some(incident.created_date), dates.responded, dates.contained, dates.resolved, dates.closed];
        let stage = |(index, (step, at)): (usize, (&Status, Option<Timestamp>))| {
            let back = self.last_step_back().filter(|spell| spell.to == *step && index <= now);
            let at = back.map(|spell| spell.at).or(at);
            let class = match index {
                index if index < now && at.is_none() => "done skipped",
                index if index < now => "done",
                index if index == now => "now",
                _ => "",
            };
            let reopened = at.filter(|_| back.is_some_and(|spell| spell.is_reopening));
            let note = match (reopened, at) {
                (Some(at), _) => texts::reopened(&self.frame.clock.short(&at)),
                (None, None) if index > now => self.needs(step),
                _ => String::new(),
            };
            Stage { name: step.label(), class, at: at.filter(|_| reopened.is_none()), note }
        };
        steps.iter().zip(reached).enumerate().map(stage).collect()
    }

    /// The state that ended with the latest step back.
    pub(super) fn last_step_back(&self) -> Option<&Spell> {
        self.it.spells.as_ref()?.last()
    }

    /// When it was reopened, the last time.
    pub(super) fn reopened_date(&self) -> Option<&Timestamp> {
        let mut reopenings = self.it.spells.iter().flatten().filter(|spell| spell.is_reopening);
        reopenings.next_back().map(|spell| &spell.at)
    }

    /// What has to be filled in for a status, in a few words.
    pub(super) fn needs(&self, status: &Status) -> String {
        let Some(option) = self.options.iter().find(|option| option.to == *status) else {
            return String::new();
        };
        let needs = option.needs.iter().filter(|it| *status != Status::Resolved || !FILLED_IN.contains(it));
        let count = needs.count() + option.blocked_by.len();
        match (option.permitted, count) {
            (false, _) | (true, 0) => String::new(),
            (true, 1) => texts::ONE_FIELD_REQUIRED.to_owned(),
            (true, count) => texts::fields_required(count),
        }
    }

    /// What can be done next, the way ahead first.
    pub(super) fn permitted(&self) -> impl Iterator<Item = &TransitionOption> {
        self.options.iter().filter(|option| option.permitted)
    }

    /// The status that comes next, if nothing but answers stands against it.
    pub(super) fn next(&self) -> Option<&TransitionOption> {
        let now = STEPS.iter().position(|status| *status == self.it.incident.status)?;
        STEPS.iter().skip(now + 1).find_map(|status| self.permitted().find(|option| option.to == *status))
    }

    /// The other statuses that it can get.
    pub(super) fn others(&self) -> Vec<&TransitionOption> {
        let next = self.next().map(|option| option.to);
        self.permitted().filter(|option| Some(option.to) != next).collect()
    }

    /// What stands against closing it.
    pub(super) fn against_closing(&self) -> Vec<&str> {
        let close = self.options.iter().find(|option| option.to == Status::Closed);
        let close = close.filter(|_| self.it.incident.status.category() == Category::Open);
        let obstacles = close.into_iter().flat_map(|option| &option.blocked_by);
        let obstacles =
            obstacles.filter(|it| !["transition_not_allowed", "insufficient_scope"].contains(&it.code));
        obstacles.map(|obstacle| obstacle.detail.as_str()).collect()
    }

    /// The verb of a step.
    pub(super) fn verb(&self, to: &Status) -> &'static str {
        let from = self.it.incident.status;
        match to {
            Status::New => texts::RESET_TO_NEW,
            Status::Investigating if from == Status::New => texts::START_INVESTIGATING,
            Status::Investigating if from == Status::Contained => texts::RESUME_INVESTIGATING,
            Status::Investigating => texts::REOPEN,
            Status::Contained if from == Status::Resolved => texts::REOPEN_AS_CONTAINED,
            Status::Contained => texts::MARK_AS_CONTAINED,
            Status::Resolved => texts::RESOLVE,
            Status::Closed => texts::CLOSE,
            Status::Dismissed => texts::DISMISS,
        }
    }

    /// Whether the incident has no assignee and can get one.
    pub(super) fn may_assign(&self) -> bool {
        self.it.incident.assigned_to.is_none() && self.it.incident.status.category() == Category::Open
    }

    /// The key that leads to the assignee: that of the button "Assign to me", while there is one.
    pub(super) fn assignee_key(&self) -> &'static str {
        if self.may_assign() { "" } else { "a" }
    }

    /// Whether a step also assigns the incident to the person who makes it.
    pub(super) fn assigns_me(&self, option: &TransitionOption) -> bool {
        self.may_assign() && self.it.incident.status == Status::New && option.to == Status::Investigating
    }

    /// What is wrong with the form of a step.
    pub(super) fn problems_of(&self, option: &TransitionOption) -> &Problems {
        if self.form.is("to", option.to.as_str()) { &self.problems } else { &self.empty.1 }
    }

    /// What was typed into the form of a step.
    pub(super) fn form_of(&self, option: &TransitionOption) -> &Form {
        if self.form.is("to", option.to.as_str()) { &self.form } else { &self.empty.0 }
    }

    /// The reasons of a step. That it repeats another incident has a page of its own, which asks for that one.
    pub(super) fn reasons(&self, option: &TransitionOption) -> Vec<ResolutionReason> {
        let reasons = option.to.resolution_reasons().iter().copied();
        reasons.filter(|reason| *reason != ResolutionReason::Duplicate).collect()
    }

    /// Whether a reason may be given in words: a step asks for one always, or with the reason `other`.
    pub(super) fn takes_reason(&self, option: &TransitionOption) -> bool {
        self.needs_member(option, "reason") || self.needs_member(option, "resolution_reason")
    }

    /// Whether the form of another step than the next one was refused.
    pub(super) fn is_other_refused(&self) -> bool {
        let is_refused = |option: &&TransitionOption| self.form.is("to", option.to.as_str());
        !self.problems.is_empty() && self.others().iter().any(is_refused)
    }

    /// What was typed for a step that cannot follow any more.
    pub(super) fn unsaved(&self) -> Vec<&str> {
        let is_possible = self.permitted().any(|option| self.form.is("to", option.to.as_str()));
        let typed = ["resolution_summary", "reason"].map(|name| self.form.text(name));
        typed.into_iter().filter(|text| !is_possible && !text.trim().is_empty()).collect()
    }

    pub(super) fn needs_member(&self, option: &TransitionOption, member: &str) -> bool {
        option.needs.contains(&member)
    }
}
