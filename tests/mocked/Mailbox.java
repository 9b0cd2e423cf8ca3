// A transport hands out messages that it may keep: what it gave before it may change later, what it never got stays.
public class Mailbox {
    static class Message {
        int length;
    }

    interface Transport {
        Message next();

        void send(Message message);
    }

    public static int received(Transport transport) {
        Message message = transport.next();
        if (message == null || message.length == 9) {
            return 0;
        }
        return 100 / (9 - message.length);
    }

    public static int receivedLate(Transport transport) {
        Message message = transport.next();
        if (message == null || message.length == 9) {
            return 0;
        }
        transport.next();
        return 100 / (9 - message.length); //: ArithmeticException
    }

    public static void forwarded(Transport transport) {
        Message draft = new Message();
        Message message = transport.next();
        if (message != null) {
            transport.send(message);
        }
        assert draft.length == 0 && draft != message;
    }

    public static void sentTwice(Transport transport) {
        Message draft = new Message();
        transport.send(draft);
        Message answer = transport.next();
        assert answer == null || answer.length == draft.length || answer != draft;
    }
}
