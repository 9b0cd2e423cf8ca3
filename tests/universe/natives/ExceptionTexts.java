// Exceptions have messages, causes and traces, also those that the virtual machine throws.
// scope: 1
// domain: int -1 0 3
public class ExceptionTexts {
    static class Own extends RuntimeException {
        final int code;

        Own(String message, int code) {
            super(message);
            this.code = code;
        }
    }

    static class Loud {
        @Override
        public String toString() {
            throw new AssertionError();
        }
    }

    int field;

    public static void ofNull(ExceptionTexts given) {
        try {
            given.field = 1;
        } catch (NullPointerException e) {
            assert e.getMessage() == null;
        }
    }

    public static void ofDivision(int number) {
        try {
            number = 1 / number;
        } catch (ArithmeticException e) {
            assert e.getMessage() == null;
        }
    }

    public static void ofIndex(int number) {
        int[] items = new int[1];
        try {
            items[number] = 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            assert e.getMessage() == null;
        }
    }

    public static void traced(int number) {
        try {
            number = 1 / number;
        } catch (ArithmeticException e) {
            assert e.getStackTrace().length == 0;
        }
    }

    public static void own(int number) {
        try {
            if (number == 3) {
                throw new Own("m", number);
            }
        } catch (Own e) {
            assert e.getMessage() == null;
        }
    }

    public static void code(int number) {
        try {
            throw new Own("m", number);
        } catch (Own e) {
            assert e.code != 3;
        }
    }

    public static void cause(int number) {
        try {
            if (number == 3) {
                throw new RuntimeException(new Error());
            }
        } catch (RuntimeException e) {
            assert e.getCause() == null;
        }
    }

    public static void detail(int number) {
        try {
            assert number != 3 : "text";
        } catch (AssertionError e) {
            assert e.getMessage() == null;
        }
    }

    public static void asked(int number) {
        try {
            if (number < 0) {
                throw new IllegalArgumentException("negative");
            }
        } catch (IllegalArgumentException e) {
            if ("negative".equals(e.getMessage())) {
                throw new AssertionError();
            }
        }
    }

    public static void askedInVain(int number) {
        try {
            if (number < 0) {
                throw new IllegalArgumentException("negative");
            }
        } catch (IllegalArgumentException e) {
            if (!"negative".equals(e.getMessage())) {
                throw new AssertionError();
            }
        }
    }

    public static void suppressed(int number) {
        RuntimeException exception = new RuntimeException();
        if (number == 3) {
            exception.addSuppressed(new Error());
        }
        assert exception.getSuppressed().length == 0;
    }

    public static void loudDetail(int number) {
        try {
            throw new AssertionError(number == 3 ? new Loud() : null);
        } catch (AssertionError e) {
            return;
        }
    }

    public static void loudText(int number) {
        Object loud = number == 3 ? new Loud() : null;
        String text = "a" + loud;
    }

    public static void unchecked(int number) {
        try {
            throw new java.io.UncheckedIOException(number == 3 ? null : new java.io.IOException());
        } catch (java.io.UncheckedIOException e) {
            return;
        }
    }
}
