package dev.jitney.model;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The sender's part of a message in its original AMQP encoding, split into the parts that the broker may have to read.
 *
 * <p>One array holds everything, in the layout that is also stored ({@code docs/formats.md}):
 *
 * <table>
 * <caption>layout, version 1</caption>
 * <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 * <tr><td>0</td><td>1</td><td>version, 1</td></tr>
 * <tr><td>1</td><td>1</td><td>flags: bit 0 durable, bit 1 the properties section already carries creation-time and
 * absolute-expiry-time that fit the time to live</td></tr>
 * <tr><td>2</td><td>1</td><td>priority</td></tr>
 * <tr><td>3</td><td>4</td><td>a = size of the annotations</td></tr>
 * <tr><td>7</td><td>4</td><td>p = size of the properties section</td></tr>
 * <tr><td>11</td><td>4</td><td>q = size of the application-properties section</td></tr>
 * <tr><td>15</td><td>a</td><td>the sender's own message annotations that are kept: alternating encoded keys and
 * values, without a map around them</td></tr>
 * <tr><td>15+a</td><td>p</td><td>properties section with its descriptor, or nothing</td></tr>
 * <tr><td>15+a+p</td><td>q</td><td>application-properties section with its descriptor, or nothing</td></tr>
 * <tr><td>15+a+p+q</td><td>rest</td><td>body sections and footer, byte for byte</td></tr>
 * </table>
 *
 * <p>Immutable by convention: the array must not change after construction. Any thread may read it.
 */
public final class MessageContent {
    private static final byte VERSION = 1;
    private static final int FLAG_DURABLE = 1;
    private static final int FLAG_EXPIRY_IN_PROPERTIES = 2;
    private static final int FIXED = 15;

    private final byte[] bytes;
    private final int propertiesAt;
    private final int applicationPropertiesAt;
    private final int bodyAt;
    private final int propertiesNote;

    private MessageContent(byte[] bytes, int propertiesNote) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < FIXED || bytes[0] != VERSION) {
            throw new IllegalArgumentException("Expected message content of version " + VERSION + ", but got "
                    + (bytes.length == 0 ? "nothing" : "version " + bytes[0] + " in " + bytes.length + " bytes") + ".");
        }
        int annotations = in.getInt(3);
        int properties = in.getInt(7);
        int applicationProperties = in.getInt(11);
        long end = (long) FIXED + annotations + properties + applicationProperties;
        if (annotations < 0 || properties < 0 || applicationProperties < 0 || end > bytes.length) {
            throw new IllegalArgumentException("Expected parts within " + bytes.length + " bytes, but got "
                    + annotations + " + " + properties + " + " + applicationProperties + ".");
        }
        this.bytes = bytes;
        this.propertiesAt = FIXED + annotations;
        this.applicationPropertiesAt = propertiesAt + properties;
        this.bodyAt = applicationPropertiesAt + applicationProperties;
        this.propertiesNote = propertiesNote;
    }

    /**
     * Combines the parts into content. The buffers are read from position to limit and keep their positions.
     *
     * @param durable header field durable as sent
     * @param priority header field priority as sent, 0 to 255
     * @param expiryInProperties whether the properties already carry creation-time and absolute-expiry-time whose
     *     difference is the message's time to live
     */
    public static MessageContent of(
            boolean durable,
            int priority,
            boolean expiryInProperties,
            ByteBuffer annotations,
            ByteBuffer properties,
            ByteBuffer applicationProperties,
            ByteBuffer body) {
        return of(durable, priority, expiryInProperties, annotations, properties, applicationProperties, body, 0);
    }

    /**
     * Combines the parts into content, as above.
     *
     * @param propertiesNote the value that {@link #propertiesNote} returns
     */
    public static MessageContent of(
            boolean durable,
            int priority,
            boolean expiryInProperties,
            ByteBuffer annotations,
            ByteBuffer properties,
            ByteBuffer applicationProperties,
            ByteBuffer body,
            int propertiesNote) {
        byte[] out = new byte
                [FIXED
                        + annotations.remaining()
                        + properties.remaining()
                        + applicationProperties.remaining()
                        + body.remaining()];
        ByteBuffer to = ByteBuffer.wrap(out);
        to.put(VERSION);
        to.put((byte) ((durable ? FLAG_DURABLE : 0) | (expiryInProperties ? FLAG_EXPIRY_IN_PROPERTIES : 0)));
        to.put((byte) priority);
        to.putInt(annotations.remaining());
        to.putInt(properties.remaining());
        to.putInt(applicationProperties.remaining());
        to.put(annotations.duplicate());
        to.put(properties.duplicate());
        to.put(applicationProperties.duplicate());
        to.put(body.duplicate());
        return new MessageContent(out, propertiesNote);
    }

    /**
     * Wraps the stored layout without copying it.
     *
     * @throws IllegalArgumentException if the bytes are not content of a known version
     */
    public static MessageContent wrap(byte[] bytes) {
        return new MessageContent(bytes, 0);
    }

    public boolean durable() {
        return (bytes[1] & FLAG_DURABLE) != 0;
    }

    public boolean expiryInProperties() {
        return (bytes[1] & FLAG_EXPIRY_IN_PROPERTIES) != 0;
    }

    public int priority() {
        return bytes[2] & 0xff;
    }

    /** Returns the encoded keys and values of the sender's message annotations that the broker keeps. */
    public ByteBuffer annotations() {
        return slice(FIXED, propertiesAt);
    }

    /** Returns the properties section with its descriptor, or an empty buffer. */
    public ByteBuffer properties() {
        return slice(propertiesAt, applicationPropertiesAt);
    }

    /**
     * Returns a note of the codec about the properties section, or 0. With the note the codec need not read the section
     * again at delivery, when its bytes are no longer in the processor's caches. The note is neither stored nor compared.
     */
    public int propertiesNote() {
        return propertiesNote;
    }

    /** Returns the application-properties section with its descriptor, or an empty buffer. */
    public ByteBuffer applicationProperties() {
        return slice(applicationPropertiesAt, bodyAt);
    }

    /** Returns the body sections and the footer as sent; empty if the message has none. */
    public ByteBuffer body() {
        return slice(bodyAt, bytes.length);
    }

    /** Returns the same content without body and footer. */
    public MessageContent withoutBody() {
        return of(
                durable(),
                priority(),
                expiryInProperties(),
                annotations(),
                properties(),
                applicationProperties(),
                slice(bytes.length, bytes.length));
    }

    /** Returns the stored layout. Do not change the array. */
    public byte[] bytes() {
        return bytes;
    }

    public int sizeBytes() {
        return bytes.length;
    }

    private ByteBuffer slice(int from, int to) {
        return ByteBuffer.wrap(bytes, from, to - from).slice();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageContent that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "MessageContent[" + bytes.length + " bytes]";
    }
}
