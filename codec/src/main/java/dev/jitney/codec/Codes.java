package dev.jitney.codec;

import java.util.Arrays;

/** Constructor codes of the AMQP 1.0 type system (part 1, 1.6) and the descriptors of message sections (part 3, 3.2). */
public final class Codes {
    public static final int DESCRIBED = 0x00;
    public static final int NULL = 0x40;
    public static final int TRUE = 0x41;
    public static final int FALSE = 0x42;
    public static final int UINT0 = 0x43;
    public static final int ULONG0 = 0x44;
    public static final int LIST0 = 0x45;
    public static final int UBYTE = 0x50;
    public static final int BYTE = 0x51;
    public static final int SMALL_UINT = 0x52;
    public static final int SMALL_ULONG = 0x53;
    public static final int SMALL_INT = 0x54;
    public static final int SMALL_LONG = 0x55;
    public static final int BOOLEAN = 0x56;
    public static final int USHORT = 0x60;
    public static final int SHORT = 0x61;
    public static final int UINT = 0x70;
    public static final int INT = 0x71;
    public static final int FLOAT = 0x72;
    public static final int CHAR = 0x73;
    public static final int DECIMAL32 = 0x74;
    public static final int ULONG = 0x80;
    public static final int LONG = 0x81;
    public static final int DOUBLE = 0x82;
    public static final int TIMESTAMP = 0x83;
    public static final int DECIMAL64 = 0x84;
    public static final int DECIMAL128 = 0x94;
    public static final int UUID = 0x98;
    public static final int VBIN8 = 0xa0;
    public static final int STR8 = 0xa1;
    public static final int SYM8 = 0xa3;
    public static final int VBIN32 = 0xb0;
    public static final int STR32 = 0xb1;
    public static final int SYM32 = 0xb3;
    public static final int LIST8 = 0xc0;
    public static final int MAP8 = 0xc1;
    public static final int LIST32 = 0xd0;
    public static final int MAP32 = 0xd1;
    public static final int ARRAY8 = 0xe0;
    public static final int ARRAY32 = 0xf0;

    public static final int HEADER = 0x70;
    public static final int DELIVERY_ANNOTATIONS = 0x71;
    public static final int MESSAGE_ANNOTATIONS = 0x72;
    public static final int PROPERTIES = 0x73;
    public static final int APPLICATION_PROPERTIES = 0x74;
    public static final int DATA = 0x75;
    public static final int AMQP_SEQUENCE = 0x76;
    public static final int AMQP_VALUE = 0x77;
    public static final int FOOTER = 0x78;

    /** Results of {@link #shape} for codes without a fixed width. */
    static final int INVALID = -1;

    static final int VARIABLE8 = -2;
    static final int VARIABLE32 = -3;
    static final int COMPOUND8 = -4;
    static final int COMPOUND32 = -5;
    static final int ARRAY_8 = -6;
    static final int ARRAY_32 = -7;

    private static final byte[] SHAPES = new byte[256];

    static {
        Arrays.fill(SHAPES, (byte) INVALID);
        set(0, NULL, TRUE, FALSE, UINT0, ULONG0, LIST0);
        set(1, UBYTE, BYTE, SMALL_UINT, SMALL_ULONG, SMALL_INT, SMALL_LONG, BOOLEAN);
        set(2, USHORT, SHORT);
        set(4, UINT, INT, FLOAT, CHAR, DECIMAL32);
        set(8, ULONG, LONG, DOUBLE, TIMESTAMP, DECIMAL64);
        set(16, DECIMAL128, UUID);
        set(VARIABLE8, VBIN8, STR8, SYM8);
        set(VARIABLE32, VBIN32, STR32, SYM32);
        set(COMPOUND8, LIST8, MAP8);
        set(COMPOUND32, LIST32, MAP32);
        set(ARRAY_8, ARRAY8);
        set(ARRAY_32, ARRAY32);
    }

    private Codes() {}

    /** Returns the width in bytes of a value with that constructor code, or one of the negative shapes above. */
    static int shape(int code) {
        return SHAPES[code];
    }

    /** Returns whether values with that constructor code are strings or symbols. */
    static boolean isText(int code) {
        return code == STR8 || code == STR32 || code == SYM8 || code == SYM32;
    }

    private static void set(int shape, int... codes) {
        for (int code : codes) {
            SHAPES[code] = (byte) shape;
        }
    }
}
