package dev.jitney.testing.amqp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sections of an encoded message, decoded and as bytes. */
public final class RawMessage {
    private final List<Node> sections = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final ByteArrayOutputStream applicationProperties = new ByteArrayOutputStream();

    private RawMessage() {}

    public static RawMessage parse(byte[] octets) {
        RawMessage message = new RawMessage();
        ByteBuffer in = ByteBuffer.wrap(octets);
        while (in.hasRemaining()) {
            int from = in.position();
            Node section = Node.read(in);
            message.sections.add(section);
            byte[] raw = Arrays.copyOfRange(octets, from, in.position());
            int code = (int) section.descriptorCode();
            if (code == Code.DATA || code == Code.SEQUENCE || code == Code.VALUE) {
                message.body.writeBytes(raw);
            } else if (code == Code.APPLICATION_PROPERTIES) {
                message.applicationProperties.writeBytes(raw);
            }
        }
        return message;
    }

    /** Encodes a message with one data section. */
    public static byte[] ofData(String text) {
        return Wire.encode(Wire.section(Code.DATA, text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    /** Encodes a message with a message id and one data section. */
    public static byte[] of(String messageId, String text) {
        return Wire.encode(
                Wire.composite(Code.PROPERTIES, messageId),
                Wire.section(Code.DATA, text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    public List<Node> sections() {
        return sections;
    }

    /** Returns the described section of that code, or null. */
    public @Nullable Node section(int code) {
        for (Node section : sections) {
            if (section.descriptorCode() == code) {
                return section;
            }
        }
        return null;
    }

    private Node need(int code) {
        Node section = section(code);
        if (section == null) {
            throw new AssertionError("Expected section 0x" + Integer.toHexString(code) + ", but got " + sections);
        }
        return section;
    }

    public Node header() {
        return need(Code.HEADER);
    }

    public Node properties() {
        return need(Code.PROPERTIES);
    }

    /** Returns a message annotation, or an AMQP null. */
    public Node annotation(String key) {
        return need(Code.MESSAGE_ANNOTATIONS).get(key);
    }

    /** Returns an application property, or an AMQP null. */
    public Node applicationProperty(String key) {
        Node section = section(Code.APPLICATION_PROPERTIES);
        return section == null ? new Node(0x40, null, List.of(), null) : section.get(key);
    }

    /** Returns the value of an {@code amqp-value} body. */
    public Node value() {
        return need(Code.VALUE).described();
    }

    /** Returns the text of the first data section. */
    public String dataText() {
        return new String(need(Code.DATA).described().bytes(), java.nio.charset.StandardCharsets.UTF_8);
    }

    public long deliveryCount() {
        return header().at(4).number();
    }

    public long sequenceNumber() {
        return annotation("x-opt-sequence-number").number();
    }

    /** Returns the unchanged bytes of all body sections. */
    public byte[] bodyOctets() {
        return body.toByteArray();
    }

    /** Returns the unchanged bytes of the application properties section. */
    public byte[] applicationPropertiesOctets() {
        return applicationProperties.toByteArray();
    }

    @Override
    public String toString() {
        return sections.toString();
    }
}
