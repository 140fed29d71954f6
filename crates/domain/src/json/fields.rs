//! The members of an object, read one by one; those that were not read are reported as unknown.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;

use super::from_json::wrong_type;
use super::{Json, Pointer};
use crate::schema::Tagged;
use crate::word::word_of;
use crate::{Fault, FaultCode, Faults, nearest};

/// An object that is read into a typed input. Each member that is read counts as known; `finish` adds a fault for each
/// of the others.
#[derive(Debug)]
pub struct Fields<'f, 'a> {
    members: Vec<(Cow<'a, str>, Json<'a>)>,
    at: &'f Pointer<'f>,
    faults: &'f mut Faults,
    known: Vec<&'static str>,
    /// Those of them that were sent and are not null.
    sent: Vec<&'static str>,
}

impl<'f, 'a> Fields<'f, 'a> {
    /// The members of `value`, which is at `at`; adds a fault if it is not an object.
    pub fn of(value: Json<'a>, at: &'f Pointer<'f>, faults: &'f mut Faults) -> Option<Self> {
        match value {
            Json::Object(members) => {
                Some(Self { members, at, faults, known: Vec::with_capacity(8), sent: Vec::with_capacity(8) })
            }
            other => {
                wrong_type(&other, "an object", at, faults);
                None
            }
        }
    }

    /// The faults so far, to add to.
    pub fn faults(&mut self) -> &mut Faults {
        self.faults
    }

    /// Adds a fault of one member.
    pub fn fault(&mut self, name: &'static str, code: FaultCode, detail: impl Display) {
        self.faults.add(self.at.key(name), code, detail);
    }

