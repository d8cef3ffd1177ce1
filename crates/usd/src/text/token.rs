//! The words of USD's text.

use crate::UsdError;

/// One word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A name, a number, or a key with dots and colons.
    Word(&'a [u8]),
    /// Text in quotes, without them.
    Text(&'a [u8]),
    /// `@asset@` or `</path>`, without its marks.
    Link(&'a [u8]),
    /// One of `( ) [ ] { } = , ;` and so on.
    Mark(u8),
}

/// Reads word after word.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            line: 1,
        }
    }

    /// The line that was read last, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// A complaint about what was read last.
    pub fn fault(&self, what: &str) -> UsdError {
        UsdError::line(self.line, what)
    }

    fn advance(&mut self, to: usize) {
        let to = to.min(self.bytes.len());
        let passed = &self.bytes[self.at..to];
        self.line += passed.iter().filter(|c| **c == b'\n').count();
        self.at = to;
    }

    /// The next word without taking it.
    pub fn peek(&self) -> Result<Option<Token<'a>>, UsdError> {
        self.clone().next()
    }

    /// The next word; none at the end.
    pub fn next(&mut self) -> Result<Option<Token<'a>>, UsdError> {
        loop {
            let Some(c) = self.bytes.get(self.at) else {
                return Ok(None);
            };
            if c.is_ascii_whitespace() {
                self.line += usize::from(*c == b'\n');
                self.at += 1;
            } else if *c == b'#' {
                let rest = &self.bytes[self.at..];
                let end = rest.iter().position(|c| *c == b'\n');
                self.at += end.unwrap_or(rest.len());
            } else {
                break;
            }
        }
        let rest = &self.bytes[self.at..];
        let token = match rest[0] {
            quote @ (b'"' | b'\'') => return self.text(quote).map(Some),
            b'@' => return self.link(b'@').map(Some),
            b'<' => return self.link(b'>').map(Some),
            c if is_word(c) => {
                let end = rest.iter().position(|c| !is_word(*c));
                let word = &rest[..end.unwrap_or(rest.len())];
                self.at += word.len();
                Token::Word(word)
            }
            c => {
                self.at += 1;
                Token::Mark(c)
            }
        };
        Ok(Some(token))
    }

    fn text(&mut self, quote: u8) -> Result<Token<'a>, UsdError> {
        let rest = &self.bytes[self.at..];
        let width = if rest.starts_with(&[quote; 3]) { 3 } else { 1 };
        let mut i = width;
        while i < rest.len() {
            if rest[i] == b'\\' {
                i += 2;
            } else if rest[i..].starts_with(&[quote; 3][..width]) {
                let text = &rest[width..i];
                self.advance(self.at + i + width);
                return Ok(Token::Text(text));
            } else {
                i += 1;
            }
        }
        Err(self.fault("a text has no end"))
    }

    fn link(&mut self, end: u8) -> Result<Token<'a>, UsdError> {
        // Three marks let single ones stand in between.
        let width = match self.bytes[self.at..].starts_with(b"@@@") {
            true => 3,
            false => 1,
        };
        let from = self.at + width;
        let marks = [end; 3];
        let mut windows = self.bytes[from..].windows(width);
        let Some(length) = windows.position(|window| *window == marks[..width]) else {
            return Err(self.fault("a reference has no end"));
        };
        let link = &self.bytes[from..from + length];
        self.advance(from + length + width);
        Ok(Token::Link(link))
    }

    /// Passes the value that comes next, whatever it holds.
    pub fn skip_value(&mut self) -> Result<(), UsdError> {
        let mut depth = 0usize;
        loop {
            match self.next()? {
                None => return Err(self.fault("the file ends in the middle of a value")),
                Some(Token::Mark(b'(' | b'[' | b'{')) => depth += 1,
                Some(Token::Mark(b')' | b']' | b'}')) => depth = depth.saturating_sub(1),
                Some(_) => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// All numbers of the value that comes next.
    pub fn numbers<T: std::str::FromStr>(&mut self) -> Result<Vec<T>, UsdError> {
        let mut out = Vec::new();
        let mut depth = 0usize;
        loop {
            match self.next()? {
                None => return Err(self.fault("the file ends in the middle of a value")),
                Some(Token::Mark(b'(' | b'[')) => depth += 1,
                Some(Token::Mark(b')' | b']')) => depth = depth.saturating_sub(1),
                Some(Token::Mark(b',')) => {}
                Some(Token::Word(b"None")) if depth == 0 => {}
                Some(Token::Word(word)) => {
                    let text = std::str::from_utf8(word).unwrap_or_default();
                    let number = text.parse();
                    out.push(number.map_err(|_| {
                        let shown: String = text.chars().take(30).collect();
                        self.fault(&format!("\"{shown}\" is no number that can stand here"))
                    })?);
                }
                Some(_) => return Err(self.fault("this is no number")),
            }
            if depth == 0 {
                return Ok(out);
            }
        }
    }

    /// Passes everything up to where so many brackets are closed.
    pub fn close(&mut self, mut depth: usize) -> Result<(), UsdError> {
        while depth > 0 {
            match self.next()? {
                None => return Err(self.fault("a bracket is never closed")),
                Some(Token::Mark(b'(' | b'[' | b'{')) => depth += 1,
                Some(Token::Mark(b')' | b']' | b'}')) => depth -= 1,
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// All texts and links of the value that comes next.
    pub fn texts(&mut self) -> Result<Vec<Vec<u8>>, UsdError> {
        let mut out = Vec::new();
        let mut depth = 0usize;
        loop {
            match self.next()? {
                None => return Err(self.fault("the file ends in the middle of a value")),
                Some(Token::Mark(b'[')) => depth += 1,
                Some(Token::Mark(b']')) => depth = depth.saturating_sub(1),
                Some(Token::Text(text) | Token::Link(text)) => out.push(text.to_vec()),
                Some(_) => {}
            }
            if depth == 0 {
                return Ok(out);
            }
        }
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b':' | b'.' | b'-' | b'+' | b'!') || c >= 128
}
