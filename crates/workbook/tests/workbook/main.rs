//! Tests of reading workbooks.
