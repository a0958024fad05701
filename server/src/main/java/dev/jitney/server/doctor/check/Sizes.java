package dev.jitney.server.doctor.check;

import java.util.Locale;

/** Numbers of bytes for people. */
final class Sizes {
    static final long MIB = 1L << 20;
    static final long GIB = 1L << 30;

    private Sizes() {}

    static String of(long bytes) {
        return bytes >= GIB
                ? String.format(Locale.ROOT, "%.1f GiB", bytes / (double) GIB)
                : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) MIB);
    }
}
