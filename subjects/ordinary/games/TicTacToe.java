// defect diagonal, off by one: TicTacToe.hasWon throws ArrayIndexOutOfBoundsException
//     new TicTacToe().hasWon(TicTacToe.Player.X);
// defect turn, missed update: TicTacToe.play throws AssertionError
//     TicTacToe game = new TicTacToe();
//     game.play(0, 0);
//     game.play(1, 1);
package ordinary.games;

/** Three in a row. */
public class TicTacToe {
    public enum Player {
        X, O;

        Player other() {
            return this == X ? O : X;
        }
    }

    private static final int SIZE = 3;

    private final Player[][] board = new Player[SIZE][SIZE];
    private Player next = Player.X;
    private int moves;

    public Player next() {
        return next;
    }

    public boolean play(int row, int column) {
        if (row < 0 || row >= SIZE || column < 0 || column >= SIZE) {
            throw new IllegalArgumentException("outside of the board");
        }
        if (board[row][column] != null || hasWon(next.other())) {
            return false;
        }
        board[row][column] = next;
        next = next.other(); // defect turn:
        moves++;
        assert (next == Player.X) == (moves % 2 == 0);
        return true;
    }

    public boolean hasWon(Player player) {
        boolean diagonal = true;
        boolean antidiagonal = true;
        for (int i = 0; i < SIZE; i++) {
            boolean row = true;
            boolean column = true;
            for (int j = 0; j < SIZE; j++) {
                row &= board[i][j] == player;
                column &= board[j][i] == player;
            }
            if (row || column) {
                return true;
            }
            diagonal &= board[i][i] == player;
            antidiagonal &= board[i][SIZE - 1 - i] == player; // defect diagonal: antidiagonal &= board[i][SIZE - i] == player;
        }
        return diagonal || antidiagonal;
    }

    public boolean isDraw() {
        return moves == SIZE * SIZE && !hasWon(Player.X) && !hasWon(Player.O);
    }
}
