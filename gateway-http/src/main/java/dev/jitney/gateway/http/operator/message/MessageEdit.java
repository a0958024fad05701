package dev.jitney.gateway.http.operator.message;

import dev.jitney.codec.ContentRewriter;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.PropertyField;
import dev.jitney.codec.StoredMessages;
import dev.jitney.codec.TypedValueWriter;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.StrictJson;
import dev.jitney.model.ClientText;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.runtime.MessageIds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a stored message that is sent again: a JSON object with some of the members that {@link MessageDocument} shows. Absent
 * members stay unchanged, null clears one.
 *
 * <table>
 * <caption>members</caption>
 * <tr><td>messageId, subject, contentType, contentEncoding, correlationId, sessionId, partitionKey, to, replyTo,
 * replyToSessionId</td><td>text or null. A message without an id gets a new one.</td></tr>
 * <tr><td>timeToLive</td><td>milliseconds, or null for a message that does not expire</td></tr>
 * <tr><td>scheduledEnqueueTime</td><td>an instant of ISO 8601, or null for a message that is not scheduled</td></tr>
 * <tr><td>applicationProperties</td><td>an object of values as for {@link TypedValueWriter}; null removes a property, and properties
 * that it does not name stay</td></tr>
 * <tr><td>body</td><td>text, {@code {"type": "data", "base64": …}}, {@code {"type": "value", "value": …}} or
 * {@code {"type": "sequence", "value": […]}}</td></tr>
 * </table>
 *
 * <p>Immutable after {@link #parse}, so one edit can be applied to several messages. Any thread may call it.
 */
public final class MessageEdit {
    private static final String REASON = "DeadLetterReason";
    private static final String DESCRIPTION = "DeadLetterErrorDescription";

    private static final String PARTITION_KEY = "partitionKey";
    private static final String TIME_TO_LIVE = "timeToLive";
    private static final String SCHEDULED_ENQUEUE_TIME = "scheduledEnqueueTime";
    private static final String APPLICATION_PROPERTIES = "applicationProperties";
    private static final String BODY = "body";

    private static final Map<String, PropertyField> FIELDS = Map.of(
            "messageId", PropertyField.MESSAGE_ID,
            "subject", PropertyField.SUBJECT,
            "contentType", PropertyField.CONTENT_TYPE,
            "contentEncoding", PropertyField.CONTENT_ENCODING,
            "correlationId", PropertyField.CORRELATION_ID,
            "sessionId", PropertyField.GROUP_ID,
            "to", PropertyField.TO,
            "replyTo", PropertyField.REPLY_TO,
            "replyToSessionId", PropertyField.REPLY_TO_GROUP_ID);

    private static final Set<String> MEMBERS = new TreeSet<>(FIELDS.keySet());

    static {
        MEMBERS.addAll(Set.of(PARTITION_KEY, TIME_TO_LIVE, SCHEDULED_ENQUEUE_TIME, APPLICATION_PROPERTIES, BODY));
    }

    /** The largest time span of .NET. */
    private static final long TIME_TO_LIVE_MAX_MS = 922_337_203_685_477L;

    private static final long TIME_TO_LIVE_OF_ORIGINAL = 0;

    private static final int USUAL_PRIORITY = 4;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final MessageContent NOTHING =
            MessageContent.of(false, USUAL_PRIORITY, false, NONE, NONE, NONE, NONE);

    private final List<Consumer<ContentRewriter>> changes = new ArrayList<>();
    private long timeToLiveMs = TIME_TO_LIVE_OF_ORIGINAL;
    private @Nullable String bodyText;

    private MessageEdit() {}

    /**
     * Parses an edit.
     *
     * @param json the body of a request, whose size the caller has limited
     * @throws RefusedException with 400 if it is not such an object; the text names the member
     */
    public static MessageEdit parse(byte[] json) throws RefusedException {
        return of(StrictJson.object(json));
    }

    /**
     * Creates an edit from the members of a JSON object.
     *
     * @throws RefusedException with 400 if a member is unknown or wrong; the text names it
     */
    public static MessageEdit of(Map<String, @Nullable Object> members) throws RefusedException {
        MessageEdit edit = new MessageEdit();
        for (Map.Entry<String, @Nullable Object> member : members.entrySet()) {
            edit.add(member.getKey(), member.getValue());
        }
        return edit;
    }

    private void add(String name, @Nullable Object value) throws RefusedException {
        PropertyField field = FIELDS.get(name);
        if (field != null) {
            addField(name, field, text(name, value));
            return;
        }
        switch (name) {
            case PARTITION_KEY -> {
                String key = text(name, value);
                changes.add(rewriter -> rewriter.setPartitionKey(key));
            }
            case TIME_TO_LIVE -> timeToLiveMs = timeToLive(value);
            case SCHEDULED_ENQUEUE_TIME -> {
                long ms = scheduled(value);
                changes.add(rewriter -> rewriter.setScheduledEnqueueTime(ms));
            }
            case APPLICATION_PROPERTIES -> addProperties(value);
            case BODY -> addBody(value);
            default ->
                throw bad("Expected the members " + MEMBERS + " in the body of the request, but got '"
                        + ClientText.abbreviate(name) + "'.");
        }
    }

    private void addField(String name, PropertyField field, @Nullable String text) throws RefusedException {
        boolean symbol = field == PropertyField.CONTENT_TYPE || field == PropertyField.CONTENT_ENCODING;
        if (symbol && text != null && !ContentRewriter.isSymbol(text)) {
            throw wrong(name, "only ASCII characters", text);
        }
        changes.add(rewriter -> rewriter.setField(field, text));
    }

    private static @Nullable String text(String name, @Nullable Object value) throws RefusedException {
        if (value == null) {
            return null;
        }
        if (!(value instanceof String text)) {
            throw wrong(name, "text or null", value);
        }
        checkWhole(name, text);
        return text;
    }

    /** Refuses half of a surrogate pair, which UTF-8 cannot express. */
    private static void checkWhole(String name, String text) throws RefusedException {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw bad("Expected text of valid characters in the member '" + name
                    + "', but it has half of a surrogate pair.");
        }
    }

    private static long timeToLive(@Nullable Object value) throws RefusedException {
        if (value == null) {
            return MessageView.NEVER;
        }
        if (value instanceof Integer || value instanceof Long) {
            long ms = ((Number) value).longValue();
            if (ms > 0 && ms <= TIME_TO_LIVE_MAX_MS) {
                return ms;
            }
        }
        throw wrong(TIME_TO_LIVE, "null or a whole number of milliseconds from 1 to " + TIME_TO_LIVE_MAX_MS, value);
    }

    /** Returns milliseconds since the epoch, or 0 for null. */
    private static long scheduled(@Nullable Object value) throws RefusedException {
        if (value == null) {
            return 0;
        }
        if (value instanceof String text) {
            try {
                return Math.max(1, OffsetDateTime.parse(text).toInstant().toEpochMilli());
            } catch (DateTimeException | ArithmeticException malformed) {
                throw wrong(SCHEDULED_ENQUEUE_TIME, "an instant of ISO 8601 such as 2026-01-31T12:00:00Z", text);
            }
        }
        throw wrong(SCHEDULED_ENQUEUE_TIME, "null or an instant of ISO 8601 such as 2026-01-31T12:00:00Z", value);
    }

    private void addProperties(@Nullable Object value) throws RefusedException {
        if (!(value instanceof Map<?, ?> properties)) {
            throw wrong(APPLICATION_PROPERTIES, "an object", value);
        }
        for (Map.Entry<?, ?> property : properties.entrySet()) {
            String name = String.valueOf(property.getKey());
            String member = APPLICATION_PROPERTIES + "." + ClientText.abbreviate(name);
            checkWhole(member, name);
            if (property.getValue() == null) {
                changes.add(rewriter -> rewriter.removeApplicationProperty(name));
                continue;
            }
            EncodedValue encoded = encoded(member, () -> TypedValueWriter.encode(property.getValue()));
            changes.add(rewriter -> rewriter.setApplicationProperty(name, encoded));
        }
    }

    private void addBody(@Nullable Object value) throws RefusedException {
        if (value instanceof String text) {
            checkWhole(BODY, text);
            bodyText = text;
            byte[] data = text.getBytes(StandardCharsets.UTF_8);
            changes.add(rewriter -> rewriter.setData(data));
            return;
        }
        if (!(value instanceof Map<?, ?> typed)) {
            throw wrong(BODY, "text or an object with a type", value);
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        typed.forEach((name, member) -> members.put(String.valueOf(name), member));
        switch (String.valueOf(members.get("type"))) {
            case "data" -> {
                byte[] data = base64(member(members, "base64"));
                bodyText = new String(data, StandardCharsets.UTF_8);
                changes.add(rewriter -> rewriter.setData(data));
            }
            case "value" -> {
                Object inner = member(members, "value");
                bodyText = inner instanceof String text ? text : null;
                EncodedValue encoded = encoded("body.value", () -> TypedValueWriter.encode(inner));
                changes.add(rewriter -> rewriter.setValue(encoded));
            }
            case "sequence" -> {
                if (!(member(members, "value") instanceof List<?> elements)) {
                    throw wrong("body.value", "an array", members.get("value"));
                }
                EncodedValue encoded = encoded("body.value", () -> TypedValueWriter.encodeList(elements));
                changes.add(rewriter -> rewriter.setSequence(encoded));
            }
            default -> throw wrong("body.type", "one of [data, value, sequence]", members.get("type"));
        }
    }

    /** Returns the only member of a body besides its type. */
    private static @Nullable Object member(Map<String, @Nullable Object> members, String name) throws RefusedException {
        if (!members.keySet().equals(Set.of("type", name))) {
            throw bad("Expected the members [type, " + name + "] in the member 'body' of this type, but got others.");
        }
        return members.get(name);
    }

    private static byte[] base64(@Nullable Object value) throws RefusedException {
        if (value instanceof String text) {
            try {
                return Base64.getDecoder().decode(text);
            } catch (IllegalArgumentException notBase64) {
                throw wrong("body.base64", "base64", text);
            }
        }
        throw wrong("body.base64", "base64", value);
    }

    /** An encoding that may be refused. */
    @FunctionalInterface
    private interface Encoding {
        EncodedValue encode() throws MessageFormatException;
    }

    private static EncodedValue encoded(String member, Encoding encoding) throws RefusedException {
        try {
            return encoding.encode();
        } catch (MessageFormatException refused) {
            throw bad(refused.getMessage() + " The value is in the member '" + member + "'.");
        }
    }

    /** Returns the new body if it may be read as text, or null. */
    public @Nullable String bodyText() {
        return bodyText;
    }

    /**
     * Returns the message with these changes, as if a client sends it now. It keeps the properties that were set since the original was
     * sent, but not the reason and the description of a dead letter.
     *
     * @throws RefusedException if a client cannot send that message
     */
    public IncomingMessage applyTo(MessageView original) throws RefusedException {
        return applyTo(original, Map.of());
    }

    /**
     * Returns a message that has only these members, as if a client sends it now. Without a body it has an empty one.
     *
     * @throws RefusedException if a client cannot send that message
     */
    public IncomingMessage newMessage() throws RefusedException {
        ContentRewriter rewriter = new ContentRewriter(NOTHING);
        rewriter.setData(new byte[0]);
        changes.forEach(change -> change.accept(rewriter));
        return sent(rewriter, timeToLiveMs == TIME_TO_LIVE_OF_ORIGINAL ? MessageView.NEVER : timeToLiveMs);
    }

    /**
     * Returns the message with these changes and further application properties.
     *
     * @param additional application properties by name
     * @throws RefusedException if a client cannot send that message
     */
    IncomingMessage applyTo(MessageView original, Map<String, EncodedValue> additional) throws RefusedException {
        ContentRewriter rewriter = new ContentRewriter(original.content());
        original.propertyOverrides().forEach(rewriter::setApplicationProperty);
        rewriter.removeApplicationProperty(REASON);
        rewriter.removeApplicationProperty(DESCRIPTION);
        changes.forEach(change -> change.accept(rewriter));
        additional.forEach(rewriter::setApplicationProperty);
        return sent(rewriter, timeToLiveMs == TIME_TO_LIVE_OF_ORIGINAL ? timeToLiveOf(original) : timeToLiveMs);
    }

    private static IncomingMessage sent(ContentRewriter rewriter, long timeToLiveMs) throws RefusedException {
        try {
            return StoredMessages.sentAgain(rewriter.rewritten(), timeToLiveMs, MessageIds::fresh);
        } catch (MessageFormatException refused) {
            throw new RefusedException(refused.rejection());
        }
    }

    /**
     * Returns a message without changes, as if a client sends it now, with further application properties.
     *
     * @param additional application properties by name
     * @param keepsSchedule false to remove the scheduled time, so that the message is delivered now
     * @throws RefusedException if a client cannot send that message
     */
    static IncomingMessage unchanged(MessageView original, Map<String, EncodedValue> additional, boolean keepsSchedule)
            throws RefusedException {
        MessageEdit none = new MessageEdit();
        if (!keepsSchedule) {
            none.changes.add(rewriter -> rewriter.setScheduledEnqueueTime(0));
        }
        return none.applyTo(original, additional);
    }

    /**
     * Returns the time to live with which the message was stored. It starts again (TTL-33). The time to live of a scheduled message
     * counts from its scheduled time (TTL-12).
     */
    private static long timeToLiveOf(MessageView original) {
        if (original.expiresAtMs() == MessageView.NEVER) {
            return MessageView.NEVER;
        }
        long startMs = original.state() == MessageState.SCHEDULED
                ? Math.max(original.enqueuedTimeMs(), original.scheduledEnqueueTimeMs())
                : original.enqueuedTimeMs();
        return Math.max(1, original.expiresAtMs() - startMs);
    }

    private static RefusedException wrong(String member, String expected, @Nullable Object value) {
        String shown = value instanceof Map
                ? "an object"
                : value instanceof List
                        ? "an array"
                        : value instanceof String text
                                ? "'" + ClientText.abbreviate(text) + "'"
                                : ClientText.abbreviate(String.valueOf(value));
        return bad("Expected " + expected + " in the member '" + member + "', but got " + shown + ".");
    }

    private static RefusedException bad(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }
}
