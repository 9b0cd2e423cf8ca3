// Checks enum constants with fields and methods of their own.
// target: EnumFields.tax
// scope: 1
// domain: int 0 10 40
public class EnumFields {
    enum Rate {
        LOW(5), HIGH(20);

        final int percent;

        Rate(int percent) {
            this.percent = percent;
        }

        int of(int amount) {
            return amount * percent / 100;
        }
    }

    static int tax(Rate rate, int amount) {
        return rate.of(amount) > 1 ? 1 : rate == Rate.LOW ? 2 : 3;
    }
}
