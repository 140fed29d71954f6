//! The text of a document with what a newer text of the library changes in it.

use serde_json::{Map, Value, json};

use super::super::new_item::read_items;
use super::super::template::Reason;
use super::super::{Item, ItemKind, template_faults};
use super::kept::KeptText;
use super::paragraphs::{merge as merge_paragraphs, paragraphs};
use crate::fault::Faults;
use crate::json::{Json, Pointer};
use crate::text::Prose;

/// What the library and a document that was made from it have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyText {
    /// The text with places for the items.
    pub template: Option<Prose>,
    /// The items, in the order of the text.
    pub items: Vec<Item>,
}

impl PolicyText {
    /// This text, made of `base`, with what `offered` changes in that. Where both changed the same its own text stays. The result is
    /// as sound as this text: where it could not be, it is this text, and all that is offered is told as kept.
    pub fn merged(&self, base: &Self, offered: &Self) -> (Self, Vec<KeptText>) {
        if base == offered {
            return (self.clone(), Vec::new());
        }
        if self == base {
            return (offered.clone(), Vec::new());
        }
        let mut kept = Vec::new();
        self.merged_unless_unsound(base, offered, &mut kept).map_or_else(
            || {
                let [own, offered] = [self, offered].map(|it| it.template.as_deref().map(str::to_owned));
                (self.clone(), vec![KeptText { item: None, member: None, own, offered }])
            },
            |merged| (merged, kept),
        )
    }

    fn merged_unless_unsound(&self, base: &Self, offered: &Self, kept: &mut Vec<KeptText>) -> Option<Self> {
        let values = |it: &Self| it.items.iter().map(Item::to_json).collect::<Vec<_>>();
        let mut of_items = Vec::new();
        let items = Merge(&mut of_items).list("", &values(base), &values(self), &values(offered));
        let items = items.into_iter().map(|item| sound(item, self, &mut of_items)).collect();
        let mut items = read(&Value::Array(items))?;
        let names_removed = |text: &str| {
            template_faults(text, &items).iter().any(|fault| is_removed(&fault.reason, base, self))
        };
        let template = template([base, self, offered], names_removed, kept)?;
        kept.append(&mut of_items);
        let Some(text) = template.as_deref() else {
            return (!items.is_empty()).then_some(Self { template: None, items });
        };
        loop {
            let faults = template_faults(text, &items);
            if faults.is_empty() {
                return Some(Self { template, items });
            }
            let mut is_better = false;
            for fault in faults {
                is_better |= put_back(&fault.reason, &mut items, [self, offered, base]);
            }
            if !is_better {
                return None;
            }
        }
    }
}

