package dev.jitney.crash.greedy;

/** Descriptors of what a server sends in frames (AMQP 1.0 part 2, section 2.7, and part 5, section 5.3.3). */
final class Performatives {
    static final int OPEN = 0x10;
    static final int BEGIN = 0x11;
    static final int ATTACH = 0x12;
    static final int FLOW = 0x13;
    static final int TRANSFER = 0x14;
    static final int DISPOSITION = 0x15;
    static final int DETACH = 0x16;
    static final int END = 0x17;
    static final int CLOSE = 0x18;
    static final int SASL_OUTCOME = 0x44;

    private Performatives() {}
}
