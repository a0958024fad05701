package dev.jitney.testing.amqp;

/** Descriptor codes of AMQP 1.0, parts 2, 3 and 5. */
public final class Code {
    public static final int OPEN = 0x10;
    public static final int BEGIN = 0x11;
    public static final int ATTACH = 0x12;
    public static final int FLOW = 0x13;
    public static final int TRANSFER = 0x14;
    public static final int DISPOSITION = 0x15;
    public static final int DETACH = 0x16;
    public static final int END = 0x17;
    public static final int CLOSE = 0x18;
    public static final int ERROR = 0x1d;

    public static final int RECEIVED = 0x23;
    public static final int ACCEPTED = 0x24;
    public static final int REJECTED = 0x25;
    public static final int RELEASED = 0x26;
    public static final int MODIFIED = 0x27;
    public static final int SOURCE = 0x28;
    public static final int TARGET = 0x29;

    public static final int COORDINATOR = 0x30;
    public static final int DECLARE = 0x31;
    public static final int DISCHARGE = 0x32;
    public static final int DECLARED = 0x33;
    public static final int TRANSACTIONAL_STATE = 0x34;

    public static final int SASL_MECHANISMS = 0x40;
    public static final int SASL_INIT = 0x41;
    public static final int SASL_OUTCOME = 0x44;

    public static final int HEADER = 0x70;
    public static final int DELIVERY_ANNOTATIONS = 0x71;
    public static final int MESSAGE_ANNOTATIONS = 0x72;
    public static final int PROPERTIES = 0x73;
    public static final int APPLICATION_PROPERTIES = 0x74;
    public static final int DATA = 0x75;
    public static final int SEQUENCE = 0x76;
    public static final int VALUE = 0x77;
    public static final int FOOTER = 0x78;

    private Code() {}
}
