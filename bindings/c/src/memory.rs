//! The caller's memory: read by copy, written at the end.

use crate::failure::Failure;
use core::ptr::NonNull;
use core::slice;

/// Greatest length that an object in memory can have.
const LONGEST: usize = isize::MAX.unsigned_abs();

/// Copies what a pointer points at; it need not be aligned.
///
/// # Safety
/// A pointer that is not NULL points at a `T`.
#[inline]
pub(crate) unsafe fn read<T: Copy>(pointer: *const T, field: &'static str) -> Result<T, Failure> {
    if pointer.is_null() {
        return Err(Failure::Null { field });
    }
    // Safe because the caller promises a `T`, and `T`s here are numbers and pointers: any bytes are one.
    Ok(unsafe { pointer.read_unaligned() })
}

/// Copies a struct that begins with its own size, by which a library tells an older header's from its own: `of` is the
/// struct's name, `field` and `size_field` are what it and its size are called in an error. No more is read of one of
/// another size.
///
/// # Safety
/// A pointer that is not NULL points at as many bytes as the first number there says.
pub(crate) unsafe fn read_sized<T: Copy>(
    pointer: *const T,
    [field, size_field]: [&'static str; 2],
    of: &'static str,
) -> Result<T, Failure> {
    let known = size_of::<T>();
    // Safe because it begins with its size, whichever header it is from.
    let size = unsafe { read(pointer.cast::<usize>(), field) }?;
    if size != known {
        return Err(Failure::Size { field: size_field, of, size, known });
    }
    // Safe because the caller promises so many bytes.
    unsafe { read(pointer, field) }
}

/// Borrows bytes; NULL is none if the length is 0.
///
/// # Safety
/// A pointer that is not NULL points at `length` bytes, which nobody changes while they are borrowed.
#[inline]
pub(crate) unsafe fn bytes<'a>(
    pointer: *const core::ffi::c_void,
    length: usize,
    fields: [&'static str; 2],
) -> Result<&'a [u8], Failure> {
    let [field, length_field] = fields;
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::Null { field });
    }
    if length > LONGEST {
        return Err(Failure::TooLong { field: length_field, length });
    }
    // Safe because the caller promises so many bytes, and so many can be.
    Ok(unsafe { slice::from_raw_parts(pointer.cast(), length) })
}

/// An array of the caller's, whose items are copied out one by one.
#[derive(Clone, Copy)]
pub(crate) struct Items<T> {
    first: *const T,
    count: usize,
}

impl<T: Copy> Items<T> {
    /// Takes an array; NULL is one if the count is 0.
    ///
    /// # Safety
    /// A pointer that is not NULL points at `count` items, which nobody changes while this lives.
    pub(crate) unsafe fn new(first: *const T, count: usize, fields: [&'static str; 2]) -> Result<Items<T>, Failure> {
        let [field, count_field] = fields;
        if count > 0 && first.is_null() {
            return Err(Failure::Null { field });
        }
        if count > LONGEST / size_of::<T>() {
            return Err(Failure::TooLong { field: count_field, length: count });
        }
        Ok(Items { first, count })
    }

    /// Returns where the items lie, for those that say their own size.
    pub(crate) fn places(self) -> impl Iterator<Item = *const T> {
        (0..self.count).map(move |index| self.first.wrapping_add(index))
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = T> {
        self.from(0)
    }

    /// Returns the items from the `first` on.
    pub(crate) fn from(self, first: usize) -> impl Iterator<Item = T> {
        // Safe because whoever made this promised `count` items.
        (first..self.count).map(move |index| unsafe { self.first.add(index).read_unaligned() })
    }
}

/// Where an answer goes, once there is one.
#[derive(Clone, Copy)]
pub(crate) struct Answer<T>(NonNull<T>);

impl<T> Answer<T> {
    /// Takes a place for one answer.
    ///
    /// # Safety
    /// A pointer that is not NULL points at memory for a `T`, which is the library's until the call returns.
    #[inline]
    pub(crate) unsafe fn new(pointer: *mut T, field: &'static str) -> Result<Answer<T>, Failure> {
        NonNull::new(pointer).map(Answer).ok_or(Failure::Null { field })
    }

    /// Takes a place for several answers; NULL is one if the count is 0.
    ///
    /// # Safety
    /// As for [`new`](Answer::new), with memory for `count` of them.
    pub(crate) unsafe fn several(
        pointer: *mut T,
        count: usize,
        fields: [&'static str; 2],
    ) -> Result<Answer<T>, Failure> {
        let [field, count_field] = fields;
        if count > LONGEST / size_of::<T>() {
            return Err(Failure::TooLong { field: count_field, length: count });
        }
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Answer(pointer)),
            None if count == 0 => Ok(Answer(NonNull::dangling())),
            None => Err(Failure::Null { field }),
        }
    }

    /// Writes the answer.
    #[inline]
    pub(crate) fn put(self, value: T) {
        // Safe because whoever made this promised memory for one; it need not be aligned.
        unsafe { self.0.write_unaligned(value) }
    }

    /// Returns the place of the answer of this index.
    ///
    /// # Safety
    /// The index is below the count that this was made with.
    #[inline]
    pub(crate) unsafe fn at(self, index: usize) -> Answer<T> {
        // Safe because the caller promises that there is memory so far.
        Answer(unsafe { self.0.add(index) })
    }
}

/// Writes an answer that the caller may not want to know.
///
/// # Safety
/// A pointer that is not NULL points at memory for a `T`.
pub(crate) unsafe fn put_if_wanted<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // Safe because the caller promises memory for one.
        unsafe { pointer.write_unaligned(value) }
    }
}

