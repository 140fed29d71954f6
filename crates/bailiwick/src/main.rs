//! x
#[cfg(test)]
#[expect(dead_code, reason = "filled into a database by `serve --demo`")]
mod demo;
fn main() {}
