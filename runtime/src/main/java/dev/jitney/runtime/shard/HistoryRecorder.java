package dev.jitney.runtime.shard;

import dev.jitney.codec.ContentReader;
import dev.jitney.codec.StoredMessages;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.topic.FanOut;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.RecordListener;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.testing.MessageEvent;
import dev.jitney.runtime.testing.MessageEvent.Kind;
import dev.jitney.runtime.testing.MessageHistory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events of a shard into the history of a broker under test, after their commit. For the shard's thread.
 */
final class HistoryRecorder implements RecordListener {
    /** The maximum number of messages whose ids are kept for later events. */
    private static final int IDS_MAX = 50_000;

    private static final String REASON = "DeadLetterReason";

    private final MessageHistory history;
    private final LongSupplier nowMs;
    private final List<Event> uncommitted = new ArrayList<>();

    private final Map<Place, String> ids = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, String> eldest) {
            return size() > IDS_MAX;
        }
    };

    private record Event(String namespace, long entityId, MessageEvent event) {}

    private record Place(long entityId, long sequenceNumber) {}

    /** @param nowMs the time of the turn */
    HistoryRecorder(MessageHistory history, LongSupplier nowMs) {
        this.history = history;
        this.nowMs = nowMs;
    }

    /** Publishes the events of a committed turn. */
    void committed() {
        for (Event one : uncommitted) {
            history.add(one.namespace, one.event.messageId() == null ? named(one) : one.event);
        }
        uncommitted.clear();
    }

    /** Adds the message id that only the sender's command had. */
    private MessageEvent named(Event one) {
        MessageEvent event = one.event;
        return new MessageEvent(
                event.atMs(),
                event.entity(),
                event.kind(),
                event.sequenceNumber(),
                ids.get(new Place(one.entityId, event.sequenceNumber())),
                event.reason());
    }

    /** Drops the events of a turn that failed. */
    void failed() {
        uncommitted.clear();
    }

    /** Adds the event that an entity was reset. */
    void reset(EntityInShard inShard) {
        add(inShard, Kind.RESET, 0, null, null);
    }

    @Override
    public void applying(EntityInShard inShard, Record record) {
        if (record instanceof Record.MessageEnqueued enqueued) {
            arrived(inShard, Kind.ENQUEUED, enqueued.message());
        } else if (record instanceof Record.MessageScheduled scheduled) {
            arrived(inShard, Kind.SCHEDULED, scheduled.message());
        } else if (record instanceof Record.ScheduledMessageActivated activated) {
            arrived(inShard, Kind.ENQUEUED, activated.message());
        } else if (record instanceof Record.ScheduledMessageCancelled canceled) {
            add(inShard, Kind.CANCELED, canceled.sequenceNumber());
        } else if (record instanceof Record.MessageLocked locked) {
            add(inShard, Kind.DELIVERED, locked.sequenceNumber());
        } else if (record instanceof Record.MessageRemoved removed) {
            removed(inShard, removed);
        } else if (record instanceof Record.DeliveryFailed failed) {
            Kind kind = failed.cause() == Record.FailureCause.ABANDONED ? Kind.ABANDONED : Kind.LOCK_EXPIRED;
            add(inShard, kind, failed.sequenceNumber());
        } else if (record instanceof Record.MessageDeferred deferred) {
            add(inShard, Kind.DEFERRED, deferred.sequenceNumber());
        } else if (record instanceof Record.MessagePassed passed) {
            add(
                    inShard,
                    Kind.FORWARDED,
                    passed.sequenceNumber(),
                    passed.message().messageId(),
                    description(inShard).forwardTo());
        } else if (record instanceof Record.TransferQueued queued) {
            add(
                    inShard,
                    Kind.FORWARDED,
                    queued.transfer().number(),
                    queued.transfer().message().messageId(),
                    description(inShard).forwardTo());
        } else if (record instanceof Record.MessageDeadLettered dead) {
            deadLettered(inShard, dead.message());
        } else if (record instanceof Record.CopyDeadLettered dead) {
            deadLettered(inShard, dead.message());
        } else if (record instanceof Record.ForwardRefused dead) {
            deadLettered(inShard, dead.message());
        } else if (record instanceof Record.TransferDeadLettered dead) {
            deadLettered(inShard, dead.message());
        } else if (record instanceof Record.TransferReturned dead) {
            deadLettered(inShard, dead.message());
        }
    }

    @Override
    public void accepted(
            EntityInShard inShard, List<IncomingMessage> messages, Reply.Sent sent, List<FanOut.Copy> copies) {
        Set<Integer> duplicates = new HashSet<>(sent.duplicates());
        for (int index : duplicates) {
            add(inShard, Kind.DUPLICATE, 0, messages.get(index).messageId(), null);
        }
        for (int i = 0; i < messages.size(); i++) {
            String id = messages.get(i).messageId();
            if (id != null && !duplicates.contains(i)) {
                ids.putIfAbsent(new Place(inShard.entityId(), sent.sequenceNumbers()[i]), id);
            }
        }
        if (!(inShard instanceof TopicInShard)) {
            return;
        }
        Set<Long> matched = matched(copies);
        for (int i = 0; i < messages.size(); i++) {
            IncomingMessage message = messages.get(i);
            long number = sent.sequenceNumbers()[i];
            boolean later = message.scheduledEnqueueTimeMs() > nowMs.getAsLong();
            if (number != 0 && !duplicates.contains(i) && !later) {
                long first = message.envelope().enqueuedSequenceNumber();
                boolean taken = matched.contains(first == 0 ? number : first);
                add(inShard, taken ? Kind.PUBLISHED : Kind.UNMATCHED, number, message.messageId(), null);
            }
        }
    }

    @Override
    public void published(TopicInShard topic, FanOut publication) {
        Set<Long> matched = matched(publication.copies());
        for (Record record : publication.records()) {
            if (record instanceof Record.ScheduledMessagePublished due) {
                String id = ids.get(new Place(topic.entityId(), due.sequenceNumber()));
                // Its copies have the number that it got when it was sent.
                Kind kind = matched.contains(due.sequenceNumber()) ? Kind.PUBLISHED : Kind.UNMATCHED;
                add(topic, kind, due.sequenceNumber(), id, null);
            }
        }
    }

    private static Set<Long> matched(List<FanOut.Copy> copies) {
        Set<Long> matched = new HashSet<>();
        for (FanOut.Copy copy : copies) {
            StoredMessage stored = copyOf(copy.record());
            if (stored != null) {
                matched.add(stored.enqueuedSequenceNumber());
            }
        }
        return matched;
    }

    private static @Nullable StoredMessage copyOf(Record record) {
        if (record instanceof Record.MessageEnqueued enqueued) {
            return enqueued.message();
        }
        return record instanceof Record.CopyDeadLettered dead ? dead.message() : null;
    }

    private void arrived(EntityInShard inShard, Kind kind, StoredMessage message) {
        String id = idOf(message);
        if (id != null) {
            ids.put(new Place(inShard.entityId(), message.sequenceNumber()), id);
        }
        add(inShard, kind, message.sequenceNumber(), id, null);
    }

    private void deadLettered(EntityInShard inShard, StoredMessage message) {
        String id = idOf(message);
        if (id != null) {
            ids.put(new Place(inShard.entityId(), message.sequenceNumber()), id);
        }
        add(inShard, Kind.DEAD_LETTERED, message.sequenceNumber(), id, reasonOf(message));
    }

    private static @Nullable String reasonOf(StoredMessage message) {
        EncodedValue reason = message.propertyOverrides().get(REASON);
        Object value = reason == null
                ? null
                : new ContentReader(message.content())
                        .applicationProperties(Map.of(REASON, reason))
                        .get(REASON);
        return value == null ? null : value.toString();
    }

    private void removed(EntityInShard inShard, Record.MessageRemoved removed) {
        Kind kind = switch (removed.cause()) {
            case COMPLETED -> Kind.COMPLETED;
            case RECEIVED_AND_DELETED -> Kind.RECEIVED_AND_DELETED;
            case EXPIRED -> Kind.EXPIRED;
            case DELETED -> Kind.DELETED;
            case FORWARDED -> Kind.FORWARDED;
        };
        QueueDescription description = description(inShard);
        String to = removed.lane() == Lane.MAIN ? description.forwardTo() : description.forwardDeadLetteredMessagesTo();
        String id = ids.get(new Place(inShard.entityId(), removed.sequenceNumber()));
        add(inShard, kind, removed.sequenceNumber(), id, kind == Kind.FORWARDED ? to : null);
    }

    private static QueueDescription description(EntityInShard inShard) {
        return inShard.state().description();
    }

    private static @Nullable String idOf(StoredMessage message) {
        try {
            return StoredMessages.incoming(message.content(), Map.of(), null, MessageView.NEVER, 0)
                    .messageId();
        } catch (IllegalArgumentException e) {
            return null; // a test of the broker itself has sent something else
        }
    }

    private void add(EntityInShard inShard, Kind kind, long sequenceNumber) {
        add(inShard, kind, sequenceNumber, ids.get(new Place(inShard.entityId(), sequenceNumber)), null);
    }

    private void add(
            EntityInShard inShard, Kind kind, long sequenceNumber, @Nullable String id, @Nullable String reason) {
        String path = inShard.entity().path();
        uncommitted.add(new Event(
                inShard.entity().namespaceOptions().name(),
                inShard.entityId(),
                new MessageEvent(nowMs.getAsLong(), path, kind, sequenceNumber, id, reason)));
    }
}
