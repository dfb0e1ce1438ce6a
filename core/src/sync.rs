//! The locks and cells of this build: for threads with `std`, for one thread without, and for loom's, which tries every
//! order in which threads can meet.

#[cfg(all(feature = "std", not(loom)))]
mod threads {
    use parking_lot::{Mutex, MutexGuard};

    pub(crate) type Guard<'a, T> = MutexGuard<'a, T>;
    pub(crate) type Once<T> = std::sync::OnceLock<T>;

    /// Guards a value by a lock that threads wait for.
    #[derive(Debug, Default)]
    pub(crate) struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        pub(crate) const fn new(value: T) -> Lock<T> {
            Lock(Mutex::new(value))
        }

        #[inline]
        pub(crate) fn lock(&self) -> Guard<'_, T> {
            self.0.lock()
        }

        #[inline]
        pub(crate) fn try_lock(&self) -> Option<Guard<'_, T>> {
            self.0.try_lock()
        }
    }
}

#[cfg(loom)]
mod model {
    use loom::sync::{Mutex, MutexGuard};
    use std::sync::PoisonError;

    pub(crate) type Guard<'a, T> = MutexGuard<'a, T>;
    /// Not modelled: what it holds is a seed, and any will do.
    pub(crate) type Once<T> = std::sync::OnceLock<T>;

    /// Guards a value by a lock whose every turn loom decides.
    #[derive(Debug, Default)]
    pub(crate) struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        pub(crate) fn new(value: T) -> Lock<T> {
            Lock(Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> Guard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        pub(crate) fn try_lock(&self) -> Option<Guard<'_, T>> {
            self.0.try_lock().ok()
        }
    }
}

#[cfg(not(feature = "std"))]
mod one_thread {
    use core::cell::{OnceCell, RefCell, RefMut};

    pub(crate) type Guard<'a, T> = RefMut<'a, T>;
    pub(crate) type Once<T> = OnceCell<T>;

    /// Guards a value by a cell; no code of ours runs while it is borrowed, so a borrow never fails.
    #[derive(Debug, Default)]
    pub(crate) struct Lock<T>(RefCell<T>);

    impl<T> Lock<T> {
        pub(crate) const fn new(value: T) -> Lock<T> {
            Lock(RefCell::new(value))
        }

        #[inline]
        pub(crate) fn lock(&self) -> Guard<'_, T> {
            self.0.borrow_mut()
        }

        #[inline]
        pub(crate) fn try_lock(&self) -> Option<Guard<'_, T>> {
            self.0.try_borrow_mut().ok()
        }
    }
}

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
#[cfg(loom)]
pub(crate) use model::{Guard, Lock, Once};
#[cfg(not(feature = "std"))]
pub(crate) use one_thread::{Guard, Lock, Once};
#[cfg(all(feature = "std", not(loom)))]
pub(crate) use threads::{Guard, Lock, Once};
