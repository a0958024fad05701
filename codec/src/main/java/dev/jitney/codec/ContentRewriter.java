package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rewriter that creates content with other values of some of the sender's settings, or with another body. The actions of rules
 * (RULE-7 to 9), forwarding (FWD-11) and operators need it. Unchanged parts are kept byte for byte, so that, for example, the type of
 * an id is kept.
 *
 * <p>For one content and one thread. Nothing is copied before {@link #rewritten}.
 */
public final class ContentRewriter {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final byte[] NULL = {Codes.NULL};

    private final MessageContent original;
    private final Map<PropertyField, byte[]> fields = new TreeMap<>();
    private final Set<String> removedProperties = new HashSet<>();
    private final Map<String, EncodedValue> newProperties = new LinkedHashMap<>();
    private final Set<String> changedAnnotations = new HashSet<>();
    private final AmqpWriter newAnnotations = new AmqpWriter(64);
    private boolean durable;
    private boolean keepsExpiry = true;
    private @Nullable ByteBuffer newBody;

    /** Creates a rewriter without changes. */
    public ContentRewriter(MessageContent original) {
        this.original = original;
        this.durable = original.durable();
    }

    /** Returns whether a text can be a content type or content encoding, which are symbols. */
    public static boolean isSymbol(String text) {
        return text.chars().allMatch(character -> character > 0 && character < 0x80);
    }

    /**
     * Sets a field of the properties that is an id, an address, a string or a symbol.
     *
     * @param text null to clear the field
     * @throws IllegalArgumentException if the field has another type, or must be a symbol and the text is not ASCII
     */
    public void setField(PropertyField field, @Nullable String text) {
        AmqpWriter value = new AmqpWriter(64);
        switch (field) {
            case USER_ID, ABSOLUTE_EXPIRY_TIME, CREATION_TIME, GROUP_SEQUENCE ->
                throw new IllegalArgumentException("Expected a field with a text value, but got " + field + ".");
            case CONTENT_TYPE, CONTENT_ENCODING -> {
                if (text != null && !isSymbol(text)) {
                    throw new IllegalArgumentException(
                            "Expected only ASCII characters in " + field + ", but got" + " others.");
                }
                if (text != null) {
                    value.writeSymbol(text);
                }
            }
            default -> {
                if (text != null) {
                    value.writeString(text);
                }
            }
        }
        fields.put(field, text == null ? NULL : value.toByteArray());
    }

    /** Clears the fields for the time to live, because the message gets another one. */
    public void clearExpiry() {
        fields.put(PropertyField.ABSOLUTE_EXPIRY_TIME, NULL);
        keepsExpiry = false;
    }

    /** Sets the header field durable. */
    public void setDurable(boolean value) {
        durable = value;
    }

    /** Sets annotation {@code x-opt-partition-key}, or removes it. */
    public void setPartitionKey(@Nullable String key) {
        setAnnotation(Annotations.PARTITION_KEY, key);
    }

    /** Sets annotation {@code x-opt-via-partition-key}, or removes it. */
    public void setViaPartitionKey(@Nullable String key) {
        setAnnotation(Annotations.VIA_PARTITION_KEY, key);
    }

    private void setAnnotation(byte[] name, @Nullable String text) {
        replaceAnnotation(name);
        if (text != null) {
            newAnnotations.writeSymbol(name);
            newAnnotations.writeString(text);
        }
    }

    /**
     * Sets annotation {@code x-opt-scheduled-enqueue-time}, or removes it.
     *
     * @param ms milliseconds since the epoch, or 0 to remove the annotation
     */
    public void setScheduledEnqueueTime(long ms) {
        replaceAnnotation(Annotations.SCHEDULED_ENQUEUE_TIME);
        if (ms != 0) {
            newAnnotations.writeSymbol(Annotations.SCHEDULED_ENQUEUE_TIME);
            newAnnotations.writeTimestamp(ms);
        }
    }

    private void replaceAnnotation(byte[] name) {
        if (!changedAnnotations.add(new String(name, StandardCharsets.US_ASCII))) {
            throw new IllegalStateException("Expected one change of an annotation, but got another.");
        }
    }

    /** Removes the application property with exactly this name. */
    public void removeApplicationProperty(String name) {
        removedProperties.add(name);
        newProperties.remove(name);
    }

    /** Sets the application property with exactly this name; a new one comes last. */
    public void setApplicationProperty(String name, EncodedValue value) {
        removedProperties.add(name);
        newProperties.put(name, value);
    }

    /**
     * Replaces the body by one data section with these bytes. Like every change of the body, this removes the footer, which may have a
     * hash of the old body (AMQP 1.0 part 3, 3.2.9).
     */
    public void setData(byte[] data) {
        AmqpWriter out = new AmqpWriter(data.length + 8);
        out.writeSection(Codes.DATA);
        out.writeBinary(data);
        newBody = out.toByteBuffer();
    }

    /** Replaces the body by this value, and removes the footer. */
    public void setValue(EncodedValue value) {
        setBody(Codes.AMQP_VALUE, value);
    }

    /**
     * Replaces the body by one sequence section with the elements of this list, and removes the footer.
     *
     * @throws IllegalArgumentException if the value is not a list
     */
    public void setSequence(EncodedValue list) {
        switch (list.encoding()[0] & 0xff) {
            case Codes.LIST0, Codes.LIST8, Codes.LIST32 -> setBody(Codes.AMQP_SEQUENCE, list);
            default -> throw new IllegalArgumentException("Expected a list as the body, but got another value.");
        }
    }

    private void setBody(int section, EncodedValue value) {
        AmqpWriter out = new AmqpWriter(value.encoding().length + Sections.PREFIX_SIZE);
        out.writeSection(section);
        out.writeTemplate(value.encoding());
        newBody = out.toByteBuffer();
    }

    /**
     * Returns the content with all changes; the original itself if they have no effect.
     *
     * @throws IllegalArgumentException if the decoder of this package has not created the original
     */
    public MessageContent rewritten() {
        try {
            MessageContent content = MessageContent.of(
                    durable,
                    original.priority(),
                    original.expiryInProperties() && keepsExpiry,
                    annotations(),
                    properties(),
                    applicationProperties(),
                    newBody == null ? original.body() : newBody);
            return content.equals(original) ? original : content;
        } catch (MessageFormatException damaged) {
            throw new IllegalArgumentException("Expected readable content: " + damaged.getMessage(), damaged);
        }
    }

    private ByteBuffer annotations() throws MessageFormatException {
        ByteBuffer pairs = original.annotations();
        if (changedAnnotations.isEmpty()) {
            return pairs;
        }
        AmqpWriter out = new AmqpWriter(pairs.remaining() + newAnnotations.size());
        AmqpReader in = reader(pairs);
        while (in.hasRemaining()) {
            int from = in.position();
            in.enterAnnotationKey();
            boolean changed = changedAnnotations.contains(in.text());
            in.skipValue();
            if (!changed) {
                out.writeRaw(in.bytes(), from, in.position() - from);
            }
        }
        out.writeRaw(ByteBuffer.wrap(newAnnotations.toByteArray()));
        return out.toByteBuffer();
    }

    private ByteBuffer properties() throws MessageFormatException {
        ByteBuffer section = original.properties();
        if (fields.isEmpty()) {
            return section;
        }
        AmqpReader in = reader(section);
        int before = 0;
        if (in.hasRemaining()) {
            Sections.enter(in);
            before = in.enterList();
        }
        int count = before;
        for (Map.Entry<PropertyField, byte[]> field : fields.entrySet()) {
            if (field.getValue() != NULL) {
                count = Math.max(count, field.getKey().ordinal() + 1);
            }
        }
        if (count == 0) {
            return section;
        }
        boolean differs = false;
        AmqpWriter values = new AmqpWriter(section.remaining() + 64);
        PropertyField[] all = PropertyField.values();
        for (int i = 0; i < count; i++) {
            int from = in.position();
            if (i < before) {
                in.skipValue();
            }
            byte[] changed = fields.get(all[i]);
            if (changed != null) {
                values.writeTemplate(changed);
                differs |= !Arrays.equals(in.bytes(), from, in.position(), changed, 0, changed.length);
            } else if (i < before) {
                values.writeRaw(in.bytes(), from, in.position() - from);
            } else {
                values.writeNull();
            }
        }
        if (!differs) {
            return section;
        }
        AmqpWriter out = new AmqpWriter(values.size() + 16);
        out.writeSection(Codes.PROPERTIES);
        out.writeListHead(values.size(), count);
        out.writeRaw(values.toByteBuffer());
        return out.toByteBuffer();
    }

    private ByteBuffer applicationProperties() throws MessageFormatException {
        ByteBuffer section = original.applicationProperties();
        if (removedProperties.isEmpty() || (!section.hasRemaining() && newProperties.isEmpty())) {
            return section;
        }
        AmqpReader in = reader(section);
        int count = 0;
        if (in.hasRemaining()) {
            Sections.enter(in);
            count = in.enterMap();
        }
        int kept = 0;
        AmqpWriter pairs = new AmqpWriter(section.remaining() + 64);
        for (int i = 0; i < count; i += 2) {
            int from = in.position();
            boolean removed = removedProperties.contains(in.readString());
            in.skipValue();
            if (!removed) {
                pairs.writeRaw(in.bytes(), from, in.position() - from);
                kept += 2;
            }
        }
        if (kept == count && newProperties.isEmpty()) {
            return section;
        }
        for (Map.Entry<String, EncodedValue> property : newProperties.entrySet()) {
            pairs.writeString(property.getKey());
            pairs.writeTemplate(property.getValue().encoding());
            kept += 2;
        }
        if (kept == 0) {
            return NOTHING;
        }
        AmqpWriter out = new AmqpWriter(pairs.size() + 16);
        out.writeSection(Codes.APPLICATION_PROPERTIES);
        out.writeMapHead(pairs.size(), kept);
        out.writeRaw(pairs.toByteBuffer());
        return out.toByteBuffer();
    }

    private static AmqpReader reader(ByteBuffer part) {
        int from = part.arrayOffset() + part.position();
        return new AmqpReader(part.array(), from, from + part.remaining());
    }
}
