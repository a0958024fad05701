package dev.jitney.runtime.partitioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("SESS-17, SESS-23: lists of the sessions of a partitioned entity that are longer than a page")
class PartitionedListsTest extends PartitionedScenario {
    /** The maximum number of sessions in a page, far less than the partitions have. */
    private static final int PAGE_MAX = 3;

    private final List<String> sent = new ArrayList<>();
    private Entity sq;

    @BeforeEach
    void manySessions() throws StoreException {
        open(PAGE_MAX, 120);
    }

    private void open(int pageMax, int count) throws StoreException {
        NamespaceOptions namespace = new NamespaceOptions(
                "ns", List.of(AccessRule.root("key")), pagesOf(pageMax), ExpiryEnforcement.ON_RECEIVER);
        f = new BrokerFixture(
                BrokerOptions.of(List.of(namespace)),
                List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
        sq = create(QueueDescription.named("sq").requiresSession(true));
        sent.clear();
        for (int i = 0; i < count; i++) {
            sent.add("s" + i);
        }
        sent.add("\uff21"); // in UTF-16 behind the next one, but in UTF-8 before it
        sent.add("\ud83d\ude00");
        for (String id : sent) {
            f.submit(sq, new Command.SendMessages(List.of(keyed("m", id, null))));
        }
        f.settle();
        sent.sort((a, b) ->
                Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    }

    private static Limits pagesOf(int max) {
        Limits l = Limits.of(TierProfile.STANDARD);
        return new Limits(
                l.tier(),
                l.maxMessageSizeBytes(),
                l.maxQueueSizeInMegabytes(),
                l.maxTimeToLiveMs(),
                l.maxIdLength(),
                l.maxPropertySizeBytes(),
                l.maxHeaderSizeBytes(),
                l.maxEntities(),
                l.maxPartitionedEntities(),
                l.maxSubscriptions(),
                l.maxSqlFilters(),
                l.maxCorrelationFilters(),
                l.maxConnections(),
                l.maxReceivers(),
                l.maxLocks(),
                max,
                l.maxPeekSizeBytes(),
                l.maxBatchDeleteCount());
    }

    private Answer answer(@Nullable String after, int skip, int top) {
        return done(sq, new Command.ListSessions(MessageView.NEVER, after, skip, top));
    }

    private Reply.Sessions list(@Nullable String after, int skip, int top) {
        return (Reply.Sessions) answer(after, skip, top).reply();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    @DisplayName("pages with skip and top contain every session once")
    void skipping(int top) {
        List<String> listed = new ArrayList<>();
        Reply.Sessions page = list(null, 0, top);
        while (!page.sessionIds().isEmpty()) {
            listed.addAll(page.sessionIds());
            assertThat(page.skip()).isEqualTo(listed.size());
            page = list(null, page.skip(), top);
        }
        assertThat(listed).isEqualTo(sent);
        assertThat(page.skip()).isEqualTo(sent.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    @DisplayName("pages after the last session of the page before contain every session once")
    void continuing(int top) {
        List<String> listed = new ArrayList<>();
        Reply.Sessions page = list(null, 0, top);
        while (!page.sessionIds().isEmpty()) {
            listed.addAll(page.sessionIds());
            page = list(listed.get(listed.size() - 1), 0, top);
        }
        assertThat(listed).isEqualTo(sent);
    }

    @Test
    @DisplayName("a page is full although it ends the answers of several rounds")
    void fullPages() {
        assertThat(list(null, 100, 3).sessionIds()).isEqualTo(sent.subList(100, 103));
        assertThat(list("s50", 20, 3).sessionIds())
                .isEqualTo(sent.subList(sent.indexOf("s50") + 21, sent.indexOf("s50") + 24));
    }

    @Test
    @DisplayName("a skip behind the end finds nothing, and invalid numbers are refused as on an ordinary entity")
    void bounds() {
        assertThat(list(null, Integer.MAX_VALUE, Integer.MAX_VALUE).sessionIds())
                .isEmpty();
        assertThat(answer(null, 5, 0).rejection().code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(answer(null, -5, 10).rejection().code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
    }

    @Test
    @DisplayName("a skip that takes too many rounds is refused, and the list continues from a session instead")
    void hostileSkip() throws StoreException {
        open(1, 410);
        assertThat(list(null, 390, 1).sessionIds()).isEqualTo(sent.subList(390, 391));
        assertThat(answer(null, 401, 1).rejection().code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(list(sent.get(300), 101, 1).sessionIds()).isEqualTo(sent.subList(402, 403));
    }
}
