//! Where a log's bytes come from: a file or standard input, plain or gzip; and the lines in them.

use crate::failure::Failure;
use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use memchr::memchr;
#[cfg(not(target_os = "wasi"))]
use same_file::Handle;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The longest line that is read; of a longer one nothing is kept.
pub(crate) const LONGEST_LINE: usize = 1 << 20;
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// One log that is to be read.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

impl Source {
    /// Takes a path as the command line gives it; `-` is standard input.
    pub(crate) fn new(path: &Path) -> Source {
        if path == Path::new("-") { Source::Stdin } else { Source::File(path.to_owned()) }
    }

    /// Returns the bytes that are to be read, as far as they are known.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) => path.metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len()),
        }
    }

    /// Tells whether the log is the file at `path`, by whatever name. A device that takes what is written is none.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        path.is_file() && self.is_same(path)
    }

    #[cfg(not(target_os = "wasi"))]
    fn is_same(&self, path: &Path) -> bool {
        let own = match self {
            Source::Stdin => Handle::stdin(),
            Source::File(own) => Handle::from_path(own),
        };
        matches!((own, Handle::from_path(path)), (Ok(own), Ok(other)) if own == other)
    }

    /// WASI tells nobody a file's number so far: what agrees in length and in times to the nanosecond is one file.
    #[cfg(target_os = "wasi")]
    fn is_same(&self, path: &Path) -> bool {
        let own = match self {
            Source::Stdin => Path::new("/dev/stdin"),
            Source::File(own) => own,
        };
        let marks = |path: &Path| path.metadata().map(|file| (file.len(), file.modified().ok(), file.created().ok()));
        matches!((marks(own), marks(path)), (Ok(own), Ok(other)) if own == other)
    }

    /// Opens the log. Bytes are counted on `progress` as they lie in the file, so of gzip the packed ones.
    pub(crate) fn open(&self, progress: &ProgressBar) -> Result<Lines, Failure> {
        let raw: Box<dyn Read> = match self {
            Source::Stdin => Box::new(io::stdin().lock()),
            Source::File(path) => Box::new(File::open(path).map_err(Failure::at(path))?),
        };
        let mut raw = progress.wrap_read(raw);
        let mut magic = Vec::new();
        raw.by_ref().take(2).read_to_end(&mut magic).map_err(|error| self.failed(error))?;
        let packed = magic == GZIP;
        let whole = io::Cursor::new(magic).chain(raw);
        Ok(Lines::new(if packed { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) }))
    }

    /// Makes the failure of reading this log.
    pub(crate) fn failed(&self, error: io::Error) -> Failure {
        Failure::Io(self.to_string(), error)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Stdin => f.write_str("standard input"),
            Source::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// What the next line is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// Its bytes, without the line feed.
    Bytes(&'a [u8]),
    /// Longer than [`LONGEST_LINE`].
    TooLong,
}

impl<'a> Line<'a> {
    fn new(bytes: &'a [u8]) -> Line<'a> {
        if bytes.len() > LONGEST_LINE { Line::TooLong } else { Line::Bytes(bytes) }
    }
}

/// Cuts bytes into lines over one buffer. It holds a line at most, however long the log is.
pub(crate) struct Lines {
    bytes: Box<dyn Read>,
    buffer: Vec<u8>,
    /// What is read and not yet handed out.
    start: usize,
    end: usize,
    ended: bool,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("start", &self.start).field("end", &self.end).finish_non_exhaustive()
    }
}

impl Lines {
    fn new(bytes: Box<dyn Read>) -> Lines {
        Lines { bytes, buffer: vec![0; 1 << 18], start: 0, end: 0, ended: false }
    }

    /// Returns the next line; none at the end. A last line needs no line feed.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = 0;
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[self.start + searched..self.end]) {
                let line = self.start..self.start + searched + at;
                self.start = line.end + 1;
                return Ok(Some(Line::new(&self.buffer[line])));
            }
            searched = self.end - self.start;
            if self.ended {
                let line = self.start..self.end;
                self.start = self.end;
                return Ok(if line.is_empty() { None } else { Some(Line::new(&self.buffer[line])) });
            }
            if searched > LONGEST_LINE {
                self.skip_line()?;
                return Ok(Some(Line::TooLong));
            }
            self.fill()?;
        }
    }

    /// Reads more behind what is held, which moves to the front first.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        loop {
            match self.bytes.read(&mut self.buffer[self.end..]) {
                Ok(read) => {
                    self.end += read;
                    self.ended = read == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Drops what is held and goes on behind the next line feed.
    fn skip_line(&mut self) -> io::Result<()> {
        while !self.ended {
            if let Some(at) = memchr(b'\n', &self.buffer[self.start..self.end]) {
                self.start += at + 1;
                return Ok(());
            }
            self.start = self.end;
            self.fill()?;
        }
        self.start = self.end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads at most `step` bytes at a time.
    struct Dribble(Vec<u8>, usize);

    impl Read for Dribble {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let take = self.1.min(self.0.len()).min(room.len());
            room[..take].copy_from_slice(&self.0[..take]);
            self.0.drain(..take);
            Ok(take)
        }
    }

    fn lines(bytes: &[u8], step: usize) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::new(Box::new(Dribble(bytes.to_vec(), step)));
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push(match line {
                Line::Bytes(bytes) => Some(bytes.to_vec()),
                Line::TooLong => None,
            });
        }
        all
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let mut bytes = vec![b'x'; 3 * LONGEST_LINE];
        bytes.extend_from_slice(b"\nshort\n");
        assert_eq!(lines(&bytes, 100_000), [None, Some(b"short".to_vec())]);
        assert_eq!(lines(&bytes[..bytes.len() - 7], 100_000), [None], "without an end");
        let longest = vec![b'x'; LONGEST_LINE];
        assert_eq!(lines(&longest, 100_000), [Some(longest.clone())]);
        let longer = [longest, b"x\n".to_vec()].concat();
        assert_eq!(lines(&longer, 100_000), [None]);
        assert_eq!(lines(&longer, longer.len()), [None], "all at once");
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_the_bytes_arrive(text in "[a\n]{0,60}", step in 1usize..20) {
            let mut expected: Vec<_> = text.split('\n').map(|line| Some(line.as_bytes().to_vec())).collect();
            if text.is_empty() || text.ends_with('\n') {
                expected.pop();
            }
            prop_assert_eq!(lines(text.as_bytes(), step), expected);
        }
    }
}
