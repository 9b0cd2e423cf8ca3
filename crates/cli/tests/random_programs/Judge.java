package made.up;

import java.util.Set;

/** Runs programs on small inputs and tells their faults: {@code Program7:5} on every fifth. */
public class Judge {
    public static void main(String[] programs) throws Exception {
        for (String program : programs) {
            String[] parts = program.split(":");
            var faults = Class.forName("made.up." + parts[0]).getDeclaredMethod("faults", int.class);
            for (Object fault : (Set<?>) faults.invoke(null, Integer.parseInt(parts[1]))) {
                System.out.println(parts[0] + ":" + fault);
            }
        }
    }
}
