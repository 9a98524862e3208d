//! One kernel for the whole process, as long as a guard lives.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bulat::kernel;

/// Every key and hash made now uses this kernel, where its primitive has it.
#[allow(dead_code)] // not every test that includes this file
pub struct Forced(#[allow(dead_code)] MutexGuard<'static, ()>);

#[allow(dead_code)]
static ONE: Mutex<()> = Mutex::new(());

#[allow(dead_code)]
impl Forced {
    /// Waits for other guards. `None`: the kernels that the library picks.
    pub fn on(kernel: Option<&str>) -> Self {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        kernel::force(kernel).expect("an available kernel");
        Forced(one)
    }
}

impl Drop for Forced {
    fn drop(&mut self) {
        let _ = kernel::force(None);
    }
}

/// Returns whether a primitive has a kernel of this name, by the name of an algorithm over it.
pub fn has(algorithm: &str, kernel: &str) -> bool {
    use bulat_core::{gf, kernel::Kernel, kuznyechik, magma, streebog};
    fn listed<K: Kernel>(list: &[K], kernel: &str) -> bool {
        list.iter().any(|entry| entry.name() == kernel)
    }
    match algorithm.split('-').next() {
        Some("kuznyechik") => listed(kuznyechik::KERNELS, kernel),
        Some("magma" | "gost28147" | "gost89" | "gost" | "gost94") => {
            listed(magma::KERNELS, kernel)
        }
        Some("streebog256" | "streebog512" | "hmac") => listed(streebog::KERNELS, kernel),
        Some("gf") => listed(gf::KERNELS, kernel),
        _ => panic!("no primitive of {algorithm}"),
    }
}

/// The kernels of a primitive that this machine can run.
#[allow(dead_code)]
pub fn kernels(algorithm: &str) -> impl Iterator<Item = &'static str> {
    let names = kernel::NAMES.iter().copied();
    names.filter(move |name| kernel::available(name) && has(algorithm, name))
}
