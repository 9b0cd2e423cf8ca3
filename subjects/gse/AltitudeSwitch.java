package gse;

import java.util.HashSet;
import java.util.Set;

/**
 * Switches a device on when an aircraft comes down to an altitude. It gets a list of time-stamped readings, each of which is accurate or not; a reading that is
 * missing for too long, or does not make sense, is a fault of the altimeter.
 */
public class AltitudeSwitch {
    static final int THRESHOLD = 2000;
    static final int HYSTERESIS = 200;
    static final int HIGHEST = 20000;
    static final int PATIENCE = 2000;

    boolean isInhibited;
    boolean isPowered;
    private int lastAccurate;
    private int faults;
    private boolean isAbove;

    /** A reading of the altitude. */
    static class Message {
        int time;
        int altitude;
        String quality;
        Message next;
    }

    /** The precondition on a list of readings: time goes on. */
    boolean acyclic(Message first) {
        Set<Message> visited = new HashSet<>();
        int before = 0;
        for (Message message = first; message != null; message = message.next) {
            if (!visited.add(message) || message.time < before) {
                return false;
            }
            before = message.time;
        }
        return true;
    }

    /** Takes all readings, and returns how many faults the altimeter had. */
    public int process(Message first) {
        faults = 0;
        lastAccurate = 0;
        isAbove = true;
        for (Message message = first; message != null; message = message.next) {
            if (!isUsable(message)) {
                if (message.time - lastAccurate > PATIENCE) {
                    faults++;
                    isPowered = false;
                }
                continue;
            }
            lastAccurate = message.time;
            follow(message.altitude);
        }
        return faults;
    }

    private boolean isUsable(Message message) {
        if (message.quality == null) {
            return false;
        }
        if (message.quality.equals("accurate")) {
            return message.altitude >= 0 && message.altitude <= HIGHEST;
        }
        return message.quality.equals("degraded") && message.altitude > THRESHOLD && message.altitude <= HIGHEST;
    }

    private void follow(int altitude) {
        if (isAbove && altitude < THRESHOLD) {
            isAbove = false;
            if (!isInhibited && !isPowered) {
                isPowered = true;
            }
        } else if (!isAbove && altitude > THRESHOLD + HYSTERESIS) {
            isAbove = true;
        }
    }
}