/// The merged template; the outer option is none if there can be no such text. What the library changes stays as the document has
/// it where that `names_removed` items or options.
fn template(
    [base, own, offered]: [&PolicyText; 3],
    names_removed: impl Fn(&str) -> bool,
    kept: &mut Vec<KeptText>,
) -> Option<Option<Prose>> {
    if base.template == offered.template || own.template == offered.template {
        return Some(own.template.clone());
    }
    if base.template == own.template && !offered.template.as_deref().is_some_and(&names_removed) {
        return Some(offered.template.clone());
    }
    let [base, own, offered] =
        [base, own, offered].map(|it| paragraphs(it.template.as_deref().unwrap_or_default()));
    let text = |paragraphs: &[&str]| (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"));
    let refuses = |offered: &[&str]| names_removed(&offered.join("\n\n"));
    let merged = merge_paragraphs([&base, &own, &offered], refuses, |own, offered| {
        kept.push(KeptText { item: None, member: None, own: text(own), offered: text(offered) });
    });
    match text(&merged) {
        None => Some(None),
        Some(text) => Prose::new(format!("{text}\n"), "", &mut Faults::new()).map(Some),
    }
}

/// The members that say what goes into an item.
const OF_KIND: [&str; 6] = ["kind", "options", "default", "max_length", "multiline", "markdown"];

/// An item as it was merged. If it is none any more, such as one whose default is not among its options, what goes into it stays as the
/// document has it.
fn sound(mut item: Value, own: &PolicyText, kept: &mut Vec<KeptText>) -> Value {
    let Some(own) = own.items.iter().find(|it| it.id == id_of(&item)) else { return item };
    if read(&json!([item])).is_some() {
        return item;
    }
    let (id, mut own) = (&own.id, own.to_json());
    let name = if own.get("options").is_some() { "options" } else { "default" };
    Merge(kept).note(&format!("{id}/{name}"), own.get(name), item.get(name));
    if let (Some(item), Some(own)) = (item.as_object_mut(), own.as_object_mut()) {
        for name in OF_KIND {
            item.remove(name);
            item.extend(own.remove_entry(name));
        }
    }
    item
}

fn read(items: &Value) -> Option<Vec<Item>> {
    let mut faults = Faults::new();
    read_items(Json::from(items), Pointer::ROOT, &mut faults).filter(|_| faults.is_empty())
}

/// Whether what is missing is an item or an option of the base that the document removed.
fn is_removed(reason: &Reason, base: &PolicyText, own: &PolicyText) -> bool {
    let [base, own] = [[base], [own]].map(|text| match reason {
        Reason::UnknownItem(id) => named(&text, id).next().is_some(),
        Reason::UnknownOption { item, option } => {
            named(&text, item).any(|it| it.kind.option(option).is_some())
        }
        _ => false,
    });
    base && !own
}

/// Puts an item or an option back that the text still names, unless the document removed it; whether there is such a one.
fn put_back(reason: &Reason, items: &mut Vec<Item>, texts: [&PolicyText; 3]) -> bool {
    let [own, _, base] = texts;
    match reason {
        _ if is_removed(reason, base, own) => false,
        Reason::UnknownItem(id) if items.iter().all(|it| it.id != *id) => {
            let found = named(&texts, id).next().cloned();
            let is_found = found.is_some();
            items.extend(found);
            is_found
        }
        Reason::UnknownOption { item, option } => {
            let found = named(&texts, item).find_map(|it| it.kind.option(option)).cloned();
            let of = items.iter_mut().find(|it| it.id == *item).map(|it| &mut it.kind);
            match (found, of) {
                (Some(found), Some(ItemKind::Select { options, .. }))
                    if options.iter().all(|it| it.id != found.id) =>
                {
                    options.push(found);
                    true
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// The item with this id in each text that has it.
fn named<'t>(texts: &'t [&PolicyText], id: &'t str) -> impl Iterator<Item = &'t Item> {
    texts.iter().filter_map(move |text| text.items.iter().find(|it| it.id == id))
}

fn id_of(value: &Value) -> &str {
    value.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// Merges items as JSON, and notes what stays although the library changed it too.
struct Merge<'k>(&'k mut Vec<KeptText>);

impl Merge<'_> {
    /// Items or options, by their ids. Their order is the own one, or the offered one if nobody changed which there are.
    fn list(&mut self, path: &str, base: &[Value], own: &[Value], offered: &[Value]) -> Vec<Value> {
        let is_as_base = own.iter().map(id_of).eq(base.iter().map(id_of));
        let (first, second) = if is_as_base { (offered, own) } else { (own, offered) };
        let mut merged: Vec<Value> = Vec::new();
        for it in first {
            merged.extend(self.element(path, id_of(it), [base, own, offered]));
        }
        for (place, it) in second.iter().enumerate() {
            if first.iter().any(|other| id_of(other) == id_of(it)) {
                continue;
            }
            if let Some(element) = self.element(path, id_of(it), [base, own, offered]) {
                let before = second.iter().take(place).rev().map(id_of);
                let at = before.filter_map(|id| merged.iter().position(|it| id_of(it) == id)).next();
                merged.insert(at.map_or(0, |at| at + 1), element);
            }
        }
        merged
    }

    /// The element with this id, if it stays or is new.
    fn element(&mut self, path: &str, id: &str, lists: [&[Value]; 3]) -> Option<Value> {
        let path = if path.is_empty() { id.to_owned() } else { format!("{path}/{id}") };
        match lists.map(|list| list.iter().find(|it| id_of(it) == id)) {
            [base, Some(own), Some(offered)] => Some(self.members(&path, base, own, offered)),
            [Some(base), Some(own), None] => {
                if base == own {
                    return None;
                }
                self.note(&path, own.get("label"), None);
                Some(own.clone())
            }
            [Some(base), None, Some(offered)] => {
                if base != offered {
                    self.note(&path, None, offered.get("label"));
                }
                None
            }
            [_, own, offered] => own.or(offered).cloned(),
        }
    }

    /// An item or an option, member by member.
    fn members(&mut self, path: &str, base: Option<&Value>, own: &Value, offered: &Value) -> Value {
        if base == Some(own) || own == offered {
            return offered.clone();
        }
        let (Some(own), Some(offered)) = (own.as_object(), offered.as_object()) else { return own.clone() };
        let mut merged = own.clone();
        for (name, offered) in offered {
            let path = format!("{path}/{name}");
            let before = base.and_then(|base| base.get(name));
            let value = match (own.get(name), before) {
                (Some(Value::Array(own)), before) if name == "options" => {
                    let before = before.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                    let offered = offered.as_array().map(Vec::as_slice).unwrap_or_default();
                    Value::Array(self.list(&path, before, own, offered))
                }
                (Some(own), _) if own == offered => continue,
                (own, before) if own == before => offered.clone(),
                (_, before) if before == Some(offered) => continue,
                (own, _) => {
                    self.note(&path, own, Some(offered));
                    continue;
                }
            };
            merged.insert(name.clone(), value);
        }
        Value::Object(Map::from_iter(merged))
    }

    fn note(&mut self, path: &str, own: Option<&Value>, offered: Option<&Value>) {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let (item, member) = path.split_once('/').unzip();
        self.0.push(KeptText {
            item: Some(item.unwrap_or(path).to_owned()),
            member: member.map(str::to_owned),
            own: own.filter(|it| !it.is_null()).map(text),
            offered: offered.filter(|it| !it.is_null()).map(text),
        });
    }
}
