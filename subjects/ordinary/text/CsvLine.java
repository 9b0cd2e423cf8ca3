// defect quote, missing bounds check: CsvLine.parse throws StringIndexOutOfBoundsException
//     CsvLine.parse("\"a\"");
// defect column, off by one: CsvLine.get throws IndexOutOfBoundsException
//     CsvLine.parse("a,b").get(2);
package ordinary.text;

import java.util.ArrayList;
import java.util.List;

/** The fields of a line, which may be quoted. */
public final class CsvLine {
    private final List<String> fields;

    private CsvLine(List<String> fields) {
        this.fields = fields;
    }

    public static CsvLine parse(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') { // defect quote: if (isQuoted && line.charAt(i + 1) == '"') {
                    field.append('"');
                    i++;
                } else {
                    isQuoted = !isQuoted;
                }
            } else if (c == ',' && !isQuoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return new CsvLine(fields);
    }

    public int size() {
        return fields.size();
    }

    /** @return the field, or an empty one if there are fewer */
    public String get(int column) {
        if (column < 0 || column >= fields.size()) { // defect column: if (column < 0 || column > fields.size()) {
            return "";
        }
        return fields.get(column);
    }

    public boolean isEmpty() {
        return fields.size() == 1 && fields.get(0).isEmpty();
    }
}
