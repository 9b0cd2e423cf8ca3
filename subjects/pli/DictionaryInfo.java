package pli;

/** The fields of a dictionary by number and, once there are any, by name. */
public class DictionaryInfo {
    static class FieldInfo {
        int number;
        int name;
    }

    TreeMap fieldsByNumber;
    /** Is made when the first field comes, so it may be null. */
    TreeMap fieldsByName;

    public DictionaryInfo() {
        fieldsByNumber = new TreeMap();
    }

    public void addField(int number, int name) {
        FieldInfo field = new FieldInfo();
        field.number = number;
        field.name = name;
        fieldsByNumber.put(number, field);
        if (fieldsByName == null) {
            fieldsByName = new TreeMap();
        }
        fieldsByName.put(name, field);
    }

    /** The field with this number, or null if there is none. */
    public Object getField(int number) {
        return fieldsByNumber.get(number);
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /** Red-black trees without a common entry; comparing the roots is enough, as in TransportStats. */
    boolean repOKHeap() {
        if (fieldsByNumber == null || fieldsByNumber == fieldsByName) {
            return false;
        }
        if (fieldsByName == null) {
            return fieldsByNumber.repOKHeap();
        }
        if (fieldsByNumber.root != null && fieldsByNumber.root == fieldsByName.root) {
            return false;
        }
        return fieldsByNumber.repOKHeap() && fieldsByName.repOKHeap();
    }

    boolean repOKData() {
        return fieldsByNumber.repOKData() && (fieldsByName == null || fieldsByName.repOKData());
    }
}
