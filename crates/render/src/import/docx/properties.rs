//! What a run looks like (ECMA-376, part 1, 17.3.2).

use super::super::tree::Element;

/// Properties of runs; what is not said comes from the style around.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Properties {
    pub(super) bold: Option<bool>,
    pub(super) italic: Option<bool>,
    pub(super) strike: Option<bool>,
    pub(super) code: Option<bool>,
    pub(super) hidden: Option<bool>,
}

impl Properties {
    pub(super) fn read(element: Option<&Element>) -> Self {
        let Some(element) = element else { return Self::default() };
        let font = element.child("rFonts").and_then(|fonts| fonts.attribute("ascii"));
        Self {
            bold: toggle(element, "b"),
            italic: toggle(element, "i"),
            strike: toggle(element, "strike").or_else(|| toggle(element, "dstrike")),
            code: font.map(is_monospaced),
            hidden: toggle(element, "vanish"),
        }
    }

    /// These, and what they do not say from others.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            bold: self.bold.or(other.bold),
            italic: self.italic.or(other.italic),
            strike: self.strike.or(other.strike),
            code: self.code.or(other.code),
            hidden: self.hidden.or(other.hidden),
        }
    }
}

/// A property that is on if it is there, unless it says otherwise.
fn toggle(element: &Element, name: &str) -> Option<bool> {
    let value = element.child(name)?.attribute("val");
    Some(!matches!(value, Some("0" | "false" | "off")))
}

fn is_monospaced(font: &str) -> bool {
    let font = font.to_ascii_lowercase();
    ["courier", "consolas", "mono", "menlo", "lucida console"].iter().any(|known| font.contains(known))
}
