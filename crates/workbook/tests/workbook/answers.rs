//! What is asked besides ratings: treatments, statuses, dates, owners.

use workbook::Kind;

use crate::files::C::{D, N, T};
use crate::files::{C, Sheet};
use crate::imported::{each, import, risks};

#[test]
fn treatments_and_statuses_are_known_in_six_languages() {
    for (words, treatment, status) in [
        ("Reduce,Open", "mitigate", "open"),
        ("vermindern,Geschlossen", "mitigate", "closed"),
        ("Accepter,En cours", "accept", "open"),
        ("Compartir,Cerrado", "transfer", "closed"),
        ("Vermijden,Gesloten", "avoid", "closed"),
        ("Trasferire,Aperto", "transfer", "open"),
    ] {
        let imported = risks(&format!("Title,Likelihood,Impact,Treatment,Status\nFlood,1,2,{words}\n"));
        imported.expect(&[&[("treatment", treatment), ("status", status)]]);
    }
    let text = "Title,Likelihood,Impact,Treatment,Status\nFlood,1,2,Wait and see,Parked\n";
    let asked = risks(text).questions().iter().map(|(id, _)| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(asked, ["stage:single", "treatment:wait and see", "status:parked"]);
    let given = [("treatment:wait and see", "accept"), ("status:parked", "closed")];
    let answered = import(text.as_bytes(), Kind::Risks, &given);
    answered.expect(&[&[("treatment", "accept"), ("status", "closed")]]);
}

#[test]
fn an_ambiguous_order_of_dates_is_asked_about_once() {
    let text =
        "Title,Likelihood,Impact,Action,Due date\nFlood,1,2,Dam,04/05/2026\nFire,1,2,Door,03/02/2026\n";
    let imported = risks(text);
    assert_eq!(imported.questions(), [("stage:single", "inherent"), ("dates", "day_first")]);
    imported.expect(&[&[("task", "Dam by 2026-05-04")], &[("task", "Door by 2026-02-03")]]);
    let american = import(text.as_bytes(), Kind::Risks, &[("dates", "month_first")]);
    american.expect(&[&[("task", "Dam by 2026-04-05")], &[("task", "Door by 2026-03-02")]]);
    let shown = risks(&text.replace("03/02/2026", "03/31/2026"));
    assert_eq!(shown.questions(), [("stage:single", "inherent")]);
    shown.expect(&[&[("task", "Dam by 2026-04-05")], &[("task", "Door by 2026-03-31")]]);
}

#[test]
fn dates_of_both_epochs_are_read() {
    let rows: &[&[C]] = &[
        &[T("Title"), T("Likelihood"), T("Impact"), T("Last review")],
        &[T("Flood"), N(1.0), N(2.0), D(46_085.0, "2026-03-04")],
    ];
    each(&[Sheet { name: "Risks", rows, merged: &[] }], |file| {
        import(file, Kind::Risks, &[]).expect(&[&[("evaluated_at", "2026-03-04")]]);
    });
}

#[test]
fn each_owner_is_asked_about_once() {
    let imported =
        risks("Title,Owner,Likelihood,Impact\nA,Head of IT,1,1\nB,ada@x.org,1,1\nC,Head of IT,1,1\n");
    let asked = [("stage:single", "inherent"), ("owner:Head of IT", "nobody"), ("owner:ada@x.org", "member")];
    assert_eq!(imported.questions(), asked);
    imported.expect(&[&[("owner_name", "Head of IT")], &[("owner_name", "ada@x.org")], &[]]);
}
