//! The docs.
/// R.
pub fn run(_: bool) -> Result<bool, String> {
    Ok(true)
}
