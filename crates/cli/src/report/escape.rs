//! How does a text stand in HTML, SVG and XML without being taken for markup?

/// Right for contents and for attributes in double quotes. What XML cannot have at all is written as in Java source.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(letter),
            '\u{fffe}' | '\u{ffff}' => escaped.push_str(&format!("\\u{:04x}", letter as u32)),
            letter if letter.is_control() => escaped.push_str(&format!("\\u{:04x}", letter as u32)),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(
            escaped("<a href=\"x\" b='y'> & \u{0}\u{ffff}\n"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt; &amp; \\u0000\\uffff\n"
        );
    }
}
