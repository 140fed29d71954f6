//! Where the table is.

use workbook::{Choices, Field, Kind, Skipped, propose};

use crate::files::C::{E, N, T};
use crate::files::{Sheet, xlsx_from};
use crate::imported::{book, each, import, levels, risks};

const TITLES: &[&[crate::files::C]] = &[
    &[T("ACME Ltd. — Risk Register 2026")],
    &[T("Version"), T("1.3")],
    &[],
    &[T("Risk ID"), T("Risk"), T("Inherent risk"), E, E, T("Residual risk"), E, E, T("Risk Owner")],
    &[E, E, T("L"), T("I"), T("Score"), T("L"), T("I"), T("Score"), E],
    &[T("R-1"), T("Flood"), N(4.0), N(5.0), N(20.0), N(2.0), N(3.0), N(6.0), T("Head of IT")],
    &[T("Risk ID"), T("Risk"), T("Inherent risk"), E, E, T("Residual risk"), E, E, T("Risk Owner")],
    &[E, E, T("L"), T("I"), T("Score"), T("L"), T("I"), T("Score"), E],
    &[T("R-2"), T("Fire"), N(3.0), N(3.0), N(9.0), N(1.0), N(3.0), N(3.0), T("Head of IT")],
];

const MERGED: &[crate::files::Merged] =
    &[(0, 0, 0, 8), (3, 0, 4, 0), (3, 1, 4, 1), (3, 2, 3, 4), (3, 5, 3, 7), (3, 8, 4, 8)];

#[test]
fn the_header_has_two_rows_below_titles_and_stands_there_twice() {
    let notes: &[&[crate::files::C]] = &[&[T("How to use this workbook")], &[T("Fill in each row.")]];
    let sheets = [
        Sheet { name: "Read me", rows: notes, merged: &[] },
        Sheet { name: "Register", rows: TITLES, merged: MERGED },
    ];
    each(&sheets, |file| {
        let imported = import(file, Kind::Risks, &[]);
        assert_eq!((imported.proposal.sheet, &*imported.proposal.sheet_name), (1, "Register"));
        assert_eq!(imported.proposal.header_rows, [4, 5]);
        assert_eq!(imported.proposal.columns[2].name, "Inherent risk: L");
        imported.expect(&[
            &[
                ("external_ref", "R-1"),
                ("title", "Flood"),
                ("inherent.likelihood", "4"),
                ("inherent.impact", "5"),
                ("current.likelihood", "2"),
                ("current.impact", "3"),
                ("owner_name", "Head of IT"),
            ],
            &[
                ("external_ref", "R-2"),
                ("title", "Fire"),
                ("inherent.likelihood", "3"),
                ("current.impact", "3"),
            ],
        ]);
        assert_eq!(imported.skipped, [(7, 7, Skipped::Header), (8, 8, Skipped::Header)]);
        assert_eq!(imported.questions(), [("stage:residual", "current"), ("owner:Head of IT", "nobody")]);
    });
}

#[test]
fn groups_above_few_of_many_columns_are_told_apart_by_the_row_below() {
    let rows: &[&[crate::files::C]] = &[
        &[
            T("Ref"),
            T("Risk"),
            T("Asset"),
            T("Threat"),
            T("Inherent risk"),
            E,
            T("Residual risk"),
            E,
            T("Owner"),
        ],
        &[E, E, E, E, T("Likelihood"), T("Impact"), T("Likelihood"), T("Impact"), E],
        &[T("R-1"), T("Flood"), T("Cellar"), T("Rain"), T("H"), T("M"), T("L"), T("M"), T("CFO")],
    ];
    let down = |column| (0, column, 1, column);
    let merged = [down(0), down(1), down(2), down(3), (0, 4, 0, 5), (0, 6, 0, 7), down(8)];
    each(&[Sheet { name: "Risks", rows, merged: &merged }], |file| {
        let imported = import(file, Kind::Risks, &[]);
        assert_eq!(imported.proposal.header_rows, [1, 2]);
        imported.expect(&[&[
            ("asset", "Cellar"),
            ("inherent.likelihood", "4"),
            ("inherent.impact", "3"),
            ("current.likelihood", "2"),
        ]]);
    });
}

#[test]
fn merged_headers_of_csv_have_empty_cells() {
    let imported = risks(
        "ID,Title,Before treatment,,After treatment,\n,,Likelihood,Impact,Likelihood,Impact\n7,Theft,5,4,2,2\n",
    );
    assert_eq!(imported.proposal.header_rows, [1, 2]);
    imported.expect(&[&[
        ("external_ref", "7"),
        ("inherent.likelihood", "5"),
        ("inherent.impact", "4"),
        ("current.likelihood", "2"),
    ]]);
}

