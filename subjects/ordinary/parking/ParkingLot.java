// defect left, stale index: ParkingLot.leave throws NullPointerException
//     ParkingLot lot = new ParkingLot(2);
//     lot.enter("A1");
//     lot.leave("A1");
//     lot.leave("A1");
// defect last, off by one: ParkingLot.enter throws ArrayIndexOutOfBoundsException
//     ParkingLot lot = new ParkingLot(1);
//     lot.enter("A1");
//     lot.enter("B2");
package ordinary.parking;

import java.util.HashMap;
import java.util.Map;

/** Cars on numbered spots. */
public class ParkingLot {
    private final String[] spots;
    private final Map<String, Integer> spotOf = new HashMap<>();

    public ParkingLot(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size");
        }
        spots = new String[size];
    }

    /** @return the spot, or -1 if the lot is full or the car is already there */
    public int enter(String plate) {
        if (plate == null) {
            throw new IllegalArgumentException("plate");
        }
        if (spotOf.containsKey(plate)) {
            return -1;
        }
        int spot = 0;
        while (spot < spots.length && spots[spot] != null) { // defect last: while (spots[spot] != null) {
            spot++;
        }
        if (spot == spots.length) {
            return -1;
        }
        spots[spot] = plate;
        spotOf.put(plate, spot);
        return spot;
    }

    public boolean leave(String plate) {
        Integer spot = spotOf.get(plate);
        if (spot == null) {
            return false;
        }
        boolean isThere = spots[spot].equals(plate);
        spots[spot] = null;
        spotOf.remove(plate); // defect left:
        return isThere;
    }

    public int free() {
        return spots.length - spotOf.size();
    }

    public boolean isParked(String plate) {
        return spotOf.containsKey(plate);
    }
}
