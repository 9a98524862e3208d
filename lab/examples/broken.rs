//! For the tests: our engine, and with the word `broken` the same with one bit of the last byte wrong.

use bulat_engine::Bulat;
use engine::{Case, Engine, Work, serve};

struct Broken;

impl Engine for Broken {
    fn name(&self) -> (String, String) {
        ("broken".into(), "0".into())
    }
    fn list(&self) -> Vec<(String, String)> {
        Bulat.list()
    }
    fn open(&self, case: &Case) -> Result<Work, String> {
        let mut work = Bulat.open(case)?;
        Ok(Box::new(move |input| {
            work(input);
            if let Some(last) = input.texts().last().and_then(|text| text.last_mut()) {
                *last ^= 1;
            }
        }))
    }
}

fn main() -> std::io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("broken") => serve(&Broken),
        _ => serve(&Bulat),
    }
}
