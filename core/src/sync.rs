//! The locks and cells of this build: for threads with `std`, for one thread without, and for loom's, which tries every
//! order in which threads can meet.

#[cfg(all(feature = "std", not(loom)))]
mod threads {
    use core::hint::spin_loop;
    use parking_lot::{Mutex, const_mutex};
    use spin::mutex::{SpinMutex, SpinMutexGuard};
    use std::{thread, time::Duration};

    pub(crate) type Guard<'a, T> = SpinMutexGuard<'a, T>;
    pub(crate) type Once<T> = std::sync::OnceLock<T>;

    /// Tries with ever longer pauses in between, together about as long as a call holds a lock.
    const TRIES: u32 = 7;
    /// After these the holder may be a thread that runs only while this one sleeps.
    const YIELDS: u32 = 64;
    const NAP: Duration = Duration::from_micros(50);

    /// Guards a value by a lock that threads wait for.
    ///
    /// It is given back by a plain write, half the price of a lock whose holder has to ask whether anybody sleeps; so
    /// who waits has to look again. Nearly always it is held for less time than falling asleep takes.
    pub(crate) struct Lock<T> {
        value: SpinMutex<T>,
        /// Of those that wait for long only the one that has this looks; the others sleep.
        line: Mutex<()>,
    }

    impl<T> Lock<T> {
        pub(crate) const fn new(value: T) -> Lock<T> {
            Lock { value: SpinMutex::new(value), line: const_mutex(()) }
        }

        #[inline]
        pub(crate) fn lock(&self) -> Guard<'_, T> {
            match self.value.try_lock() {
                Some(guard) => guard,
                None => self.wait(),
            }
        }

        #[inline]
        pub(crate) fn try_lock(&self) -> Option<Guard<'_, T>> {
            self.value.try_lock()
        }

        #[cold]
        fn wait(&self) -> Guard<'_, T> {
            for tries in 0..TRIES {
                (0..1 << tries).for_each(|_| spin_loop());
                if let Some(guard) = self.look() {
                    return guard;
                }
            }
            let _first = self.line.lock();
            let mut yields = 0;
            loop {
                if let Some(guard) = self.look() {
                    return guard;
                }
                if yields < YIELDS {
                    yields += 1;
                    thread::yield_now();
                } else {
                    thread::sleep(NAP);
                }
            }
        }

        /// Takes the lock if it is free; if not, leaves its cache line with its holder.
        fn look(&self) -> Option<Guard<'_, T>> {
            if self.value.is_locked() { None } else { self.value.try_lock() }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::{Lock, YIELDS};
        use std::sync::Barrier;
        use std::thread;

        #[test]
        fn whoever_waits_gets_in_however_long_it_takes() {
            let (lock, all_there) = (Lock::new(0), Barrier::new(4));
            thread::scope(|scope| {
                let held = lock.lock();
                for _ in 1..4 {
                    scope.spawn(|| {
                        all_there.wait();
                        *lock.lock() += 1;
                    });
                }
                all_there.wait();
                // Long enough that the first of them naps and the others stand in line.
                (0..1000 * YIELDS).for_each(|_| thread::yield_now());
                assert_eq!(*held, 0);
                drop(held);
            });
            assert_eq!(*lock.lock(), 3);
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
