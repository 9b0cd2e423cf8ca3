// defect compared, a comparison that overflows: Version.isNewerThan throws AssertionError
//     new Version(Integer.MAX_VALUE, 0).isNewerThan(new Version(-1, 0));
// defect parts, missing bounds check: Version.parse throws ArrayIndexOutOfBoundsException
//     Version.parse("17");
package ordinary.release;

/** A version of two numbers. */
public record Version(int major, int minor) implements Comparable<Version> {
    public static Version parse(String text) {
        String[] parts = text.split("\\.");
        if (parts.length == 0) {
            throw new IllegalArgumentException("no version: " + text);
        }
        try {
            int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0; // defect parts: int minor = Integer.parseInt(parts[1]);
            return new Version(Integer.parseInt(parts[0]), minor);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no version: " + text, e);
        }
    }

    @Override
    public int compareTo(Version other) {
        if (major != other.major) {
            return Integer.compare(major, other.major); // defect compared: return major - other.major;
        }
        return Integer.compare(minor, other.minor);
    }

    public boolean isNewerThan(Version other) {
        boolean isNewer = compareTo(other) > 0;
        assert !isNewer || major >= other.major;
        assert isNewer || major <= other.major;
        return isNewer;
    }

    public Version nextMinor() {
        return new Version(major, minor + 1);
    }
}
