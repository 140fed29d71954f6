//! The bounds of what is unpacked.

use std::io::{self, Read};

/// The most bytes of one piece of XML: an element with its attributes, or the text between two.
const MOST_PIECE: usize = 1024 * 1024;

/// What is unpacked, within bounds that do not depend on what the archive declares.
pub(super) struct Limited<'a> {
    inner: Box<dyn Read + 'a>,
    left: &'a mut u64,
    piece: usize,
}

impl<'a> Limited<'a> {
    /// What unpacks as long as so many bytes are left.
    pub(super) fn new(inner: impl Read + 'a, left: &'a mut u64) -> Self {
        Self { inner: Box::new(inner), left, piece: 0 }
    }

    /// Begins the next piece.
    pub(super) fn next_piece(&mut self) {
        self.piece = 0;
    }
}

impl Read for Limited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.piece += read;
        let left = self.left.checked_sub(read as u64);
        *self.left = left.unwrap_or(0);
        if left.is_none() || self.piece > MOST_PIECE {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        Ok(read)
    }
}
