package dev.jitney.fuzz.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The reduction of a failing input as long as it fails in the same way: removes pieces and replaces bytes by plain
 * ones.
 */
final class Minimiser {
    private static final byte PLAIN = '0';

    private final Predicate<byte[]> stillFails;
    private final long deadlineNs;

    Minimiser(long patienceMs, Predicate<byte[]> stillFails) {
        this.stillFails = stillFails;
        this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    }

    byte[] minimise(byte[] input) {
        byte[] best = input;
        boolean better = true;
        while (better && hasTime()) {
            byte[] shorter = plainer(shorter(best));
            better = shorter.length < best.length;
            best = shorter;
        }
        return best;
    }

    private byte[] shorter(byte[] input) {
        byte[] best = input;
        for (int size = Math.max(1, best.length / 2); size > 0 && hasTime(); size /= 2) {
            for (int at = 0; at + size <= best.length && hasTime(); ) {
                byte[] without = Mutations.splice(best, at, size, new byte[0]);
                if (stillFails.test(without)) {
                    best = without;
                } else {
                    at += size;
                }
            }
        }
        return best;
    }

    private byte[] plainer(byte[] input) {
        byte[] best = input;
        for (int at = 0; at < best.length && hasTime(); at++) {
            byte[] changed = best.clone();
            changed[at] = PLAIN;
            if (best[at] != PLAIN && best[at] != 0 && stillFails.test(changed)) {
                best = changed;
            }
        }
        return best;
    }

    private boolean hasTime() {
        return System.nanoTime() < deadlineNs;
    }
}
