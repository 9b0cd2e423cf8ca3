package pli;

/** The parameters of a text template: in the order in which they occur, and by name. */
public class Template {
    static class Parameter {
        int name;
        int index;
        int row;
        int column;
    }

    /** LinkedList with parameters as elements. */
    static class ParameterList {
        static class Entry {
            Parameter element;
            Entry next;
            Entry previous;
        }

        int size;
        Entry header;

        ParameterList() {
            header = new Entry();
            header.next = header;
            header.previous = header;
        }

        void add(Parameter element) {
            Entry fresh = new Entry();
            fresh.element = element;
            fresh.next = header;
            fresh.previous = header.previous;
            fresh.previous.next = fresh;
            fresh.next.previous = fresh;
            size++;
        }

        boolean repOKHeap() {
            if (header == null) {
                return false;
            }
            Entry entry = header;
            do {
                Entry next = entry.next;
                if (next == null || next.previous != entry) {
                    return false;
                }
                entry = next;
            } while (entry != header);
            return true;
        }

        boolean repOKData() {
            int count = 0;
            for (Entry entry = header.next; entry != header; entry = entry.next) {
                count++;
            }
            return size == count;
        }
    }

    ParameterList parameters;
    HashMap byName;

    public Template() {
        parameters = new ParameterList();
        byName = new HashMap();
    }

    /** A parameter that occurs again is listed again, and its name then means the last occurrence. */
    public void addParameter(int name, int row, int column) {
        Parameter parameter = new Parameter();
        parameter.name = name;
        parameter.index = parameters.size;
        parameter.row = row;
        parameter.column = column;
        parameters.add(parameter);
        byName.put(name, parameter);
    }

    /** The parameter with this name, or null if there is none. */
    public Object getParameter(int name) {
        return byName.get(name);
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    boolean repOKHeap() {
        return parameters != null && parameters.repOKHeap() && byName != null && byName.repOKHeap();
    }

    boolean repOKData() {
        return parameters.repOKData() && byName.repOKData();
    }
}
