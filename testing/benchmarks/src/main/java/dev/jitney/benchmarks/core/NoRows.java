package dev.jitney.benchmarks.core;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.model.MessageContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that accepts all rows and keeps none: a benchmark delivers messages that are still in the cache. */
final class NoRows implements RowWriter, RowReader {

    @Override
    public void putMessage(FragmentId fragment, Lane lane, StoredMessage message) {}

    @Override
    public void deleteMessage(FragmentId fragment, Lane lane, long sequenceNumber) {}

    @Override
    public void putChange(FragmentId fragment, Lane lane, long sequenceNumber, MessageChange change) {}

    @Override
    public void deleteChange(FragmentId fragment, Lane lane, long sequenceNumber) {}

    @Override
    public void putTimer(FragmentId fragment, long dueMs, long sequenceNumber) {}

    @Override
    public void deleteTimer(FragmentId fragment, long dueMs, long sequenceNumber) {}

    @Override
    public void putExpiryBlock(FragmentId fragment, long block, long earliestExpiryMs) {}

    @Override
    public void deleteExpiryBlock(FragmentId fragment, long block) {}

    @Override
    public void putBody(FragmentId topic, long number, MessageContent content) {}

    @Override
    public void deleteBody(FragmentId topic, long number) {}

    @Override
    public void putBodyReleases(FragmentId topic, long number, int count) {}

    @Override
    public void deleteBodyReleases(FragmentId topic, long number) {}

    @Override
    public void putAcceptedId(FragmentId fragment, AcceptedId id) {}

    @Override
    public void deleteAcceptedId(FragmentId fragment, long generationMs, DuplicateKey key) {}

    @Override
    public void deleteAcceptedIds(FragmentId fragment, long generationMs) {}

    @Override
    public @Nullable AcceptedId acceptedId(FragmentId fragment, long generationMs, DuplicateKey key) {
        return null;
    }

    @Override
    public List<Long> acceptedIdGenerations(FragmentId fragment) {
        return List.of();
    }

    @Override
    public List<DuplicateKey> acceptedIds(FragmentId fragment, long generationMs, int countMax) {
        return List.of();
    }

    @Override
    public void putFragment(FragmentId fragment, FragmentRow row) {}

    @Override
    public void putEntity(EntityRow row) {}

    @Override
    public void deleteEntity(long entityId) {}

    @Override
    public @Nullable MessageRow message(FragmentId fragment, Lane lane, long sequenceNumber) {
        return null;
    }

    @Override
    public StoredMessage stored(FragmentId fragment, Lane lane, long sequenceNumber) {
        throw new IllegalStateException("Expected message " + sequenceNumber + " in the cache, but it is not there.");
    }

    @Override
    public int bodyReleases(FragmentId topic, long number) {
        return 0;
    }

    @Override
    public void scan(FragmentId fragment, Lane lane, long from, long to, Visitor visitor) {}

    @Override
    public List<TimerRow> timers(FragmentId fragment, long dueMs, long sequenceNumber, int countMax) {
        return List.of();
    }

    @Override
    public List<ExpiryBlockRow> expiryBlocks(FragmentId fragment) {
        return List.of();
    }

    @Override
    public void putTransfer(FragmentId source, Transfer transfer) {}

    @Override
    public void deleteTransfer(FragmentId source, long destinationId, long number) {}

    @Override
    public void putSession(FragmentId fragment, String sessionId, SessionRow row) {}

    @Override
    public void deleteSession(FragmentId fragment, String sessionId) {}

    @Override
    public void putSessionHead(FragmentId fragment, SessionHeadRow head) {}

    @Override
    public void deleteSessionHead(FragmentId fragment, SessionHeadRow head) {}

    @Override
    public void putSessionMessage(FragmentId fragment, String sessionId, long sequenceNumber) {}

    @Override
    public void deleteSessionMessage(FragmentId fragment, String sessionId, long sequenceNumber) {}

    @Override
    public void putSessionState(FragmentId fragment, String sessionId, byte[] state) {}

    @Override
    public void deleteSessionState(FragmentId fragment, String sessionId) {}

    @Override
    public @Nullable SessionRow session(FragmentId fragment, String sessionId) {
        return null;
    }

    @Override
    public List<Long> sessionMessages(FragmentId fragment, String sessionId, long from, int countMax) {
        return List.of();
    }

    @Override
    public List<SessionHeadRow> sessionHeads(FragmentId fragment, SessionHeadRow from, int countMax) {
        return List.of();
    }

    @Override
    public void scanSessions(FragmentId fragment, @Nullable String afterSessionId, SessionVisitor visitor) {}

    @Override
    public byte @Nullable [] sessionState(FragmentId fragment, String sessionId) {
        return null;
    }
}
