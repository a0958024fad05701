package dev.jitney.server.config;

/** Defaults of the emulator's file, which differ from those of the service (HTTP reference 4.1). */
final class EmulatorDefaults {
    static final long TIME_TO_LIVE_MS = 60 * 60 * 1_000;
    static final long DUPLICATE_WINDOW_MS = 20 * 1_000;
    static final int MAX_DELIVERY_COUNT = 3;

    private EmulatorDefaults() {}
}
