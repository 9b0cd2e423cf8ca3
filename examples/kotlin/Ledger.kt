package shop

/** Money in cents: a class of one value, which the compiler leaves out where it can. */
@JvmInline
value class Cents(val amount: Int) {
    operator fun plus(other: Cents) = Cents(amount + other.amount)
}

/** A list of bookings and its sum. */
class Ledger {
    private class Booking(val cents: Int, val before: Booking?)

    private var last: Booking? = null
    private var sum = 0

    fun repOK(): Boolean {
        var booking = last
        var counted = 0
        var steps = 0
        while (booking != null) {
            if (++steps > 100) return false
            counted += booking.cents
            booking = booking.before
        }
        return counted == sum
    }

    /** Kotlin rejects a null for `note` at the entry: a rejection, and no defect. */
    fun book(cents: Cents, note: String): Int {
        last = Booking(cents.amount, last)
        sum = (Cents(sum) + cents).amount
        return note.length
    }

    /** The defect: the sum keeps what was taken back. */
    fun takeBack() {
        last = last!!.before
    }
}
