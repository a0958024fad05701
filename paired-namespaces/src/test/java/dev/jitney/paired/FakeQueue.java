package dev.jitney.paired;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.paired.internal.transport.Inlet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A queue or topic of a {@link FakeNamespace}, whose lock guards it. */
final class FakeQueue {
    final String path;
    /** The description at creation, or null if it existed before. */
    final CreateQueueOptions description;

    final Duration lockDuration;
    final List<Stored> messages = new ArrayList<>();
    final List<DeadLetter> deadLetters = new ArrayList<>();
    int messageBytesMax = 256 * 1024;
    /** True if batches of messages with different session ids are refused. */
    boolean oneSessionABatch;

    FakeQueue(String path, CreateQueueOptions description, Duration lockDuration) {
        this.path = path;
        this.description = description;
        this.lockDuration = lockDuration;
    }

    void add(AmqpAnnotatedMessage content, long sequenceNumber, Instant now) {
        messages.add(new Stored(content, sequenceNumber, now));
    }

    /** Locks and returns the messages that can be delivered now. */
    List<Inlet.Delivered> lock(int countMax, Instant now) {
        List<Inlet.Delivered> taken = new ArrayList<>();
        for (Stored message : messages) {
            if (taken.size() < countMax && !message.lockedUntil.isAfter(now)) {
                message.lockedUntil = now.plus(lockDuration);
                message.deliveries++;
                taken.add(new Delivery(message, message.lockedUntil));
            }
        }
        return taken;
    }

    List<AmqpAnnotatedMessage> contents() {
        return messages.stream().map(message -> message.content).toList();
    }

    /** A stored message. */
    static final class Stored {
        final AmqpAnnotatedMessage content;
        final long sequenceNumber;
        final Instant enqueuedAt;
        Instant lockedUntil = Instant.MIN;
        int deliveries;

        Stored(AmqpAnnotatedMessage content, long sequenceNumber, Instant enqueuedAt) {
            this.content = content;
            this.sequenceNumber = sequenceNumber;
            this.enqueuedAt = enqueuedAt;
        }
    }

    /** A delivery of a message to a receiver. */
    record Delivery(Stored stored, Instant lockedUntil) implements Inlet.Delivered {
        @Override
        public AmqpAnnotatedMessage content() {
            return stored.content;
        }

        @Override
        public long sequenceNumber() {
            return stored.sequenceNumber;
        }

        boolean holdsLock(Instant now) {
            return lockedUntil.isAfter(now) && stored.lockedUntil.equals(lockedUntil);
        }
    }

    record DeadLetter(AmqpAnnotatedMessage content, String reason, String description) {}
}
