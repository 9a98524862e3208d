//! stub
pub fn run() -> Result<(), String> {
    Err("no".into())
}
