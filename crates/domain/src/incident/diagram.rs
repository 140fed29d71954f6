//! The life of an incident as a picture, drawn from the table of its steps.

use std::fmt::Write;

use super::life::{Direction, STEPS, Step};
use super::status::Status;

const WIDTH: i32 = 150;
const HEIGHT: i32 = 44;

/// The picture, as SVG. An arrow ahead is solid, a step back dashed, a reopening dotted.
pub fn diagram() -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 470\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"15\">\n\
         <title>The life of an incident</title>\n\
         <desc>Each arrow is a status that may follow another: solid ahead, dashed back, dotted for a reopening.</desc>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0 L10 5 L0 10 z\" fill=\"#57606a\"/></marker></defs>\n\
         <rect width=\"1000\" height=\"470\" fill=\"#ffffff\"/>\n",
    );
    for step in STEPS {
        arrow(step, &mut out);
    }
    for status in Status::ALL {
        let (x, y) = place(*status);
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"#f6f8fa\" stroke=\"#57606a\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1f2328\">{}</text>",
            x - WIDTH / 2,
            y - HEIGHT / 2,
            y + 5,
            status.label()
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The centre of a status.
fn place(status: Status) -> (i32, i32) {
    match status {
        Status::New => (95, 190),
        Status::Investigating => (297, 190),
        Status::Contained => (499, 190),
        Status::Resolved => (701, 190),
        Status::Closed => (903, 190),
        Status::Dismissed => (297, 420),
    }
}

/// An arrow: ahead above the row, back and reopening below it, higher the further it goes.
fn arrow(step: &Step, out: &mut String) {
    let ((x1, y1), (x2, y2)) = (place(step.from), place(step.to));
    let style = match step.direction {
        Direction::Ahead => "",
        Direction::Back => " stroke-dasharray=\"8 5\"",
        Direction::Reopening => " stroke-dasharray=\"2 5\" stroke-linecap=\"round\"",
    };
    let path = if y1 != y2 {
        // To and from the row below: side by side, and spread along the box there.
        let shift = if step.direction == Direction::Ahead { -10 } else { 10 };
        let (down, half) = (if y2 > y1 { 1 } else { -1 }, HEIGHT / 2);
        let spread = if down > 0 { (0, (x1 - x2) / 5) } else { ((x2 - x1) / 5, 0) };
        let (from, to) = (x1 + shift + spread.0, x2 + shift + spread.1);
        format!("M{from} {} L{to} {}", y1 + down * half, y2 - down * half)
    } else if (x2 - x1).abs() < 210 && step.direction == Direction::Ahead {
        format!("M{} {y1} L{} {y2}", x1 + WIDTH / 2, x2 - WIDTH / 2)
    } else {
        let (up, ahead) = if x2 > x1 { (-1, 1) } else { (1, -1) };
        let start = y1 + up * HEIGHT / 2;
        let far = start + up * ((x2 - x1).abs() / 4 + 10);
        let (from, to) = (x1 + ahead * 24, x2 - ahead * 24);
        format!("M{from} {start} C{from} {far} {to} {far} {to} {start}")
    };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#57606a\" stroke-width=\"1.6\"{style} marker-end=\"url(#tip)\"/>"
    );
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_committed_picture_is_that_of_the_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/incident-life.svg");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, diagram()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(
            committed == diagram(),
            "docs/incident-life.svg is stale: BLESS=1 cargo nextest run -p domain the_committed_picture"
        );
    }

    #[test]
    fn every_step_has_an_arrow_and_every_status_a_box() {
        let picture = diagram();
        assert_eq!(picture.matches("marker-end").count(), STEPS.len());
        for status in Status::ALL {
            assert!(picture.contains(&format!(">{}</text>", status.label())), "{status}");
        }
    }
}
