//! Rows to records: merged cells, one risk over several rows, what is skipped, what has no field.

use workbook::{Field, Kind, Skipped};

use crate::files::C::{E, N, T, X};
use crate::files::{C, Sheet};
use crate::imported::{each, import, risks};

#[test]
fn merged_cells_are_filled_down_and_a_risk_over_several_rows_is_joined() {
    let rows: &[&[C]] = &[
        &[T("ID"), T("Category"), T("Risk"), T("Likelihood"), T("Impact"), T("Controls"), T("Treatment")],
        &[T("1"), T("Cyber"), T("Ransomware"), N(4.0), N(5.0), T("Offline backups"), T("Reduce")],
        &[E, E, E, E, E, T("Two factors for all"), E],
        &[E, E, E, E, E, T("Restore tests"), E],
        &[T("2"), E, T("Phishing"), N(3.0), N(2.0), T("Training"), T("Accept")],
    ];
    let merged = &[(1, 0, 3, 0), (1, 1, 4, 1), (1, 2, 3, 2), (1, 3, 3, 3), (1, 6, 3, 6)];
    each(&[Sheet { name: "Risks", rows, merged }], |file| {
        let imported = import(file, Kind::Risks, &[]);
        imported.expect(&[
            &[
                ("title", "Ransomware"),
                ("category", "Cyber"),
                ("existing_controls", "Offline backups"),
                ("task", "Two factors for all | Restore tests"),
                ("treatment", "mitigate"),
                ("inherent.likelihood", "4"),
            ],
            &[("title", "Phishing"), ("category", "Cyber"), ("treatment", "accept"), ("task", "")],
        ]);
        assert_eq!(imported.records[0].rows, [2, 3, 4]);
    });
}

#[test]
fn empty_rows_and_rows_with_only_an_id_are_skipped_and_counted() {
    let rows: &[&[C]] = &[
        &[T("No."), T("Risk"), T("L"), T("I"), T("Score")],
        &[N(1.0), T("Flood"), N(4.0), N(5.0), N(20.0)],
        &[],
        &[E, E, E, E, E],
        &[N(2.0), E, E, E, N(0.0)],
        &[N(3.0), E, E, E, X("#VALUE!")],
        &[N(4.0), T("Fire"), N(1.0), N(5.0), N(5.0)],
    ];
    each(&[Sheet { name: "Risks", rows, merged: &[] }], |file| {
        let imported = import(file, Kind::Risks, &[]);
        imported.expect(&[&[("external_ref", "1")], &[("external_ref", "4"), ("title", "Fire")]]);
        let skipped = [(3, 4, Skipped::Empty), (5, 5, Skipped::OnlyId), (6, 6, Skipped::OnlyId)];
        assert_eq!(imported.skipped, skipped);
    });
}

#[test]
fn what_has_no_field_is_a_block_in_the_description() {
    let imported = risks(
        "Title;Description;Likelihood;Impact;Expected loss;Direction;\n\
         New market;We may grow.;2;3;-1.250.000,50 €;positive;a note beside\n",
    );
    let blocks = "We may grow.\n\n**Expected loss:** -1.250.000,50 €\n\n**Direction:** positive\n\n\
                  **Column G:** a note beside";
    imported.expect(&[&[("title", "New market"), ("description", blocks)]]);
}

#[test]
fn assets_threats_controls_plans_and_dates_have_their_fields() {
    let imported = risks(
        "Asset,Threat,Vulnerability,Existing controls,Annex A,Likelihood,Impact,Treatment plan,Due date,Tags,Comments\n\
         Mail server,Theft,No lock,Alarm,\"A.7.1, A7.2\",2,4,Buy a lock,31.12.2026,\"site; hq\",ask Bob\n",
    );
    imported.expect(&[&[
        ("title", "Mail server: Theft"),
        ("asset", "Mail server"),
        ("threat", "Theft"),
        ("vulnerability", "No lock"),
        ("existing_controls", "Alarm"),
        ("controls", "A.7.1 + A.7.2"),
        ("treatment_plan", "Buy a lock"),
        ("task", "Buy a lock by 2026-12-31"),
        ("tags", "site + hq"),
        ("note", "ask Bob"),
    ]]);
    assert_eq!(imported.questions(), [("stage:single", "both")]);
}

#[test]
fn an_error_of_a_formula_is_a_fault_of_its_row() {
    let rows: &[&[C]] = &[
        &[T("Title"), T("Owner"), T("Likelihood"), T("Impact"), T("Score")],
        &[T("Flood"), X("#REF!"), N(4.0), X("#N/A"), X("#VALUE!")],
        &[T("Fire"), T("CIO"), N(4.0), N(4.0), N(16.0)],
    ];
    each(&[Sheet { name: "Risks", rows, merged: &[] }], |file| {
        let imported = import(file, Kind::Risks, &[]);
        let record = &imported.records[0];
        assert!(record.is_wrong() && !imported.records[1].is_wrong());
        let faults: Vec<_> = record
            .faults
            .iter()
            .map(|fault| (fault.row, fault.column, &*fault.read, fault.is_remark))
            .collect();
        let expected =
            [(2, Some(1), "#REF!", false), (2, Some(3), "#N/A", false), (2, Some(4), "#VALUE!", true)];
        assert_eq!(faults, expected);
    });
}

#[test]
fn a_long_title_is_in_the_description_as_well() {
    let long = "The only data centre may be lost ".repeat(10);
    let imported = risks(&format!("Risk,Likelihood,Impact\n{long},4,5\n"));
    let record = &imported.records[0];
    let title = record.text(Field::Title).unwrap();
    assert!(title.chars().count() <= 200 && title.ends_with('…'));
    assert_eq!(record.text(Field::Description), Some(long.trim()));
}

#[test]
fn a_record_has_hundreds_of_rows_tasks_and_items_and_no_more() {
    let rows: String = (1..=600).map(|nth| format!(",,,control {nth},step {nth},\n")).collect();
    let tags = (0..501).map(|nth| format!("tag {nth}")).collect::<Vec<_>>().join(",");
    let text = format!(
        "Title,Likelihood,Impact,Existing controls,Task,Tags\nFire,4,5,,,\n{rows}Flood,1,1,,,\"{tags}\"\n"
    );
    let imported = risks(&text);
    imported.expect(&[
        &[("title", "Fire"), ("fault", "A record has at most 500 tasks. | A record has at most 500 rows.")],
        &[("title", "Flood"), ("fault", "A record has at most 500 items in a list.")],
    ]);
    let [fire, flood] = imported.records.as_slice() else { panic!("{:?}", imported.records.len()) };
    assert_eq!((fire.rows.len(), fire.rows.last(), fire.tasks.len()), (601, Some(&602), 500));
    assert_eq!(flood.list(Field::Tags).len(), 500);
}

#[test]
fn a_text_that_is_too_long_takes_no_more() {
    let rows: String = ["b", "c", "d"].map(|letter| format!(",,,{}\n", letter.repeat(50_000))).concat();
    let imported = risks(&format!("Title,Likelihood,Impact,Description\nFire,4,5,a\n{rows}"));
    let text = imported.records[0].text(Field::Description).unwrap();
    assert_eq!((text.len(), text.chars().last()), (1 + 2 * 50_002, Some('c')));
}
