use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::actor::ActorKind;
use crate::document::{ChangeSet, ProposedChanges, Replacement, default_steps};
use crate::role::{Role, Roles};
use crate::text::{Line, Reason};

/// The members: the first is an admin and the author, the others approve.
const MEMBERS: usize = 4;

fn id(number: usize) -> UserId {
    UserId::parse(&format!("00000000-0000-7000-8000-{number:012x}")).unwrap()
}

fn member(number: usize) -> Member {
    let name = format!("Member {number}");
    let person = Person { id: id(number), name, email: format!("{number}@example.org") };
    let role = if number == 0 { Role::Admin } else { Role::Approver };
    let created_date = Timestamp::UNIX_EPOCH;
    let activated_date = Some(created_date);
    Member { person, job_title: None, roles: Roles::from(role), created_date, activated_date, version: 1 }
}

fn users(numbers: &[usize], needed: i64, when: StepWhen) -> ApprovalStep {
    let users = Some(numbers.iter().map(|number| id(*number)).collect());
    let [step] = default_steps().try_into().unwrap();
    ApprovalStep { who: ApprovingPeople::Users, users, needed, when, ..step }
}

/// A proposal in the world of a test.
struct World {
    proposal: Proposal,
    approvals: Vec<GivenApproval>,
    facts: ApprovalFacts,
}

impl World {
    fn new(approval_steps: Vec<ApprovalStep>, is_material: bool) -> Self {
        let created = Timestamp::UNIX_EPOCH;
        let author = member(0).actor();
        let proposal = Proposal {
            number: 1,
            document: "policy".to_owned(),
            status: ProposalStatus::Submitted,
            confirms: false,
            created_date: created,
            updated_date: created,
            change_sets: vec![ChangeSet {
                number: 1,
                author,
                created,
                updated_date: None,
                edits_count: 1,
                changes_count: 1,
                fields: Vec::new(),
            }],
            missing: Vec::new(),
            conflicts: Vec::new(),
            changes: ProposedChanges::default(),
            removed: Vec::new(),
            next: None,
            sha256: Some("0".to_owned()),
            summary: None,
            is_material: Some(is_material),
            material_reason: None,
            effective_date: None,
            reason: None,
            approval_steps,
            steps: Vec::new(),
            four_eyes_waived: None,
            library: None,
            report: None,
            version: 1,
        };
        let facts = ApprovalFacts { members: (0..MEMBERS).map(member).collect(), ..ApprovalFacts::default() };
        let mut world = Self { proposal, approvals: Vec::new(), facts };
        world.refresh();
        world
    }

    fn refresh(&mut self) {
        self.proposal.steps = self.proposal.steps_with(&self.approvals, &self.facts);
    }

    fn states(&self) -> Vec<StepState> {
        self.proposal.steps.iter().map(|it| it.state).collect()
    }

    fn push(&mut self, by: usize, steps: Vec<i64>, on_behalf_of: Option<Person>, decided_by: Option<Line>) {
        let number = i64::try_from(self.approvals.len()).unwrap() + 1;
        let given = GivenApproval {
            proposal: 1,
            number,
            steps,
            by: member(by).actor(),
            job_title: None,
            on_behalf_of,
            at: Timestamp::UNIX_EPOCH,
            sha256: self.proposal.sha256.clone().unwrap(),
            note: None,
            decided_by,
            decided_date: None,
            minutes: None,
            is_void: false,
        };
        self.approvals.push(given);
        self.refresh();
    }

    fn approve(&mut self, by: usize) -> Result<()> {
        let (steps, on_behalf_of) = self.proposal.approve_as(&member(by).actor(), &self.facts)?;
        self.push(by, steps, on_behalf_of, None);
        Ok(())
    }

    fn record(&mut self, by: usize) -> Result<()> {
        let step = self.proposal.record_as(&member(by).actor(), &self.facts)?;
        self.push(by, vec![step], None, Some(Line::stored("The board")));
        Ok(())
    }

    fn is_approved(&self) -> bool {
        self.proposal.is_approved(&self.approvals, &self.facts)
    }

    fn change(&mut self) {
        let changed = self.proposal.sha256.clone().unwrap() + "1";
        self.proposal.sha256 = Some(changed);
        self.approvals.iter_mut().for_each(|it| it.is_void = true);
        self.refresh();
    }
}

