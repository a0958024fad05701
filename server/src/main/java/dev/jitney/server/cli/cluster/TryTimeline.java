package dev.jitney.server.cli.cluster;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lines that the demonstration prints: one a second, and one for each event. Used by one thread. */
final class TryTimeline {
    private static final int CELLS = 20;
    private static final String LINE = "%6.1f s   %8s   %8s   %-6s  %s%n";

    private final PrintStream out;
    private final TryLedger ledger;
    private final long begunNanos = System.nanoTime();
    private long sent;
    private long received;
    private long lastNanos = begunNanos;

    TryTimeline(PrintStream out, TryLedger ledger) {
        this.out = out;
        this.ledger = ledger;
    }

    /** Prints the headings of the columns. */
    void begin() {
        out.println();
        out.println("    time     sent/s   recv./s   leader");
        lastNanos = System.nanoTime();
    }

    /**
     * Prints the figures of the time since the last call, if that is a second.
     *
     * @param leaderNow returns the name of the leader, or null
     */
    void second(Supplier<@Nullable String> leaderNow) {
        long now = System.nanoTime();
        if (now - lastNanos < TimeUnit.SECONDS.toNanos(1)) {
            return;
        }
        String leader = leaderNow.get();
        double seconds = (now - lastNanos) / 1e9;
        long sentNow = ledger.accepted();
        long receivedNow = ledger.arrivals();
        long rate = Math.round((sentNow - sent) / seconds);
        out.printf(
                Locale.ROOT,
                LINE,
                (now - begunNanos) / 1e9,
                rate,
                Math.round((receivedNow - received) / seconds),
                leader == null ? "none" : leader,
                rate == 0 ? "" : "#".repeat((int) Math.max(1, Math.min(CELLS, rate * CELLS / TryClient.RATE))));
        out.flush();
        sent = sentNow;
        received = receivedNow;
        lastNanos = now;
    }

    /** Prints an event. */
    void event(String text) {
        out.printf(Locale.ROOT, "%6.1f s   %s%n", (System.nanoTime() - begunNanos) / 1e9, text);
        out.flush();
    }
}
