//! stub
pub fn run(_full: bool) -> Result<(), String> {
    Err("no".into())
}
