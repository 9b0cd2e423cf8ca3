//! How does text leave Lazuli, on a terminal or into a file?
//!
//! Names come from class files and may hold anything; files are named by users and projects. `visible` escapes what a terminal would obey,
//! `escape` what HTML would, `numbers` and `units` write and read quantities, `safe` writes files that others cannot redirect.
//!
//! Deliberately absent: everything about Java. The crates that write Java source, tables and reports share these functions.

pub mod escape;
pub mod numbers;
pub mod safe;
pub mod units;
pub mod visible;
