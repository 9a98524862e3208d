//! The page.
/// P.
pub fn page(_: &[crate::record::Row]) -> String {
    String::new()
}
