//! A tree of elements, of HTML and of XML alike. No input makes it deeper or larger than its limits.

/// The most elements inside each other: deeper ones are left out, and what they contain is in the deepest.
const MOST_DEPTH: usize = 200;

/// The most elements, attributes and texts.
const MOST_NODES: usize = 500_000;

#[derive(Debug)]
pub(super) enum Node {
    Text(String),
    Element(Element),
}

/// An element. Names are without prefixes.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Node>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children
            .iter()
            .filter_map(|node| if let Node::Element(element) = node { Some(element) } else { None })
    }

    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.elements().find(|element| element.name == name)
    }

    /// The attribute `val` of a child: the form in which OOXML has most properties.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.child(name)?.attribute("val")
    }

    /// Calls `see` with this element and all in it, in their order, but not with what is in one for which it returns false.
    pub(super) fn walk<'t>(&'t self, see: &mut impl FnMut(&'t Self) -> bool) {
        if see(self) {
            self.elements().for_each(|element| element.walk(see));
        }
    }

    /// The outermost elements with this name in it.
    pub(super) fn find<'t>(&'t self, name: &str) -> Vec<&'t Self> {
        let mut found = Vec::new();
        self.walk(&mut |element| {
            let is_it = element.name == name;
            if is_it {
                found.push(element);
            }
            !is_it
        });
        found
    }

    /// Adds all texts in it.
    pub(super) fn push_text(&self, out: &mut String) {
        for node in &self.children {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Element(element) => element.push_text(out),
            }
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.push_text(&mut text);
        text
    }
}

/// Makes a tree. There is a root from the begin, which is not closed.
pub(super) struct Builder {
    open: Vec<Element>,
    /// The open elements that are too deep.
    left_out: usize,
    nodes: usize,
}

impl Builder {
    pub(super) fn new() -> Self {
        Self { open: vec![Element::default()], left_out: 0, nodes: 0 }
    }

    /// Whether there is no place for more.
    pub(super) fn is_full(&self) -> bool {
        self.nodes > MOST_NODES
    }

    pub(super) fn text(&mut self, text: &str) {
        let Some(last) = self.open.last_mut() else { return };
        if let Some(Node::Text(before)) = last.children.last_mut() {
            before.push_str(text);
            return;
        }
        last.children.push(Node::Text(text.to_owned()));
        self.nodes += 1;
    }

    pub(super) fn open(&mut self, name: String, attributes: Vec<(String, String)>) {
        self.nodes += 1 + attributes.len();
        if self.open.len() < MOST_DEPTH {
            self.open.push(Element { name, attributes, children: Vec::new() });
        } else {
            self.left_out += 1;
        }
    }

    /// Closes the innermost element.
    pub(super) fn close(&mut self) {
        if self.left_out > 0 {
            self.left_out -= 1;
        } else if self.open.len() > 1
            && let (Some(element), Some(parent)) = (self.open.pop(), self.open.last_mut())
        {
            parent.children.push(Node::Element(element));
        }
    }

    /// Closes the innermost open element that is one of these, and all in it; but not beyond one that `bounds` says.
    pub(super) fn close_to(&mut self, is_it: impl Fn(&str) -> bool, bounds: impl Fn(&str) -> bool) {
        if self.left_out > 0 {
            return;
        }
        let seen = self
            .open
            .iter()
            .skip(1)
            .rev()
            .take_while(|element| is_it(&element.name) || !bounds(&element.name));
        let Some(at) = seen.map(|element| is_it(&element.name)).position(|is_it| is_it) else { return };
        for _ in 0..=at {
            self.close();
        }
    }

    /// Whether elements are open that are too deep: they are closed by the next ends of elements.
    pub(super) fn is_too_deep(&self) -> bool {
        self.left_out > 0
    }

    pub(super) fn finish(mut self) -> Element {
        self.left_out = 0;
        while self.open.len() > 1 {
            self.close();
        }
        self.open.pop().unwrap_or_default()
    }
}
