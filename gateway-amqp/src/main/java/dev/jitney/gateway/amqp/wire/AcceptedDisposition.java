package dev.jitney.gateway.amqp.wire;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;

/**
 * The disposition that receivers send for nearly every message: deliveries were accepted, with no further fields. It is
 * read directly from the bytes, since creating objects costs more than reading the fields. The engine reads all other
 * dispositions.
 */
public final class AcceptedDisposition {
    private static final int HEAD_SIZE = 8;

    /** The data offset 2 and the type AMQP. The descriptor of a disposition follows the channel. */
    private static final int OFFSET_AND_TYPE = 0x0200;

    private static final int DISPOSITION = 0x15;
    private static final int ACCEPTED = 0x24;
    private static final int DESCRIPTOR_SIZE = 3;
    private static final int FIELDS_MIN = 5;
    private static final byte NULL = 0x40;
    private static final byte TRUE = 0x41;
    private static final byte FALSE = 0x42;
    private static final byte EMPTY_LIST = 0x45;
    private static final byte LIST8 = (byte) 0xc0;
    private static final byte SMALL_ULONG = 0x53;

    private int channel;
    private int first;
    private int last;
    private boolean settled;

    /**
     * Reads a frame.
     *
     * @param bytes array with the frame, whose encoding was checked
     * @return whether it is such a disposition; otherwise the fields are undefined
     */
    public boolean read(byte[] bytes, int at, int size) {
        int list = at + HEAD_SIZE + DESCRIPTOR_SIZE;
        if (size < HEAD_SIZE + DESCRIPTOR_SIZE + DESCRIPTOR_SIZE
                || u16(bytes, at + Integer.BYTES) != OFFSET_AND_TYPE
                || !describes(bytes, at + HEAD_SIZE, DISPOSITION)
                || bytes[list] != LIST8
                || bytes[list + 2] < FIELDS_MIN
                || bytes[list + DESCRIPTOR_SIZE] != TRUE) { // the role of a receiver
            return false;
        }
        channel = u16(bytes, at + Integer.BYTES + Short.BYTES);
        try {
            return fields(new AmqpReader(bytes, list + DESCRIPTOR_SIZE + 1, at + size), bytes);
        } catch (MessageFormatException other) {
            return false; // the engine reports the error
        }
    }

    private boolean fields(AmqpReader in, byte[] bytes) throws MessageFormatException {
        first = (int) in.readUInt();
        last = in.skipNull() ? first : (int) in.readUInt();
        int said = in.peekCode();
        settled = said == TRUE;
        in.skipValue();
        int state = in.position();
        return (said == TRUE || said == FALSE || said == NULL)
                && in.limit() - state > DESCRIPTOR_SIZE
                && describes(bytes, state, ACCEPTED)
                && bytes[state + DESCRIPTOR_SIZE] == EMPTY_LIST;
    }

    private static boolean describes(byte[] bytes, int at, int code) {
        return bytes[at] == 0 && bytes[at + 1] == SMALL_ULONG && bytes[at + 2] == code;
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    /** Returns the peer's channel. */
    public int channel() {
        return channel;
    }

    /** Returns the id of the first delivery. */
    public int first() {
        return first;
    }

    /** Returns the id of the last delivery. */
    public int last() {
        return last;
    }

    /** Returns whether the peer settled the deliveries and needs no answer. */
    public boolean settled() {
        return settled;
    }
}
