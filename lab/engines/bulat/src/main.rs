//! See the library.

fn main() -> std::io::Result<()> {
    engine::serve(&bulat_engine::Bulat)
}
