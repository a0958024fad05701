package dev.jitney.runtime.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a scan from the beginning of a lane")
final class FirstRowsTest {
    private static final FragmentId QUEUE = new FragmentId(7, 0);
    private static final FragmentId OTHER = new FragmentId(8, 0);

    private final InMemoryMessagingStore store = new InMemoryMessagingStore();
    private final RowBatch batch = new RowBatch();
    private final StoreRowWriter writer = new StoreRowWriter(batch);
    private final StoreRowReader reader = new StoreRowReader(store, writer, StoreRowReader.Turn.NONE);

    @Test
    @DisplayName("begins behind the rows that were deleted before, and finds a row that is added below")
    void added() throws Exception {
        givenDeleted(100, 90);

        assertThat(scan(QUEUE, 0)).startsWith(91L).hasSize(10);
        assertThat(bound(QUEUE)).isEqualTo(91);
        assertThat(scan(QUEUE, 0)).startsWith(91L).hasSize(10);

        put(QUEUE, 0);
        assertThat(scan(QUEUE, 0)).startsWith(0L, 91L).hasSize(11);
        assertThat(bound(QUEUE)).isZero();
        commit();
        assertThat(scan(QUEUE, 0)).startsWith(0L, 91L).hasSize(11);
    }

    @Test
    @DisplayName("does not count deletions that are not committed, and drops all bounds with them")
    void uncommitted() throws Exception {
        givenDeleted(100, 0);
        delete(60);
        assertThat(scan(QUEUE, 0)).startsWith(61L);
        assertThat(writer.first().bounds()).isEmpty();
        writer.clear();
        assertThat(scan(QUEUE, 0)).startsWith(1L).hasSize(100);

        delete(60);
        commit();
        scan(QUEUE, 0);
        assertThat(bound(QUEUE)).isEqualTo(61);
        writer.clear();
        assertThat(writer.first().bounds()).isEmpty();
    }

    @Test
    @DisplayName("sets no bound from the middle, and none for another queue or another lane")
    void middle() throws Exception {
        givenDeleted(100, 90);
        put(OTHER, 1);
        commit();

        assertThat(scan(QUEUE, 20)).startsWith(91L);
        assertThat(writer.first().bounds()).isEmpty();
        scan(QUEUE, 0);
        assertThat(scan(OTHER, 0)).containsExactly(1L);
        assertThat(bound(OTHER)).isZero();
        assertThat(writer.first().start(QUEUE, Lane.DEAD_LETTER, 0)).isZero();
        assertThat(scan(QUEUE, 95)).containsExactly(95L, 96L, 97L, 98L, 99L, 100L);
    }

    @Test
    @DisplayName("finds the next message of an empty lane")
    void empty() throws Exception {
        givenDeleted(100, 100);
        assertThat(scan(QUEUE, 0)).isEmpty();
        assertThat(bound(QUEUE)).isEqualTo(Long.MAX_VALUE);
        put(QUEUE, 101);
        assertThat(scan(QUEUE, 0)).containsExactly(101L);
        commit();
        assertThat(scan(QUEUE, 0)).containsExactly(101L);
    }

    @Test
    @DisplayName("keeps a limited number of bounds")
    void limited() throws Exception {
        for (int i = 0; i < 10_050; i++) {
            writer.first().found(new FragmentId(i, 0), Lane.MAIN, 0, 1_000);
        }
        assertThat(writer.first().bounds()).hasSize(10_000);
        assertThat(writer.first().start(new FragmentId(49, 0), Lane.MAIN, 0)).isZero();
        assertThat(writer.first().start(new FragmentId(50, 0), Lane.MAIN, 0)).isEqualTo(1_000);
    }

    private void givenDeleted(int put, int deleted) throws StoreException {
        for (int number = 1; number <= put; number++) {
            put(QUEUE, number);
        }
        commit();
        delete(deleted);
        commit();
    }

    private void delete(int last) {
        for (int number = 1; number <= last; number++) {
            writer.deleteMessage(QUEUE, Lane.MAIN, number);
        }
    }

    private void put(FragmentId fragment, long number) {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content =
                MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.US_ASCII.encode("body"));
        MessageEnvelope envelope = MessageEnvelope.builder()
                .sequenceNumber(number)
                .enqueuedSequenceNumber(number)
                .enqueuedTimeMs(1)
                .expiresAtMs(2)
                .build();
        writer.putMessage(fragment, Lane.MAIN, new StoredMessage(envelope, content, null));
    }

    private void commit() throws StoreException {
        store.commit(batch);
        batch.clear();
    }

    private long bound(FragmentId fragment) {
        return writer.first().start(fragment, Lane.MAIN, 0);
    }

    private List<Long> scan(FragmentId fragment, long from) {
        List<Long> numbers = new ArrayList<>();
        reader.scan(fragment, Lane.MAIN, from, Long.MAX_VALUE, row -> {
            numbers.add(row.message().sequenceNumber());
            return true;
        });
        return numbers;
    }
}
