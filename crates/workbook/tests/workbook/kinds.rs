//! Evaluations, incidents, tags, and our own exports.

use workbook::Kind;

use crate::files::{C, Sheet, archive};
use crate::imported::{book, each, import, risks};

#[test]
fn evaluations_of_one_risk_are_several_records() {
    let text =
        "Risk ID,Date,Likelihood,Impact,Comment,Mood\nR-1,2026-01-05,4,5,bad,grim\nR-1,2026-01-12,3,5,,\n";
    let imported = import(text.as_bytes(), Kind::Evaluations, &[]);
    imported.expect(&[
        &[
            ("external_ref", "R-1"),
            ("evaluated_at", "2026-01-05"),
            ("current.likelihood", "4"),
            ("current.impact", "5"),
            ("note", "bad\n\n**Mood:** grim"),
        ],
        &[("evaluated_at", "2026-01-12"), ("current.likelihood", "3"), ("note", "")],
    ]);
}

#[test]
fn incidents_and_tags_have_their_fields() {
    let text = "Ticket;Titel;Schweregrad;Gemeldet am;Geschlossen am;Status\nT-7;Ausfall;hoch;05.01.2026 14:30;;in Arbeit\n";
    import(text.as_bytes(), Kind::Incidents, &[]).expect(&[&[
        ("external_ref", "T-7"),
        ("title", "Ausfall"),
        ("severity", "high"),
        ("detected_date", "2026-01-05 14:30:00"),
        ("closed_date", ""),
        ("status", "investigating"),
    ]]);
    // A word that no list has is asked about once.
    let asked = import(b"Title,Priority,Status\nFire,Orange,Parked\nFlood,Orange,\n", Kind::Incidents, &[]);
    assert_eq!(asked.questions(), [("status:parked", "new"), ("severity:orange", "undetermined")]);
    let text = "Name,Color,Aliases\nGDPR,#ff0000,\"DSGVO, RGPD\"\n,blue,\n";
    import(text.as_bytes(), Kind::Tags, &[]).expect(&[
        &[("title", "GDPR"), ("color", "#ff0000"), ("aliases", "DSGVO + RGPD")],
        &[("fault", "The title is missing.")],
    ]);
}

#[test]
fn the_rows_of_our_own_incidents_name_each_other() {
    let ours = "id,title,description,status,external_ref,assigned_to,assigned_to_email,detected_date,duplicate_of,status_date,category,tags,created_date,version\n\
                INC-0001,Fire,,closed,7,Ada,ada@x.org,2026-01-05T14:30:00.000250Z,,2026-01-06T00:00:00.000000Z,closed,\"a, b; c\",2026-01-01T00:00:00.000000Z,1\n\
                INC-0002,Fire,,dismissed,7,,,2026-01-05T14:30:00.000000Z,INC-0001,,closed,,2026-01-01T00:00:00.000000Z,1\n";
    import(ours.as_bytes(), Kind::Incidents, &[]).expect(&[
        &[
            ("own_id", "INC-0001"),
            ("owner_name", ""),
            ("owner_email", "ada@x.org"),
            ("detected_date", "2026-01-05 14:30:00.00025"),
            ("status_date", "2026-01-06 00:00:00"),
            ("tags", "a, b + c"),
            ("description", ""),
        ],
        &[("own_id", "INC-0002"), ("duplicate_of", "INC-0001"), ("external_ref", "7")],
    ]);
}

#[test]
fn an_apostrophe_is_taken_away_from_our_own_exports_only() {
    let ours = "id,title,description,owner,owner_email,inherent_likelihood,inherent_impact,inherent_score,target_likelihood,target_impact,created_date,version\n\
                RSK-1,'=1+1,''quoted,Ada,ada@x.org,4,5,20,2,3,2026-01-01T00:00:00Z,1\n\
                RSK-2,'t Hooft,'','','t@x.org,4,5,20,2,3,2026-01-01T00:00:00Z,1\n";
    let imported = risks(ours);
    assert!(imported.proposal.is_ours);
    let first: &[(&str, &str)] = &[
        ("external_ref", ""),
        ("title", "=1+1"),
        ("description", "'quoted"),
        // The member with this address, or else the address.
        ("owner_name", ""),
        ("owner_email", "ada@x.org"),
        ("inherent.impact", "5"),
        ("target.likelihood", "2"),
    ];
    // An export has one before these signs only: what a person wrote otherwise stays.
    imported.expect(&[first, &[("title", "'t Hooft"), ("description", "'"), ("owner_email", "'t@x.org")]]);
    let theirs = risks("title,likelihood,impact\n'=1+1,4,5\n");
    theirs.expect(&[&[("title", "'=1+1")]]);
}

#[test]
fn our_own_exports_are_read_to_the_letter() {
    let ours = "id,title,description,controls,tags,evaluated_at,current_likelihood,current_impact,inherent_likelihood,\
                inherent_impact,created_date,version\n\
                RSK-1,\"  two \",\"a\r\n b \",5.15; A.8.13,\"\"\"a; b\"\"; c\",2026-01-05T10:30:59.000042Z,1,2,3,4,2026-01-01,1\n";
    risks(ours).expect(&[&[
        ("title", "  two "),
        ("description", "a\r\n b "),
        ("controls", "5.15 + A.8.13"),
        ("existing_controls", ""),
        ("tags", "a; b + c"),
        ("evaluated_at", "2026-01-05 10:30:59.000042"),
        ("current.impact", "2"),
    ]]);
}