#[test]
fn steps_are_done_one_after_the_other_and_a_person_counts_in_each_that_names_them() {
    use StepState::{Done, Pending, Skipped, Waiting};
    let steps = || {
        vec![
            users(&[1, 2], 2, StepWhen::Always),
            users(&[3], 1, StepWhen::Material),
            users(&[1, 3], 1, StepWhen::Always),
        ]
    };
    let mut world = World::new(steps(), true);
    assert_eq!(world.approve(3), Err(Error::Conflict(ErrorCode::NotInStep)), "it is not their turn");
    world.approve(1).unwrap();
    assert_eq!(world.approve(1), Err(Error::Conflict(ErrorCode::NotInStep)), "a person counts once");
    assert_eq!(world.states(), [Pending, Waiting, Done]);
    world.approve(2).unwrap();
    assert_eq!((world.states(), world.is_approved()), (vec![Done, Pending, Done], false));
    world.approve(3).unwrap();
    assert!(world.is_approved());
    let mut world = World::new(steps(), false);
    world.approve(1).unwrap();
    world.approve(2).unwrap();
    assert_eq!((world.states(), world.is_approved()), (vec![Done, Skipped, Done], true));
    world.change();
    assert_eq!(world.states(), [Pending, Skipped, Waiting], "no approval of another text counts");
}

#[test]
fn who_cannot_approve_any_more_does_not_count() {
    let mut world = World::new(vec![users(&[1, 2], 2, StepWhen::Always)], true);
    world.approve(1).unwrap();
    world.facts.members.remove(1);
    world.refresh();
    world.approve(2).unwrap();
    assert!(!world.is_approved());
    world.facts.members.insert(1, member(1));
    world.refresh();
    assert!(world.is_approved());
    world.approve(2).expect("so that it can be published");
}

#[test]
fn a_deputy_and_a_replacement_act_for_the_one_who_is_named() {
    let mut world = World::new(vec![users(&[1, 2], 2, StepWhen::Always)], true);
    assert_eq!(world.approve(3), Err(Error::Conflict(ErrorCode::NotInStep)));
    world.facts.deputies = HashMap::from([(id(1), id(3))]);
    world.approve(3).unwrap();
    assert_eq!(world.approvals[0].on_behalf_of, Some(member(1).person));
    assert_eq!(world.approve(1), Err(Error::Conflict(ErrorCode::NotInStep)), "their deputy has approved");
    let reason = Reason::from("On leave");
    let replacement = Replacement { person: id(2), replacement: id(0), reason };
    world.proposal.approval_steps[0].replacements.push(replacement);
    world.refresh();
    assert_eq!(world.approve(2), Err(Error::Conflict(ErrorCode::NotInStep)));
    assert!(matches!(world.approve(0), Err(Error::FourEyes(_))), "an author stays one");
    world.proposal.four_eyes_waived = Some(Reason::from("Nobody else is there"));
    world.approve(0).unwrap();
    assert!(world.is_approved());
}

/// What happens to a proposal, by the numbers of members and steps.
#[derive(Debug, Clone)]
enum Event {
    Approve(usize),
    Record(usize),
    Change,
    Leave(usize),
    Come(usize),
    Waive,
    Replace(usize, usize, usize),
    Deputy(usize, usize),
}

fn events() -> impl Strategy<Value = Event> {
    let who = || 0..MEMBERS;
    prop_oneof![
        6 => who().prop_map(Event::Approve),
        1 => who().prop_map(Event::Record),
        1 => Just(Event::Change),
        1 => (1..MEMBERS).prop_map(Event::Leave),
        1 => who().prop_map(Event::Come),
        1 => Just(Event::Waive),
        1 => (0..3_usize, who(), who()).prop_map(|(step, one, other)| Event::Replace(step, one, other)),
        1 => (who(), who()).prop_map(|(one, other)| Event::Deputy(one, other)),
    ]
}