    /// A member that must be present and not null.
    pub fn required_with<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json<'a>, &Pointer<'_>, &mut Faults) -> Option<T>,
    ) -> Option<T> {
        match self.take(name) {
            None | Some(Json::Null) => {
                self.fault(name, FaultCode::Required, "is required");
                None
            }
            Some(value) => read(value, &self.at.key(name), self.faults),
        }
    }

    /// A member that may be absent or null, which mean the same.
    pub fn optional_with<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json<'a>, &Pointer<'_>, &mut Faults) -> Option<T>,
    ) -> Option<T> {
        match self.take(name) {
            None | Some(Json::Null) => None,
            Some(value) => read(value, &self.at.key(name), self.faults),
        }
    }

    /// A member of a merge patch (RFC 7396) that null clears: absent is `None`, null is `Some(None)`.
    pub fn patch_with<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json<'a>, &Pointer<'_>, &mut Faults) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.take(name)? {
            Json::Null => Some(None),
            value => read(value, &self.at.key(name), self.faults).map(Some),
        }
    }

    /// A member of a merge patch that cannot be cleared.
    pub fn patch_set_with<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json<'a>, &Pointer<'_>, &mut Faults) -> Option<T>,
    ) -> Option<T> {
        match self.take(name)? {
            Json::Null => {
                self.fault(name, FaultCode::Required, "cannot be cleared");
                None
            }
            value => read(value, &self.at.key(name), self.faults),
        }
    }

    /// A member that must be present and can be null: null is `Some(None)`.
    pub fn required_or_null_with<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json<'a>, &Pointer<'_>, &mut Faults) -> Option<T>,
    ) -> Option<Option<T>> {
        if !self.members.iter().any(|(key, _)| key == name) {
            self.fault(name, FaultCode::Required, "is required, and can be null");
        }
        self.patch_with(name, read)
    }

    /// One of several objects: reads the tag, and by `read` the members that go with it. Those of the others are faults; without
    /// a tag, what is a fault whatever the tag is.
    pub fn tagged<T>(
        &mut self,
        of: &Tagged,
        read: impl Fn(&'static str, &mut Self) -> Option<T>,
    ) -> Option<T> {
        let words: Vec<_> = of.variants.iter().map(|(word, _)| *word).collect();
        let tag = match of.default {
            Some(_) if !self.has(of.tag) => {
                self.read_and_forget(&[of.tag]);
                of.default
            }
            _ => self.required_with(of.tag, |value, at, faults| word_of(&words, value, at, faults)),
        };
        let Some(tag) = tag else {
            self.add_common_faults(&words, read);
            self.read_and_forget(&of.members());
            return None;
        };
        let read = read(tag, self);
        self.misplaced(&of.members(), &format!("does not go with the {} {tag}", of.tag));
        read
    }

    /// Adds the faults that `read` finds with each of these tags.
    fn add_common_faults<T>(
        &mut self,
        tags: &[&'static str],
        read: impl Fn(&'static str, &mut Self) -> Option<T>,
    ) {
        let (before, members) = (std::mem::take(self.faults), self.members.clone());
        let mut common: Option<Vec<Fault>> = None;
        for &tag in tags {
            read(tag, self);
            self.members.clone_from(&members);
            let found = std::mem::take(self.faults);
            match &mut common {
                None => common = Some(found.into_vec()),
                Some(common) => common.retain(|fault| found.contains(fault)),
            }
        }
        *self.faults = before;
        common.into_iter().flatten().for_each(|fault| self.faults.push(fault));
    }

    /// Runs a validation of a member that was read before.
    pub fn check_with(&mut self, name: &'static str, check: impl FnOnce(&str, &mut Faults)) {
        let mut found = Faults::new();
        check("", &mut found);
        self.faults.extend_at(self.at.key(name), found);
    }

    /// Marks members as known without reading them, when it cannot be determined whether they belong here.
    fn read_and_forget(&mut self, names: &[&'static str]) {
        for name in names {
            self.take(name);
        }
    }

    /// Whether a member was sent that is not null.
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(key, value)| key == name && *value != Json::Null)
    }

    /// Whether a member that was read was sent and is not null, even if it is wrong.
    pub fn was_sent(&self, name: &str) -> bool {
        self.sent.contains(&name)
    }

    /// Members that only the service sets: sending one is a fault.
    pub fn read_only(&mut self, names: &[&'static str]) {
        self.refuse(|name| names.contains(&name).then_some("is set by the service only".into()));
    }

    /// Members that other operations set, each with the operation: sending one is a fault that names it.
    pub fn set_elsewhere(&mut self, operations: &[(&[&'static str], &'static str)]) {
        self.refuse(|name| {
            let (_, operation) = operations.iter().find(|(names, _)| names.contains(&name))?;
            Some(format!("is set by `{operation}`").into())
        });
    }

    /// Takes out the members that `why` has a sentence about, each with a fault.
    fn refuse(&mut self, why: impl Fn(&str) -> Option<Cow<'static, str>>) {
        let Self { members, at, faults, .. } = self;
        members.retain(|(key, _)| {
            let detail = why(key);
            if let Some(detail) = &detail {
                faults.add(at.key(key), FaultCode::ReadOnly, detail);
            }
            detail.is_none()
        });
    }

    /// Members that do not go with those that were read: sending one is a fault.
    pub fn misplaced(&mut self, names: &[&'static str], detail: &str) {
        for name in names {
            if !self.known.contains(name) && self.take(name).is_some() {
                self.fault(name, FaultCode::UnknownField, detail);
            }
        }
    }

    /// Adds a fault for every member that was not read, with the known name that is nearest to it.
    pub fn finish(self) {
        // Looking for the nearest name costs time; with this many unknown members, the rest get no hint.
        const HINTS: usize = 20;
        let mut told = HashSet::new();
        for (key, _) in &self.members {
            if self.faults.has_more() {
                return;
            }
            // A second member with a known key is a duplicate, which was reported before.
            if self.known.contains(&key.as_ref()) || !told.insert(key.as_ref()) {
                continue;
            }
            let hint = (told.len() <= HINTS).then(|| nearest(key, self.known.iter().copied())).flatten();
            let (at, code) = (self.at.key(key), FaultCode::UnknownField);
            match hint {
                Some(name) => self.faults.add(at, code, format_args!("is not known; did you mean `{name}`?")),
                None => self.faults.add(at, code, "is not known"),
            }
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Json<'a>> {
        self.known.push(name);
        let index = self.members.iter().position(|(key, _)| key == name)?;
        let value = self.members.swap_remove(index).1;
        if value != Json::Null {
            self.sent.push(name);
        }
        Some(value)
    }
}
