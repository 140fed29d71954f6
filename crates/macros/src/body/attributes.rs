//! What the attributes of a body and of its members say.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Attribute, Expr, Ident, Lit, LitInt, LitStr, Path, Result, Token, Type, parenthesized};

use crate::nested;

/// The documentation of a struct or field: what is described to those who send it.
pub(super) struct About(pub(super) String);

impl About {
    /// Joins the lines; a line without text separates paragraphs.
    pub(super) fn parse(attributes: &[Attribute]) -> Self {
        Self(nested::documentation(attributes).join("\n"))
    }
}

/// A value that is passed to the reader beside the body, such as the present time.
pub(super) struct Argument {
    pub(super) name: Ident,
    pub(super) of: Type,
}

/// A function with members or other values: `path`, `path(member, …)`.
pub(super) struct Check {
    pub(super) function: Path,
    pub(super) arguments: Vec<Expr>,
}

impl Parse for Check {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { function: input.parse()?, arguments: arguments(input)? })
    }
}

/// What is done once all members are read, in this order.
pub(super) enum Step {
    /// These members are set by the service.
    ReadOnly(Expr),
    /// These members are set by other operations.
    Elsewhere(Expr),
    /// A rule between members.
    Check(Check),
}

/// `#[body(…)]` of a struct.
#[derive(Default)]
pub(super) struct StructAttributes {
    pub(super) name: Option<String>,
    /// The member that tells the variants of an enum apart; of a variant, what that member says.
    pub(super) tag: Option<String>,
    /// What the absence of the tag means.
    pub(super) default: Option<String>,
    /// Whether it is a merge patch (RFC 7396): absent members stay as they are.
    pub(super) is_patch: bool,
    pub(super) with: Vec<Argument>,
    pub(super) steps: Vec<Step>,
    /// A rule of the whole: a method that adds faults.
    pub(super) whole: Option<Path>,
}

impl StructAttributes {
    pub(super) fn parse(attributes: &[Attribute]) -> Result<Self> {
        nested::parse(attributes, "body", Self::add)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("name") {
            self.name = Some(meta.value()?.parse::<LitStr>()?.value());
        } else if meta.path.is_ident("tag") {
            self.tag = Some(meta.value()?.parse::<LitStr>()?.value());
        } else if meta.path.is_ident("default") {
            self.default = Some(meta.value()?.parse::<LitStr>()?.value());
        } else if meta.path.is_ident("patch") {
            self.is_patch = true;
        } else if meta.path.is_ident("read_only") {
            self.steps.push(Step::ReadOnly(meta.value()?.parse()?));
        } else if meta.path.is_ident("elsewhere") {
            self.steps.push(Step::Elsewhere(meta.value()?.parse()?));
        } else if meta.path.is_ident("check") {
            self.steps.push(Step::Check(meta.value()?.parse()?));
        } else if meta.path.is_ident("whole") {
            self.whole = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("with") {
            let inside;
            parenthesized!(inside in meta.input);
            let name = inside.parse()?;
            inside.parse::<Token![:]>()?;
            self.with.push(Argument { name, of: inside.parse()? });
        } else {
            return Err(
                meta.error("unknown: name, tag, default, patch, read_only, elsewhere, check, whole, with")
            );
        }
        Ok(())
    }
}

/// `#[body(…)]` of a field.
#[derive(Default)]
pub(super) struct FieldAttributes {
    pub(super) name: Option<String>,
    /// JSON.
    pub(super) example: Option<String>,
    /// Absent means the default: this one in JSON, or that of the type.
    pub(super) has_default: bool,
    pub(super) default: Option<String>,
    /// It is not sent, and has the default of the type.
    pub(super) is_skipped: bool,
    /// Its members stand among those of the body.
    pub(super) is_flat: bool,
    /// What is passed to the reader of these members.
    pub(super) flat_with: Vec<Expr>,
    /// The most elements of a list.
    pub(super) most: Option<TokenStream>,
    /// The fewest elements of a list.
    pub(super) least: Option<LitInt>,
    /// The least and the most that a number can be.
    pub(super) range: Option<Expr>,
    /// The function that reads it, where its type does not, and what it gets besides.
    pub(super) read: Option<Check>,
    /// What it looks like, where its type does not say it.
    pub(super) schema: Option<Expr>,
    pub(super) check: Option<Check>,
}

impl FieldAttributes {
    pub(super) fn parse(attributes: &[Attribute]) -> Result<Self> {
        nested::parse(attributes, "body", Self::add)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("name") {
            self.name = Some(meta.value()?.parse::<LitStr>()?.value());
        } else if meta.path.is_ident("example") {
            self.example = Some(json(&meta.value()?.parse()?)?);
        } else if meta.path.is_ident("json") {
            self.example = Some(meta.value()?.parse::<LitStr>()?.value());
        } else if meta.path.is_ident("default") {
            self.has_default = true;
            if meta.input.peek(Token![=]) {
                self.default = Some(json(&meta.value()?.parse()?)?);
            }
        } else if meta.path.is_ident("skip") {
            self.is_skipped = true;
        } else if meta.path.is_ident("flat") {
            self.is_flat = true;
            self.flat_with = arguments(meta.input)?;
        } else if meta.path.is_ident("most") {
            let most: Expr = meta.value()?.parse()?;
            self.most = Some(quote!(#most));
        } else if meta.path.is_ident("least") {
            self.least = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("range") {
            self.range = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("read") {
            self.read = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("schema") {
            self.schema = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("check") {
            self.check = Some(meta.value()?.parse()?);
        } else {
            return Err(meta.error(
                "unknown: name, example, json, default, skip, flat, most, least, range, read, schema, check",
            ));
        }
        Ok(())
    }
}

/// What stands within parentheses, if there are any.
fn arguments(input: ParseStream<'_>) -> Result<Vec<Expr>> {
    if !input.peek(Paren) {
        return Ok(Vec::new());
    }
    let inside;
    parenthesized!(inside in input);
    Ok(Punctuated::<Expr, Token![,]>::parse_terminated(&inside)?.into_iter().collect())
}

/// A literal as JSON has it.
fn json(example: &Lit) -> Result<String> {
    match example {
        Lit::Str(text) => Ok(format!("{:?}", text.value())),
        Lit::Int(_) | Lit::Bool(_) => Ok(example.to_token_stream().to_string()),
        _ => Err(syn::Error::new_spanned(example, "a text, a whole number, true or false; or json = \"…\"")),
    }
}
