// A service asks another one for a price: any number may come back.
public class PriceDesk {
    interface Prices {
        int price(String id);
    }

    private final Prices prices;

    public PriceDesk(Prices prices) {
        this.prices = java.util.Objects.requireNonNull(prices);
    }

    public int share(String id) {
        int price = prices.price(id);
        return 100 / (price - 7); //: ArithmeticException
    }

    public int checkedShare(String id) {
        int price = prices.price(id);
        return price == 7 ? 0 : 100 / (price - 7);
    }

    public void askedTwice(String id) {
        int first = prices.price(id);
        int second = prices.price(id);
        assert first == second; //: AssertionError
    }

    public void askedOnce(String id) {
        int first = prices.price(id);
        int again = first;
        assert first == again;
    }
}
