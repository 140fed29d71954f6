//! The steps in which a document is approved.

mod stored;

use std::collections::{HashMap, HashSet};

use macros::Body;

use super::list::read_list;
use crate::fault::{FaultCode, Faults};
use crate::ids::{GroupId, UserId};
use crate::json::{Fields, Json, Pointer};
use crate::person::Person;
use crate::role::Role;
use crate::text::{Line, Reason};

pub(super) use stored::steps_to_json;
pub use stored::{steps_from_stored, steps_to_stored};

/// The most steps of a document.
pub const MAX_STEPS: usize = 20;

/// The most people that a step names.
pub const MAX_NAMED: usize = 100;

/// The most characters of the name of a step.
const NAME_CHARACTERS: usize = 80;

crate::words! {
    "ApprovingPeople"
    /// Who approves in a step: those of whom this is true at that moment, if they may approve documents.
    pub enum ApprovingPeople {
        /// Every member who may approve documents.
        Approvers = "approvers",
        /// The members with a role.
        Role = "role",
        /// The members of a group.
        Group = "group",
        /// The members that it names.
        Users = "users",
    }
}

crate::words! {
    "ApprovalStepWhen"
    /// When a step is needed.
    pub enum StepWhen {
        /// For each version.
        Always = "always",
        /// For a version that everybody acknowledges again.
        Material = "material",
    }
}

#[expect(clippy::derivable_impls, reason = "`words!` derives no default")]
impl Default for StepWhen {
    fn default() -> Self {
        Self::Always
    }
}

/// A step of the approval of a document.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(check = Self::check_who(who, role, group, users, needed))]
pub struct ApprovalStep {
    /// What the step is called, unique in the document.
    #[body(example = "Management")]
    pub name: Line<NAME_CHARACTERS>,
    /// Who approves in it.
    #[body(example = "approvers")]
    pub who: ApprovingPeople,
    /// The role, with `role` only.
    pub role: Option<Role>,
    /// The id of the group, with `group` only.
    pub group: Option<GroupId>,
    /// The ids of members, with `users` only.
    #[body(least = 1, most = MAX_NAMED)]
    pub users: Option<Vec<UserId>>,
    /// How many of them approve; 1 by default.
    #[body(default = 1, range = 1..=100)]
    pub needed: i64,
    /// When the step is needed; `always` by default. At least one step of a document is always needed.
    #[body(default)]
    pub when: StepWhen,
    /// Who approves in somebody's place in one proposal.
    #[body(skip)]
    pub replacements: Vec<Replacement>,
}

/// A person who approves in the place of another one, as an admin said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Whom the step named.
    pub person: UserId,
    /// Who approves instead.
    pub replacement: UserId,
    /// Why.
    pub reason: Reason,
}

/// The same with the people whom it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedReplacement {
    /// Whom the step named.
    pub person: Person,
    /// Who approves instead.
    pub replacement: Person,
    /// Why.
    pub reason: Reason,
}

impl Replacement {
    /// With the people, who are among these.
    pub(super) fn named(&self, people: &HashMap<UserId, Person>) -> Option<NamedReplacement> {
        let person = |id| people.get(&id).cloned();
        let (person, replacement) = (person(self.person)?, person(self.replacement)?);
        Some(NamedReplacement { person, replacement, reason: self.reason.clone() })
    }
}

/// The step of a document without steps: one person who may approve.
pub fn default_steps() -> Vec<ApprovalStep> {
    vec![ApprovalStep {
        name: Line::stored("Approval"),
        who: ApprovingPeople::Approvers,
        role: None,
        group: None,
        users: None,
        needed: 1,
        when: StepWhen::Always,
        replacements: Vec::new(),
    }]
}

/// These steps with the people who approve in the place of others in the same steps among the `earlier` ones.
pub fn with_replacements(steps: Vec<ApprovalStep>, earlier: &[ApprovalStep]) -> Vec<ApprovalStep> {
    let same = |step: &ApprovalStep| {
        earlier.iter().find(|it| ApprovalStep { replacements: Vec::new(), ..(*it).clone() } == *step).cloned()
    };
    steps.into_iter().map(|step| same(&step).unwrap_or(step)).collect()
}

impl ApprovalStep {
    /// The member of the body that says who approves is there, and no other one; enough people are named.
    fn check_who(
        fields: &mut Fields<'_, '_>,
        who: Option<&ApprovingPeople>,
        role: Option<&Role>,
        group: Option<&GroupId>,
        users: Option<&Vec<UserId>>,
        needed: Option<&i64>,
    ) {
        use ApprovingPeople as P;
        let Some(who) = who else { return };
        let sent = [
            ("role", P::Role, role.is_some()),
            ("group", P::Group, group.is_some()),
            ("users", P::Users, users.is_some()),
        ];
        for (name, of, is_read) in sent {
            match (of == *who, is_read) {
                (true, false) if !fields.was_sent(name) => {
                    fields.fault(name, FaultCode::Required, "is required");
                }
                (false, true) => {
                    fields.fault(name, FaultCode::Conflict, format_args!("goes with `who` {name} only"));
                }
                _ => {}
            }
        }
        match users.map(Vec::len) {
            Some(0) => fields.fault("users", FaultCode::TooFew, "must name at least one member"),
            Some(count) if count > MAX_NAMED => {
                let detail = format!("must name at most {MAX_NAMED} members");
                fields.fault("users", FaultCode::TooMany, detail);
            }
            Some(count) if users.is_some_and(|all| all.iter().collect::<HashSet<_>>().len() < count) => {
                fields.fault("users", FaultCode::Duplicate, "must name each member once");
            }
            Some(count)
                if needed.is_some_and(|needed| usize::try_from(*needed).is_ok_and(|it| it > count)) =>
            {
                fields.fault("needed", FaultCode::Range, "must not be more than the members that are named");
            }
            _ => {}
        }
    }
}

/// Reads the steps of a document: none, or some of which one is always needed.
pub(super) fn read_steps(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<Vec<ApprovalStep>> {
    if value == Json::Array(Vec::new()) {
        return Some(Vec::new());
    }
    let steps = read_list::<ApprovalStep>(value, at, faults, "name", "step", MAX_STEPS)?;
    if steps.iter().all(|step| step.when != StepWhen::Always) {
        faults.add(at, FaultCode::Conflict, "must have a step that is always needed");
    }
    Some(steps)
}
