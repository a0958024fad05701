package dev.jitney.gateway.http.operator.message;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.note.GroupNotes;
import dev.jitney.gateway.http.operator.note.GroupNotes.Note;
import dev.jitney.gateway.http.operator.privacy.BodyAccess;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue in groups of the same dead-letter reason, pattern of the description, and subject, the largest group first. For
 * the event loop of its exchange.
 */
public final class MessageGroups extends MessageScan {
    private static final int GROUPS_MAX = 500;
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final Map<MessageGroup, Group> groups = new HashMap<>();
    private long others;

    private static final class Group {
        private long count;
        private long firstMs = Long.MAX_VALUE;
        private long lastMs = Long.MIN_VALUE;
        private long sample;
        private long lastHour;
        private long hourBefore;
    }

    private final long hourAgoMs;
    private Map<String, Note> notes = Map.of();

    private MessageGroups(
            Exchange exchange, Entity entity, SubQueue subQueue, OperatorRequest request, BodyAccess access)
            throws RefusedException {
        super(exchange, entity, subQueue, request, access);
        hourAgoMs = exchange.nowMs() - HOUR_MS;
    }

    /**
     * Starts the walk.
     *
     * @throws RefusedException if the filter is wrong
     */
    public static void start(
            Exchange exchange, Entity entity, EntityAddress address, OperatorRequest request, BodyAccess access)
            throws RefusedException {
        MessageGroups groups = new MessageGroups(exchange, entity, address.subQueue(), request, access);
        new GroupNotes(exchange.namespace())
                .of(address)
                .whenCompleteAsync(
                        (notes, failure) -> exchange.guarded(() -> {
                            // A store that cannot be read refuses the walk, too.
                            groups.notes = failure == null ? notes : Map.of();
                            groups.scan(request.number("from", 0));
                        }),
                        exchange.executor());
    }

    @Override
    int missing() {
        return Integer.MAX_VALUE;
    }

    @Override
    boolean isFull() {
        return false;
    }

    @Override
    long take(Reply.Found slice) {
        for (MessageView message : slice.messages()) {
            MessageGroup key = MessageGroup.of(message);
            Group group = groups.get(key);
            if (group == null && groups.size() < GROUPS_MAX) {
                group = new Group();
                groups.put(key, group);
            }
            if (group == null) {
                others++;
                continue;
            }
            group.count++;
            group.firstMs = Math.min(group.firstMs, message.enqueuedTimeMs());
            group.lastMs = Math.max(group.lastMs, message.enqueuedTimeMs());
            group.sample = message.sequenceNumber();
            if (message.enqueuedTimeMs() >= hourAgoMs) {
                group.lastHour++;
            } else if (message.enqueuedTimeMs() >= hourAgoMs - HOUR_MS) {
                group.hourBefore++;
            }
        }
        return slice.next();
    }

    @Override
    void close(JsonGenerator out) throws IOException {
        List<Map.Entry<MessageGroup, Group>> sorted = groups.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<MessageGroup, Group> entry) -> -entry.getValue().count)
                        .thenComparingLong(entry -> entry.getValue().sample))
                .toList();
        out.writeArrayFieldStart("groups");
        for (Map.Entry<MessageGroup, Group> entry : sorted) {
            Group group = entry.getValue();
            MessageGroup key = entry.getKey();
            String id = key.id();
            out.writeStartObject();
            out.writeStringField("id", id);
            text(out, "reason", key.reason());
            text(out, "description", key.description());
            text(out, "subject", key.subject());
            out.writeNumberField("count", group.count);
            out.writeStringField("first", Instant.ofEpochMilli(group.firstMs).toString());
            out.writeStringField("last", Instant.ofEpochMilli(group.lastMs).toString());
            out.writeStringField("sample", Long.toString(group.sample));
            out.writeNumberField("lastHour", group.lastHour);
            out.writeNumberField("hourBefore", group.hourBefore);
            Note note = notes.get(id);
            if (note != null) {
                out.writeObjectFieldStart("note");
                out.writeStringField("text", note.text());
                out.writeStringField("author", note.author());
                out.writeStringField("time", Instant.ofEpochMilli(note.atMs()).toString());
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        out.writeEndArray();
        if (others > 0) {
            out.writeNumberField("others", others);
        }
    }

    private static void text(JsonGenerator out, String name, @Nullable String value) throws IOException {
        if (value != null) {
            out.writeStringField(name, value);
        }
    }
}
