package dev.jitney.gateway.http.operator.message;

import dev.jitney.gateway.http.exchange.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The bytes of an answer whose size is not known. It reserves memory before it grows. For the event loop of its exchange. */
final class ReservedOutput extends OutputStream {
    private static final int PIECE_BYTES = 64 << 10;

    /** The bytes of a piece are there twice when the pieces become one. */
    private static final int COPIES = 2;

    private final Exchange exchange;
    private final long others;
    private final List<byte[]> pieces = new ArrayList<>();

    /** The bytes in the last piece. */
    private int used = PIECE_BYTES;

    /** Thrown if there is no memory for more bytes. */
    static final class NoMemory extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** @param others bytes that the exchange needs beside the answer */
    ReservedOutput(Exchange exchange, long others) {
        this.exchange = exchange;
        this.others = others;
    }

    @Override
    public void write(int b) throws NoMemory {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws NoMemory {
        int at = from;
        int left = length;
        while (left > 0) {
            if (used == PIECE_BYTES) {
                if (!exchange.reserve(others + COPIES * (pieces.size() + 1L) * PIECE_BYTES)) {
                    throw new NoMemory();
                }
                pieces.add(new byte[PIECE_BYTES]);
                used = 0;
            }
            int some = Math.min(left, PIECE_BYTES - used);
            System.arraycopy(bytes, at, pieces.get(pieces.size() - 1), used, some);
            used += some;
            at += some;
            left -= some;
        }
    }

    byte[] toBytes() {
        byte[] all = new byte[pieces.isEmpty() ? 0 : (pieces.size() - 1) * PIECE_BYTES + used];
        for (int i = 0; i < pieces.size(); i++) {
            int at = i * PIECE_BYTES;
            System.arraycopy(pieces.get(i), 0, all, at, Math.min(PIECE_BYTES, all.length - at));
        }
        return all;
    }
}