fn steps() -> impl Strategy<Value = Vec<ApprovalStep>> {
    let one = (prop::collection::btree_set(0..MEMBERS, 1..=MEMBERS), 1..3_usize, any::<bool>());
    prop::collection::vec(one, 1..4).prop_map(|all| {
        let step = |(named, needed, is_always): (std::collections::BTreeSet<usize>, usize, bool)| {
            let named: Vec<_> = named.into_iter().collect();
            let needed = i64::try_from(needed.min(named.len())).unwrap();
            users(&named, needed, if is_always { StepWhen::Always } else { StepWhen::Material })
        };
        let mut steps: Vec<_> = all.into_iter().map(step).collect();
        steps[0].when = StepWhen::Always;
        steps
    })
}

impl World {
    fn happen(&mut self, event: &Event) {
        match *event {
            Event::Approve(by) => drop(self.approve(by)),
            Event::Record(by) => drop(self.record(by)),
            Event::Change => self.change(),
            Event::Leave(who) => self.facts.members.retain(|it| it.person.id != id(who)),
            Event::Come(who) if self.facts.members.iter().all(|it| it.person.id != id(who)) => {
                self.facts.members.push(member(who));
            }
            Event::Come(_) => {}
            Event::Waive => self.proposal.four_eyes_waived = Some(Reason::from("Why")),
            Event::Replace(step, one, other) => {
                let it = Replacement { person: id(one), replacement: id(other), reason: Reason::from("Why") };
                let step = self.proposal.approval_steps.get_mut(step);
                step.into_iter().for_each(|step| step.replacements.push(it.clone()));
            }
            Event::Deputy(one, other) => drop(self.facts.deputies.insert(id(one), id(other))),
        }
        self.refresh();
    }

    /// Whether each step that is needed has, of the present text, a recorded decision or the approvals of as many people
    /// as it needs, who may approve today.
    fn is_approved_by_its_steps(&self) -> bool {
        let is_needed =
            |step: &ApprovalStep| step.when == StepWhen::Always || self.proposal.is_material == Some(true);
        let is_member = |who: &str| self.facts.members.iter().any(|it| it.person.id.to_string() == who);
        let is_author = |who: &str| who == id(0).to_string() && self.proposal.four_eyes_waived.is_none();
        self.proposal.approval_steps.iter().zip(1..).filter(|(step, _)| is_needed(step)).all(
            |(step, number)| {
                let (mut people, mut count) = (HashSet::new(), 0);
                let is_named = |who: &str| {
                    let mut named = step.users.iter().flatten().any(|user| user.to_string() == who);
                    for it in &step.replacements {
                        named = named && it.person.to_string() != who || it.replacement.to_string() == who;
                    }
                    named
                };
                for it in &self.approvals {
                    let of_this =
                        it.steps.contains(&number) && Some(&it.sha256) == self.proposal.sha256.as_ref();
                    let absent =
                        it.on_behalf_of.as_ref().map_or(it.by.id.clone(), |person| person.id.to_string());
                    let all = [&it.by.id, &absent];
                    if of_this && it.decided_by.is_some() {
                        return true;
                    } else if of_this
                        && is_named(&absent)
                        && all.iter().all(|who| is_member(who) && !is_author(who) && !people.contains(*who))
                    {
                        people.extend([it.by.id.clone(), absent]);
                        count += 1;
                    }
                }
                count >= step.needed
            },
        )
    }
}

proptest! {
    /// Nothing is published that the steps did not approve, whoever comes, goes, changes the text or acts for others; and
    /// every proposal can still be published.
    #[test]
    fn only_what_its_steps_approved_is_published_and_there_is_always_a_way_out(
        steps in steps(),
        is_material in any::<bool>(),
        happening in prop::collection::vec(events(), 0..24),
    ) {
        let mut world = World::new(steps, is_material);
        for event in &happening {
            world.happen(event);
            prop_assert_eq!(world.is_approved(), world.is_approved_by_its_steps(), "{:?}", event);
            for it in world.proposal.approvers(&world.facts) {
                let actor = Actor { kind: ActorKind::User, id: it.id.to_string(), name: it.name };
                prop_assert!(world.proposal.approve_as(&actor, &world.facts).is_ok(), "who is named can");
            }
        }
        // The admin is there, waives four eyes and records what is left.
        world.happen(&Event::Waive);
        for _ in 0..world.proposal.approval_steps.len() {
            if !world.is_approved() {
                world.record(0).unwrap();
            }
        }
        prop_assert!(world.is_approved());
    }
}