/// Excel writes them into the texts that cells share, our own workbooks into the cells.
#[test]
fn a_workbook_names_the_characters_that_xml_does_not_have() {
    for (written, text) in [
        ("a_x001B_b_x000b_", "a\u{1b}b\u{b}"),
        ("_xFFFE__x005F_x0041_x005F_x0042_", "\u{fffe}_x0041_x0042_"),
        ("_x005F_x0041_x001B_x0041_", "_x0041\u{1b}x0041_"),
        ("_xD83D_ _x+041_ _x41_ _X0041_ _x00", "_xD83D_ _x+041_ _x41_ _X0041_ _x00"),
    ] {
        let kept = format!("<sst><si><t>{written}</t></si></sst>");
        let cells = format!(
            "<worksheet><row><c t=\"s\"><v>0</v></c><c t=\"inlineStr\"><is><t>{written}</t></is></c></row></worksheet>"
        );
        let relation =
            |id, kind| format!("<Relationship Id=\"{id}\" Type=\"x/{kind}\" Target=\"{id}.xml\"/>");
        let relations = [relation("sheet", "worksheet"), relation("strings", "sharedStrings")].concat();
        let names = "<workbook xmlns:r=\"r\"><sheets><sheet name=\"A\" r:id=\"sheet\"/></sheets></workbook>";
        let file = archive(&[
            ("xl/workbook.xml", names),
            ("xl/_rels/workbook.xml.rels", &format!("<R>{relations}</R>")),
            ("xl/sheet.xml", &cells),
            ("xl/strings.xml", &kept),
        ]);
        let book = book(&file);
        let row = book.sheet(0).unwrap().row(0).unwrap();
        // Nothing but what is read to the letter keeps what is blank around it.
        assert_eq!([row.cell(0).shown(), row.cell(1).shown()], [text.trim(); 2], "{written}");
    }
}

#[test]
fn no_text_has_the_character_that_no_text_may_have() {
    // A file that has it near its beginning is no text.
    let long = "x".repeat(5_000);
    let ours = format!(
        "id,title,description,status,detected_date,created_date,version\n\
         INC-0001,Fire,{long}\0!,new,,2026-01-01,1\n"
    );
    import(ours.as_bytes(), Kind::Incidents, &[]).expect(&[&[("description", &*format!("{long}!"))]]);
}

#[test]
fn our_own_evaluations_have_what_nobody_sets() {
    let ours = "risk,external_ref,title,number,likelihood,impact,score,evaluated_at,note,inherent_score,target_score,\
                performance_basis_points,scale_version,evaluator,supersedes,superseded_by,created_date\n\
                RSK-1,'=1,Fire,2,3,4,12,2026-01-05T10:30:59.000042Z,''quoted ,25,2,5714,1,Ada,1,3,2026-01-06T00:00:00Z\n";
    let imported = import(ours.as_bytes(), Kind::Evaluations, &[]);
    assert!(imported.proposal.is_ours && imported.proposal.questions.is_empty());
    imported.expect(&[&[
        ("external_ref", "=1"),
        ("title", "Fire"),
        ("current.likelihood", "3"),
        ("current.impact", "4"),
        ("evaluated_at", "2026-01-05 10:30:59.000042"),
        ("note", "'quoted "),
        ("superseded_by", "3"),
    ]]);
}

#[test]
fn what_the_console_exports_is_our_own() {
    let ours = "\u{feff}ID;Title;Description;Owner;Owner (e-mail address);Treatment;Status changed at (Europe/Berlin);\
                Inherent rating: likelihood;Inherent rating: impact;Created at (Europe/Berlin);Updated at (Europe/Berlin);Tags;Version\r\n\
                RSK-1;'=1+1;\" a\r\nb;\";Ada;ada@x.org;Mitigate;2026-02-01 00:30:00;4;5;2026-02-01 00:30:00;2026-02-01 00:30:00;\"a, b; c\";1\r\n";
    let imported = risks(ours);
    assert_eq!((imported.proposal.is_ours, imported.proposal.zone.as_deref()), (true, Some("Europe/Berlin")));
    imported.expect(&[&[
        ("title", "=1+1"),
        ("description", " a\r\nb;"),
        ("external_ref", ""),
        ("owner_name", ""),
        ("owner_email", "ada@x.org"),
        ("treatment", "mitigate"),
        ("status_date", "2026-02-01 00:30:00"),
        ("inherent.impact", "5"),
        ("tags", "a, b + c"),
    ]]);
}

#[test]
fn a_list_of_others_with_an_id_and_a_version_is_not_our_own() {
    for more in ["Owner", "Updated at (Europe/Berlin)", "Updated at"] {
        let theirs =
            format!("ID;Title;Likelihood;Impact;{more};Created at (CET);Version\nR-1; Fire ;4;5;;;1\n");
        let imported = risks(&theirs);
        assert_eq!((imported.proposal.is_ours, imported.proposal.zone.as_deref()), (false, None), "{more}");
        imported.expect(&[&[("title", "Fire"), ("external_ref", "R-1")]]);
    }
}

#[test]
fn a_sheet_of_others_that_is_called_legend_is_read() {
    let head: &[C] = &[C::T("Column"), C::T("Title"), C::T("Likelihood"), C::T("Impact")];
    let risk: &[C] = &[C::T("A"), C::T("Fire"), C::N(4.0), C::N(5.0)];
    let other: &[&[C]] = &[&[C::T("Title")], &[C::T("Nothing")]];
    let sheets = [
        Sheet { name: "Cover", rows: other, merged: &[] },
        Sheet { name: "Legend", rows: &[head, risk], merged: &[] },
    ];
    each(&sheets, |file| {
        let imported = import(file, Kind::Risks, &[]);
        assert_eq!(imported.proposal.sheet_name, "Legend");
    });
}