/// A buffer of the caller's for bytes of any number up to its capacity.
#[derive(Clone, Copy)]
pub(crate) struct Buffer {
    first: Answer<u8>,
    capacity: usize,
}

impl Buffer {
    /// Takes a buffer; NULL is one if the capacity is 0.
    ///
    /// # Safety
    /// A pointer that is not NULL points at `capacity` bytes, which are the library's until the call returns.
    pub(crate) unsafe fn new(first: *mut u8, capacity: usize) -> Result<Buffer, Failure> {
        // Safe because the caller promises the same.
        let first = unsafe { Answer::several(first, capacity, ["buffer", "capacity"]) }?;
        Ok(Buffer { first, capacity })
    }

    /// Returns whether so many bytes fit, as a failure if not.
    pub(crate) fn fits(self, length: usize) -> Result<(), Failure> {
        match length <= self.capacity {
            true => Ok(()),
            false => Err(Failure::BufferTooSmall { capacity: self.capacity, length }),
        }
    }

    /// Writes the bytes, if all of them fit.
    pub(crate) fn put(self, bytes: &[u8]) -> Result<(), Failure> {
        self.fits(bytes.len())?;
        for (index, byte) in bytes.iter().enumerate() {
            // Safe because the bytes fit.
            unsafe { self.first.at(index) }.put(*byte);
        }
        Ok(())
    }
}

/// A buffer, or none, by which a caller asks how much there would be.
#[derive(Clone, Copy)]
pub(crate) struct Room(Option<Buffer>);

impl Room {
    /// Takes a buffer; NULL with a capacity of 0 asks for the length alone.
    ///
    /// # Safety
    /// As for [`Buffer::new`].
    pub(crate) unsafe fn new(first: *mut u8, capacity: usize) -> Result<Room, Failure> {
        if first.is_null() && capacity == 0 {
            return Ok(Room(None));
        }
        // Safe because the caller promises the same.
        unsafe { Buffer::new(first, capacity) }.map(|buffer| Room(Some(buffer)))
    }

    /// Writes the bytes, if there is a buffer.
    pub(crate) fn put(self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.map_or(Ok(()), |buffer| buffer.put(bytes))
    }

    /// Writes text and a NUL, if there is a buffer.
    pub(crate) fn put_text(self, text: &str) -> Result<(), Failure> {
        let Some(buffer) = self.0 else {
            return Ok(());
        };
        buffer.fits(text.len().saturating_add(1))?;
        buffer.put(text.as_bytes())?;
        // Safe because there is room for one byte more than the text has.
        unsafe { buffer.first.at(text.len()) }.put(0);
        Ok(())
    }
}
