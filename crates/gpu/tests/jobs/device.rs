use std::sync::{Arc, OnceLock};

use bulat_gpu::Device;

/// Returns the first device, or prints that there is none.
pub fn device() -> Option<Arc<Device>> {
    static DEVICE: OnceLock<Option<Arc<Device>>> = OnceLock::new();
    let found = DEVICE.get_or_init(|| {
        let found = bulat_gpu::devices();
        found.remarks.iter().for_each(|r| println!("{r}"));
        if found.devices.is_empty() {
            println!("skipped: no device (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)");
        }
        found.devices.into_iter().next()
    });
    found.clone()
}
