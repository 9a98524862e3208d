//! The threads of a pool.

use std::sync::Mutex;
use std::thread::JoinHandle;

use bulat::algorithm::{Message, run_on_threads};

use crate::border::Fault;
use crate::result::BULAT_ERR_THREADS;

pub struct Threads {
    pool: Option<rayon::ThreadPool>,
    handles: Mutex<Vec<JoinHandle<()>>>,
    process: u32,
}

impl Threads {
    /// This many threads; 0: a thread per processor.
    pub fn start(number: usize) -> Result<Self, Fault> {
        let handles = Mutex::new(Vec::new());
        let built = rayon::ThreadPoolBuilder::new()
            .num_threads(number.min(1 << 16))
            .spawn_handler(|thread| {
                let handle = std::thread::Builder::new().spawn(move || thread.run())?;
                if let Ok(mut handles) = handles.lock() {
                    handles.push(handle);
                }
                Ok(())
            })
            .build();
        let pool = built.map_err(|_| Fault(BULAT_ERR_THREADS))?;
        Ok(Threads { pool: Some(pool), handles, process: std::process::id() })
    }

    /// Refuses the threads of a different process.
    pub fn here(&self) -> Result<&Self, Fault> {
        if self.process == std::process::id() { Ok(self) } else { Err(Fault(BULAT_ERR_THREADS)) }
    }

    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(0, rayon::ThreadPool::current_num_threads)
    }

    pub fn run(&self, messages: Vec<Message<'_>>) -> Vec<Result<(), bulat::Error>> {
        match &self.pool {
            Some(pool) => pool.install(|| run_on_threads(messages)),
            None => run_on_threads(messages),
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        let pool = self.pool.take();
        if self.process != std::process::id() {
            core::mem::forget(pool);
            return;
        }
        drop(pool);
        let handles = self.handles.get_mut().map(core::mem::take).unwrap_or_default();
        handles.into_iter().for_each(|handle| drop(handle.join()));
    }
}
