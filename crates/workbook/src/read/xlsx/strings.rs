//! The texts that cells share.

use super::super::package::Package;
use super::super::xml::Node;
use super::escapes;
use crate::draft::Draft;
use crate::refused::Refused;

/// The numbers of the texts in the draft, in their order. What the part declares about their count is not read.
pub(super) fn read(
    package: &mut Package<'_>,
    part: Option<&str>,
    draft: &mut Draft,
) -> Result<Vec<u32>, Refused> {
    let mut numbers = Vec::new();
    let Some(part) = part else { return Ok(numbers) };
    let Some(mut xml) = package.part(part)? else { return Ok(numbers) };
    let (mut text, mut is_text, mut is_phonetic) = (String::new(), false, false);
    loop {
        match xml.next()? {
            Node::Start(start) => match start.local_name().as_ref() {
                "si" => text.clear(),
                "rPh" => is_phonetic = true,
                "t" => is_text = !is_phonetic,
                _ => {}
            },
            Node::Text(part) if is_text && text.len() <= crate::refused::MOST_CELL_TEXT => {
                escapes::push(&mut text, &part);
            }
            Node::Close(name) => match name.as_str() {
                "si" => numbers.push(draft.text(&text)?),
                "rPh" => is_phonetic = false,
                "t" => is_text = false,
                _ => {}
            },
            Node::End => return Ok(numbers),
            Node::Text(_) | Node::Other => {}
        }
    }
}