#[test]
fn equal_names_are_told_apart_by_position_and_by_what_stands_below() {
    let imported = risks("Risk,Risk,Likelihood,Impact,Likelihood,Impact\nFlood in the cellar,20,4,5,2,2\n");
    let expected = ["title", "inherent.score", "inherent.likelihood", "inherent.impact"];
    assert_eq!(imported.fields()[2..4], expected[2..4]);
    assert_eq!(imported.fields()[0], "title");
    assert!(imported.fields()[1].ends_with("score"));
    assert_eq!(imported.fields()[4..], ["residual.likelihood", "residual.impact"]);
}

#[test]
fn ratings_without_a_stage_get_it_from_their_neighbours() {
    let fields = |header: &str| risks(&format!("{header}\n1,2,3,4,5,1\n")).fields();
    let beside = fields("Likelihood,Impact,Score,Residual likelihood,Residual impact,Residual score");
    let expected = ["inherent.likelihood", "inherent.impact", "inherent.score"];
    assert_eq!(beside[..3], expected);
    assert_eq!(beside[3..], ["residual.likelihood", "residual.impact", "residual.score"]);
    let several = fields("Likelihood,Impact,Impact on people,C,I,A");
    assert_eq!(several, ["likelihood", "impact", "block", "block", "block", "block"]);
}

#[test]
fn headers_are_known_in_six_languages() {
    for header in [
        "Ref,Title,Owner,Likelihood,Impact,Treatment",
        "Nr,Risikobezeichnung,Risikoeigentümer,Eintrittswahrscheinlichkeit,Schadensausmaß,Risikobehandlung",
        "N°,Intitulé du risque,Propriétaire,Vraisemblance,Gravité,Traitement du risque",
        "Código,Riesgo,Propietario del riesgo,Probabilidad,Impacto,Tratamiento",
        "Volgnummer,Risico,Eigenaar,Kans,Gevolg,Behandeloptie",
        "Codice,Rischio,Responsabile,Probabilità,Impatto,Trattamento",
    ] {
        let imported = risks(&format!("Register\n{header}\n1,Flood,Ada,4,5,accept\n"));
        assert_eq!(imported.proposal.header_rows, [2], "{header}");
        let expected = ["external_ref", "title", "owner_name", "likelihood", "impact", "treatment"];
        assert_eq!(imported.fields(), expected, "{header}");
    }
}

#[test]
fn sheet_header_and_columns_can_be_chosen_and_are_remembered_by_the_header() {
    let rows: &[&[crate::files::C]] = &[
        &[T("Title"), T("Likelihood"), T("Impact")],
        &[T("x"), T("y"), T("z")],
        &[T("Flood"), N(4.0), N(5.0)],
    ];
    let sheets = [Sheet { name: "A", rows, merged: &[] }, Sheet { name: "B", rows, merged: &[] }];
    let book = book(&xlsx_from(&sheets, false));
    let proposed = |choices: &Choices| propose(&book, Kind::Risks, &levels(), choices);
    let first = proposed(&Choices::default());
    assert_eq!((first.sheet, &*first.header_rows), (0, &[1][..]));
    let columns = [(1, Field::Block)].into_iter().collect();
    let chosen = proposed(&Choices { sheet: Some(1), header_rows: vec![2], columns });
    assert_eq!((chosen.sheet, &*chosen.header_rows), (1, &[2][..]));
    assert_eq!((&*chosen.columns[1].name, chosen.columns[1].field), ("y", Field::Block));
    assert_ne!(first.fingerprint, chosen.fingerprint);
    assert_eq!(first.fingerprint, proposed(&Choices { sheet: Some(1), ..Choices::default() }).fingerprint);
    assert_eq!(
        proposed(&Choices { sheet: Some(9), header_rows: vec![77], ..Choices::default() }).header_rows,
        [1]
    );
}

#[test]
fn a_group_that_is_called_risk_says_less_than_the_name_below_it() {
    let imported = risks(
        "Risk,,,,Assessment,\nID,Name,Owner,Category,Likelihood,Impact\nR-1,Flood,CFO,Nature,3,4\nR-2,Fire,CFO,Nature,2,4\n",
    );
    assert_eq!(imported.proposal.header_rows, [1, 2]);
    let expected = ["external_ref", "title", "owner_name", "category", "likelihood", "impact"];
    assert_eq!(imported.fields(), expected);
}
