package dev.jitney.codec;

import java.nio.charset.StandardCharsets;

/** The descriptors of message sections, which have three forms. */
public final class Sections {
    public static final int PROPERTIES = Codes.PROPERTIES;
    public static final int APPLICATION_PROPERTIES = Codes.APPLICATION_PROPERTIES;
    public static final int DATA = Codes.DATA;
    public static final int AMQP_VALUE = Codes.AMQP_VALUE;

    /**
     * The size in bytes of a descriptor in the only form that every client recognizes: 0x00 0x53 code (wire reference
     * 1.5).
     */
    static final int PREFIX_SIZE = 3;

    private static final byte[][] NAMES = {
        ascii("amqp:header:list"),
        ascii("amqp:delivery-annotations:map"),
        ascii("amqp:message-annotations:map"),
        ascii("amqp:properties:list"),
        ascii("amqp:application-properties:map"),
        ascii("amqp:data:binary"),
        ascii("amqp:amqp-sequence:list"),
        ascii("amqp:amqp-value:*"),
        ascii("amqp:footer:map"),
    };

    private Sections() {}

    /**
     * Skips the descriptor of a section.
     *
     * @return the code of the section, 0x70 to 0x78
     */
    public static int enter(AmqpReader in) throws MessageFormatException {
        int described = in.readCode();
        if (described != Codes.DESCRIBED) {
            throw AmqpReader.unexpected("a message section", described);
        }
        int code = in.peekCode();
        long descriptor;
        if (code == Codes.SMALL_ULONG || code == Codes.ULONG) {
            descriptor = in.readULong();
        } else {
            descriptor = codeOfName(in);
        }
        if (descriptor < Codes.HEADER || descriptor > Codes.FOOTER) {
            throw MessageFormatException.decodeError("Expected a message section, but got a value with descriptor 0x"
                    + Long.toHexString(descriptor) + ".");
        }
        return (int) descriptor;
    }

    private static int codeOfName(AmqpReader in) throws MessageFormatException {
        in.enterSymbol();
        for (int i = 0; i < NAMES.length; i++) {
            if (in.isText(NAMES[i])) {
                return Codes.HEADER + i;
            }
        }
        throw MessageFormatException.decodeError("Expected a message section, but got an unknown descriptor.");
    }

    /** Returns the short form of a descriptor. */
    static byte[] prefix(int section) {
        return new byte[] {Codes.DESCRIBED, Codes.SMALL_ULONG, (byte) section};
    }

    /** Returns whether a section starts with the short form of its descriptor. */
    static boolean isShortForm(byte[] bytes, int at) {
        return bytes[at + 1] == Codes.SMALL_ULONG;
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
