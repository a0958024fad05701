package dev.jitney.core.topic.state;

import dev.jitney.codec.ContentRewriter;
import dev.jitney.codec.PropertyField;
import dev.jitney.core.filter.property.PropertyChange;
import dev.jitney.core.filter.property.PropertyChange.RemoveUserProperty;
import dev.jitney.core.filter.property.PropertyChange.SetForcePersistence;
import dev.jitney.core.filter.property.PropertyChange.SetScheduledEnqueueTime;
import dev.jitney.core.filter.property.PropertyChange.SetText;
import dev.jitney.core.filter.property.PropertyChange.SetTimeToLive;
import dev.jitney.core.filter.property.PropertyChange.SetUserProperty;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one action changes about one copy: user properties it sets are kept beside the content, which the copy then shares
 * with the message; whatever else it changes needs content of its own.
 *
 * <p>The copy carries {@code RuleName}, whatever the action does to a property of that name (RULE-5). A copy that an action
 * schedules carries that time and is available at once all the same: what waits, waits in the topic (SCHED-7).
 */
final class CopyChanges {
    private static final String RULE_NAME = "RuleName";

    /** Bytes of content that are copied and compared in one step. */
    private static final int BYTES_PER_STEP = 8;

    private final IncomingMessage message;
    private final SentProperties sent;
    private final Limits limits;
    private final Map<String, EncodedValue> overrides = new LinkedHashMap<>();
    private @Nullable ContentRewriter rewriter;
    private @Nullable String messageId;
    private @Nullable String sessionId;
    private @Nullable String partitionKey;
    private long timeToLiveMs;
    private long scheduledEnqueueTimeMs;
    private int largestPropertySizeBytes;

    CopyChanges(IncomingMessage message, SentProperties sent, Limits limits, String ruleName) {
        this.message = message;
        this.sent = sent;
        this.limits = limits;
        this.messageId = message.messageId();
        this.sessionId = message.sessionId();
        this.partitionKey = message.partitionKey();
        this.timeToLiveMs = message.timeToLiveMs();
        this.scheduledEnqueueTimeMs = message.scheduledEnqueueTimeMs();
        this.largestPropertySizeBytes = message.largestPropertySizeBytes();
        override(RULE_NAME, EncodedValue.ofString(ruleName));
    }

