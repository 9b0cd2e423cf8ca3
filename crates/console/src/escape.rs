//! How does a text stand in HTML, SVG and XML without being taken for markup?

use crate::visible::{visible, visible_lines};

/// Right for contents and for attributes in double quotes. What readers would not see is shown as an escape, which XML could not have at all.
pub fn escaped(text: &str) -> String {
    without_markup(&visible(text))
}

/// The same for a text of several lines.
pub fn escaped_lines(text: &str) -> String {
    without_markup(&visible_lines(text))
}

fn without_markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
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
            escaped_lines("<a href=\"x\" b='y'> & \u{0}\u{ffff}\n"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt; &amp; \\u0000\\uffff\n"
        );
        assert_eq!(escaped("a\nb\u{202e}"), "a\\nb\\u202e");
    }
}
