package dev.jitney.gateway.http.messaging;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import dev.jitney.model.MessageView;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code BrokerProperties} of a request, or the object of that name in a batch (HTTP reference 3.2). Keys
 * match in any case. Unknown keys and keys that only the broker sets are ignored.
 *
 * @param scheduledEnqueueTimeMs milliseconds since the epoch, 0 if not scheduled
 * @param timeToLiveMs {@link MessageView#NEVER} if not given
 */
record BrokerProperties(
        @Nullable String messageId,
        @Nullable String correlationId,
        @Nullable String sessionId,
        @Nullable String replyToSessionId,
        @Nullable String label,
        @Nullable String to,
        @Nullable String replyTo,
        @Nullable String partitionKey,
        @Nullable String viaPartitionKey,
        long scheduledEnqueueTimeMs,
        long timeToLiveMs) {

    /** More than a full batch of messages with the maximum of properties. */
    private static final long TOKENS_MAX = 500_000;

    /**
     * A JSON parser that refuses content after the document. The number of tokens is limited, because a token takes far
     * more memory than its bytes. Nesting and lengths have the limits of Jackson.
     */
    static final ObjectMapper JSON = JsonMapper.builder(new JsonFactoryBuilder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxTokenCount(TOKENS_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    static final BrokerProperties NONE =
            new BrokerProperties(null, null, null, null, null, null, null, null, null, 0, MessageView.NEVER);

    /** The reason for a number with an exponent that is too long, for which Jackson throws an undocumented exception. */
    static final String NO_NUMBER = "a number is out of range.";

    private static final int REPLY_TO_SESSION_ID_MAX = 128;
    private static final BigDecimal MS_PER_SECOND = BigDecimal.valueOf(1_000);

    /** The largest time span of .NET; a message with this time to live or more never expires. */
    private static final BigDecimal LARGEST_SPAN_MS = BigDecimal.valueOf(922_337_203_685_477L);

    /** {@code [d.]hh:mm:ss[.fffffff]}, of a time span of .NET. */
    private static final Pattern TIME_SPAN =
            Pattern.compile("(-)?(?:(\\d{1,8})\\.)?(\\d{1,2}):(\\d{1,2}):(\\d{1,2}(?:\\.\\d{1,7})?)");

    /**
     * Parses the header.
     *
     * @param header its text, or null if there is none
     * @throws RefusedException with 400 if it is not a JSON object, or a value is invalid
     */
    static BrokerProperties parse(@Nullable String header) throws RefusedException {
        if (header == null || header.isBlank()) {
            return NONE;
        }
        try {
            return of(JSON.readTree(PropertyHeaders.text(header)));
        } catch (JsonProcessingException malformed) {
            throw new RefusedException(
                    HttpError.badRequest("Expected a JSON object in BrokerProperties, but: " + reason(malformed)));
        } catch (NumberFormatException tooLong) {
            throw new RefusedException(
                    HttpError.badRequest("Expected a JSON object in BrokerProperties, but: " + NO_NUMBER));
        }
    }

    /** Returns the error of a document, in one line and without the document. */
    static String reason(JsonProcessingException malformed) {
        String line = malformed.getOriginalMessage();
        return ClientText.abbreviate(line == null ? "it is malformed" : line);
    }

    /** Reads the object. */
    static BrokerProperties of(JsonNode node) throws RefusedException {
        if (!node.isObject()) {
            throw new RefusedException(HttpError.badRequest("Expected a JSON object in BrokerProperties."));
        }
        Map<String, JsonNode> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Iterator<Map.Entry<String, JsonNode>> all = node.fields(); all.hasNext(); ) {
            Map.Entry<String, JsonNode> field = all.next();
            if (!field.getValue().isNull()) {
                fields.put(field.getKey(), field.getValue());
            }
        }
        String replyToSessionId = text(fields, "ReplyToSessionId");
        if (replyToSessionId != null && replyToSessionId.length() > REPLY_TO_SESSION_ID_MAX) {
            throw new RefusedException(HttpError.badRequest("Expected a ReplyToSessionId of at most "
                    + REPLY_TO_SESSION_ID_MAX + " characters, but got " + replyToSessionId.length() + "."));
        }
        return new BrokerProperties(
                text(fields, "MessageId"),
                text(fields, "CorrelationId"),
                text(fields, "SessionId"),
                replyToSessionId,
                text(fields, "Label"),
                text(fields, "To"),
                text(fields, "ReplyTo"),
                text(fields, "PartitionKey"),
                text(fields, "ViaPartitionKey"),
                scheduled(fields),
                timeToLive(fields));
    }

    private static @Nullable String text(Map<String, JsonNode> fields, String name) throws RefusedException {
        JsonNode value = fields.get(name);
        if (value == null) {
            return null;
        }
        if (value.isContainerNode()) {
            throw wrong(name, "a string");
        }
        return value.asText();
    }

    private static long scheduled(Map<String, JsonNode> fields) throws RefusedException {
        String text = text(fields, "ScheduledEnqueueTimeUtc");
        if (text == null) {
            return 0;
        }
        Instant date = HttpDates.parse(text);
        if (date == null) {
            date = isoDate(text);
        }
        if (date == null) {
            throw wrong("ScheduledEnqueueTimeUtc", "a date such as 'Sun, 06 Nov 1994 08:49:37 GMT'");
        }
        return Math.max(1, date.toEpochMilli());
    }

    private static @Nullable Instant isoDate(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException notOne) {
            return null;
        }
    }

    private static long timeToLive(Map<String, JsonNode> fields) throws RefusedException {
        JsonNode seconds = fields.get("TimeToLive");
        if (seconds != null) {
            if (!seconds.isNumber() && !seconds.isTextual()) {
                throw wrong("TimeToLive", "a number of seconds");
            }
            return milliseconds("TimeToLive", seconds.asText());
        }
        String span = text(fields, "TimeToLiveTimeSpan");
        if (span == null) {
            return MessageView.NEVER;
        }
        Matcher parts = TIME_SPAN.matcher(span.strip());
        if (!parts.matches() || parts.group(1) != null) {
            throw wrong("TimeToLiveTimeSpan", "a positive time span such as '0.00:00:40'");
        }
        long days = parts.group(2) == null ? 0 : Long.parseLong(parts.group(2));
        long minutes = (days * 24 + Long.parseLong(parts.group(3))) * 60 + Long.parseLong(parts.group(4));
        return milliseconds(
                "TimeToLiveTimeSpan",
                new BigDecimal(parts.group(5))
                        .add(BigDecimal.valueOf(minutes * 60))
                        .toPlainString());
    }

    private static long milliseconds(String name, String seconds) throws RefusedException {
        BigDecimal ms;
        try {
            ms = new BigDecimal(seconds.strip());
        } catch (NumberFormatException notANumber) {
            throw wrong(name, "a number of seconds");
        }
        if (ms.signum() <= 0) {
            throw wrong(name, "a positive time");
        }
        // Compare the magnitude first: an exponent of a billion must not be expanded to digits.
        if ((long) ms.precision() - ms.scale() > 20
                || ms.multiply(MS_PER_SECOND).compareTo(LARGEST_SPAN_MS) >= 0) {
            return MessageView.NEVER;
        }
        if (ms.scale() > 20) {
            ms = (long) ms.precision() - ms.scale() < -10 ? BigDecimal.ZERO : ms.setScale(20, RoundingMode.DOWN);
        }
        return Math.max(
                1, ms.multiply(MS_PER_SECOND).setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    private static RefusedException wrong(String name, String expected) {
        return new RefusedException(
                HttpError.badRequest("Expected " + expected + " in " + name + " of BrokerProperties."));
    }
}