    /** Takes all changes in; a sentence if they cannot be made. */
    @Nullable
    String apply(List<PropertyChange> changes) {
        for (PropertyChange change : changes) {
            String problem = apply(change);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String apply(PropertyChange change) {
        if (change instanceof SetUserProperty set) {
            return isRuleName(set.name()) ? null : set(set);
        } else if (change instanceof RemoveUserProperty removed) {
            if (!isRuleName(removed.name())) {
                sent.spellings(removed.name()).forEach(rewriter()::removeApplicationProperty);
            }
        } else if (change instanceof SetText text) {
            return setText(text.property(), text.text());
        } else if (change instanceof SetTimeToLive live) {
            timeToLiveMs = live.timeToLiveMs();
            rewriter().clearExpiry(); // the encoder of deliveries fills in what fits
        } else if (change instanceof SetScheduledEnqueueTime scheduled) {
            long ms = scheduled.scheduledEnqueueTimeMs();
            scheduledEnqueueTimeMs = ms == 0 ? 0 : Math.max(1, ms); // 0 would say "not scheduled"
            rewriter().setScheduledEnqueueTime(ms);
        } else if (change instanceof SetForcePersistence force) {
            rewriter().setDurable(force.durable());
        }
        return null;
    }

    private static boolean isRuleName(String name) {
        return name.equalsIgnoreCase(RULE_NAME);
    }

    private @Nullable String set(SetUserProperty set) {
        int size = EncodedValue.ofString(set.name()).encoding().length
                + set.value().encoding().length;
        if (size > limits.maxPropertySizeBytes()) {
            return "Expected application properties of at most " + limits.maxPropertySizeBytes()
                    + " bytes each, but the action makes one of " + size + ".";
        }
        largestPropertySizeBytes = Math.max(largestPropertySizeBytes, size);
        override(set.name(), set.value());
        return null;
    }

    /** Sets a user property under this spelling and no other. */
    private void override(String name, EncodedValue value) {
        overrides.put(name, value);
        for (String spelling : sent.spellings(name)) {
            if (!spelling.equals(name)) {
                rewriter().removeApplicationProperty(spelling);
            }
        }
    }

    private ContentRewriter rewriter() {
        if (rewriter == null) {
            rewriter = new ContentRewriter(message.content());
        }
        return rewriter;
    }

    private @Nullable String setText(SystemProperty property, @Nullable String text) {
        if (text != null && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return "Expected a text of whole characters for sys." + property.text() + ", but got half of one.";
        }
        ContentRewriter fields = rewriter();
        switch (property) {
            case MESSAGE_ID -> {
                messageId = text;
                fields.setField(PropertyField.MESSAGE_ID, text);
                return tooLong(property, text);
            }
            case SESSION_ID -> {
                sessionId = text;
                fields.setField(PropertyField.GROUP_ID, text);
                return tooLong(property, text);
            }
            case PARTITION_KEY -> {
                partitionKey = text;
                fields.setPartitionKey(text);
                return tooLong(property, text);
            }
            case CONTENT_TYPE -> {
                if (text != null && !ContentRewriter.isSymbol(text)) {
                    return "Expected ASCII for sys.ContentType, but got other characters.";
                }
                fields.setField(PropertyField.CONTENT_TYPE, text);
            }
            case VIA_PARTITION_KEY -> fields.setViaPartitionKey(text);
            case CORRELATION_ID -> fields.setField(PropertyField.CORRELATION_ID, text);
            case LABEL -> fields.setField(PropertyField.SUBJECT, text);
            case REPLY_TO -> fields.setField(PropertyField.REPLY_TO, text);
            case REPLY_TO_SESSION_ID -> fields.setField(PropertyField.REPLY_TO_GROUP_ID, text);
            case TO -> fields.setField(PropertyField.TO, text);
            default ->
                throw new IllegalStateException(
                        "Expected a system property that is text, but got " + property.text() + ".");
        }
        return null;
    }

    private @Nullable String tooLong(SystemProperty property, @Nullable String text) {
        return text == null || text.length() <= limits.maxIdLength()
                ? null
                : "Expected a " + property.text() + " of at most " + limits.maxIdLength()
                        + " characters, but the action makes one of " + text.length() + ".";
    }

    /** Steps that {@link #copy} takes: all of the content is written anew if an action changes more than user properties. */
    long steps() {
        return rewriter == null ? 0 : message.content().sizeBytes() / BYTES_PER_STEP;
    }

    /** The copy with everything that was taken in. */
    ChangedCopy copy() {
        MessageContent content = rewriter == null ? message.content() : rewriter.rewritten();
        int header = message.headerSizeBytes();
        if (content != message.content()) {
            header = content.properties().remaining()
                    + content.applicationProperties().remaining();
        }
        for (String name : overrides.keySet()) {
            header -= sent.sizeBytes(name); // its new size is counted with the overrides
        }
        int grown = content.sizeBytes() - message.content().sizeBytes();
        MessageEnvelope envelope = message.envelope().toBuilder()
                .sessionId(sessionId)
                .scheduledEnqueueTimeMs(scheduledEnqueueTimeMs)
                .build();
        IncomingMessage copy = IncomingMessage.of(content)
                .messageId(messageId)
                .partitionKey(partitionKey)
                .timeToLiveMs(timeToLiveMs)
                .sizes(message.encodedSizeBytes() + grown, header, largestPropertySizeBytes)
                .envelope(envelope)
                .build();
        return new ChangedCopy(copy, overrides);
    }
}
