// defect country, missing bounds check: PhoneNumber.parse throws StringIndexOutOfBoundsException
//     try {
//         PhoneNumber.parse("+4");
//     } catch (IllegalArgumentException rejected) {
//     }
package ordinary.contacts;

import java.util.Objects;

/** A number with the code of a country. */
public record PhoneNumber(String country, String number) {
    public PhoneNumber {
        Objects.requireNonNull(country);
        Objects.requireNonNull(number);
    }

    public static PhoneNumber parse(String text) {
        if (!text.startsWith("+")) {
            return new PhoneNumber("49", digits(text));
        }
        if (text.length() < 3) { // defect country:
            throw new IllegalArgumentException("too short: " + text); // defect country:
        } // defect country:
        return new PhoneNumber(text.substring(1, 3), digits(text.substring(3)));
    }

    public boolean isDomestic(String home) {
        return country.equals(home);
    }

    @Override
    public String toString() {
        return "+" + country + " " + number;
    }

    private static String digits(String text) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                digits.append(c);
            }
        }
        return digits.toString();
    }
}
