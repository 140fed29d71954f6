//! Ratings in the ways that people write them.

use workbook::{Axis, Kind};

use crate::files::C::{N, P, T};
use crate::files::{C, Sheet};
use crate::imported::{each, import, risks};

#[test]
fn ratings_are_numbers_or_words_of_the_scale_and_of_six_languages() {
    for (likelihood, impact) in [
        ("4", "5"),
        ("4.0", "5.0"),
        ("4 - Likely", "Severe (5)"),
        ("likely", "SEVERE"),
        ("H", "very high"),
        ("Hoch", "sehr hoch"),
        ("Élevée", "Très élevé"),
        ("Alta", "Muy alto"),
        ("Hoog", "Zeer hoog"),
        ("Alto", "Molto alto"),
    ] {
        let imported = risks(&format!("Title,Likelihood,Impact\nFlood,{likelihood},{impact}\n"));
        imported.expect(&[&[("inherent.likelihood", "4"), ("inherent.impact", "5")]]);
        assert_eq!(imported.questions(), [("stage:single", "inherent")], "{likelihood}");
    }
}

#[test]
fn each_unknown_word_is_asked_about_once() {
    let text = "Risiko;Eintrittswahrscheinlichkeit;Auswirkung\nFlut;Vorstellbar;5\nBrand;vorstellbar;4\nDiebstahl;Quer;4\n";
    let imported = risks(text);
    let asked =
        [("stage:single", "inherent"), ("level:likelihood:quer", "3"), ("level:likelihood:vorstellbar", "3")];
    assert_eq!(imported.questions(), asked);
    let question = &imported.proposal.questions[2];
    assert_eq!(question.about, "Which level of likelihood is “Vorstellbar”?");
    assert_eq!(question.choices, ["1", "2", "3", "4", "5"]);
    let given = [("level:likelihood:vorstellbar", "2"), ("level:likelihood:quer", "77")];
    let answered = import(text.as_bytes(), Kind::Risks, &given);
    answered.expect(&[
        &[("inherent.likelihood", "2")],
        &[("inherent.likelihood", "2"), ("inherent.impact", "4")],
        &[("fault", "A level of likelihood is a number from 1 to 5, or its name.")],
    ]);
}

#[test]
fn a_legend_sheet_proposes_levels_and_is_not_taken_for_the_register() {
    let register: &[&[C]] =
        &[&[T("Risk"), T("Likelihood"), T("Impact")], &[T("Flood"), T("Vorstellbar"), T("Schlimm")]];
    let legend: &[&[C]] = &[
        &[T("Likelihood"), T("Level"), T("Description")],
        &[N(1.0), T("Undenkbar"), T("never")],
        &[N(4.0), T("Vorstellbar"), T("once a year")],
        &[T("Impact")],
        &[N(1.0), T("Egal"), T("nothing")],
        &[N(2.0), T("Schlimm"), T("a day")],
    ];
    let sheets = [
        Sheet { name: "Legende", rows: legend, merged: &[] },
        Sheet { name: "Liste", rows: register, merged: &[] },
    ];
    each(&sheets, |file| {
        let imported = import(file, Kind::Risks, &[]);
        assert_eq!(imported.proposal.sheet_name, "Liste");
        let legends: Vec<_> =
            imported.proposal.legends.iter().map(|legend| (legend.axis, legend.levels.len())).collect();
        assert_eq!(legends, [(Some(Axis::Likelihood), 2), (Some(Axis::Impact), 2)]);
        let asked = [
            ("stage:single", "inherent"),
            ("level:likelihood:vorstellbar", "4"),
            ("level:impact:schlimm", "2"),
        ];
        assert_eq!(imported.questions(), asked);
    });
}

#[test]
fn percentages_and_other_scales_are_asked_about() {
    let rows: &[&[C]] = &[
        &[T("Risk"), T("Probability"), T("Impact")],
        &[T("Flood"), P(0.2), N(7.0)],
        &[T("Fire"), P(0.7), N(10.0)],
    ];
    each(&[Sheet { name: "", rows, merged: &[] }], |file| {
        let imported = import(file, Kind::Risks, &[]);
        let asked = [("stage:single", "inherent"), ("scale:likelihood", "100%"), ("scale:impact", "10")];
        assert_eq!(imported.questions(), asked);
        imported.expect(&[
            &[("inherent.likelihood", "1"), ("inherent.impact", "4")],
            &[("inherent.likelihood", "4"), ("inherent.impact", "5")],
        ]);
        let kept = import(file, Kind::Risks, &[("scale:impact", "5")]);
        let fault = &kept.records[0].faults[0];
        assert_eq!((fault.row, fault.column, &*fault.read), (2, Some(2), "7"));
        assert_eq!(fault.nearest.as_deref(), Some("5"));
    });
}

#[test]
fn a_product_is_compared_and_not_imported() {
    let imported =
        risks("Title,Severity,Occurrence,Detection,RPN\nLeak,5,4,3,60\nBurst,5,4,3,61\nDrip,2,2,1,4\n");
    assert_eq!(imported.fields(), ["title", "impact", "likelihood", "block", "score"]);
    imported.expect(&[
        &[("inherent.likelihood", "4"), ("inherent.impact", "5"), ("description", "**Detection:** 3")],
        &[("fault", "The score is not likelihood x impact.")],
        &[("inherent.likelihood", "2")],
    ]);
    let fault = &imported.records[1].faults[0];
    assert!(fault.is_remark && !imported.records[1].is_wrong());
    assert_eq!((&*fault.read, fault.nearest.as_deref()), ("61", Some("20")));
}

#[test]
fn a_single_rating_beside_controls_is_proposed_as_both() {
    let text = "Title,Existing controls,Likelihood,Impact\nFlood,Dam,2,3\n";
    risks(text).expect(&[&[("inherent.likelihood", "2"), ("current.impact", "3"), ("target.impact", "")]]);
    let inherent = import(text.as_bytes(), Kind::Risks, &[("stage:single", "inherent")]);
    inherent.expect(&[&[("inherent.likelihood", "2"), ("current.likelihood", "")]]);
}
