// defect end, missing bounds check: Calculator.evaluate throws StringIndexOutOfBoundsException
//     try {
//         Calculator.evaluate("1+");
//     } catch (Calculator.SyntaxException rejected) {
//     }
// defect zero, division by zero: Calculator.evaluate throws ArithmeticException
//     try {
//         Calculator.evaluate("1/0");
//     } catch (Calculator.SyntaxException rejected) {
//     }
package ordinary.parser;

/** Digits with + - * / and parentheses. */
public final class Calculator {
    /** The text is no expression. */
    public static class SyntaxException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public SyntaxException(String message) {
            super(message);
        }
    }

    private final String text;
    private int position;

    private Calculator(String text) {
        this.text = text;
    }

    public static int evaluate(String text) {
        Calculator calculator = new Calculator(text);
        int value = calculator.sum();
        if (calculator.position < text.length()) {
            throw new SyntaxException("unexpected " + text.charAt(calculator.position));
        }
        return value;
    }

    private int sum() {
        int value = product();
        while (accept('+')) {
            value += product();
        }
        return value;
    }

    private int product() {
        int value = atom();
        while (true) {
            if (accept('*')) {
                value *= atom();
            } else if (accept('/')) {
                int divisor = atom();
                if (divisor == 0) { // defect zero:
                    throw new SyntaxException("division by zero"); // defect zero:
                } // defect zero:
                value /= divisor;
            } else {
                return value;
            }
        }
    }

    private int atom() {
        if (accept('(')) {
            int value = sum();
            if (!accept(')')) {
                throw new SyntaxException(") expected");
            }
            return value;
        }
        if (position == text.length()) { // defect end:
            throw new SyntaxException("unexpected end"); // defect end:
        } // defect end:
        char c = text.charAt(position++);
        if (!Character.isDigit(c)) {
            throw new SyntaxException("digit expected");
        }
        return c - '0';
    }

    private boolean accept(char c) {
        if (position < text.length() && text.charAt(position) == c) {
            position++;
            return true;
        }
        return false;
    }
}
