package dev.jitney.runtime.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Access keys in a store")
class SealedKeysTest {
    private static final String ONE = Base64.getEncoder().encodeToString(new byte[32]);
    private static final String TWO =
            Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final String QUEUE_KEY = "the-key-of-the-queue";
    private static final String RULE_KEY = "the-key-of-the-namespace";

    private InMemoryMessagingStore store = new InMemoryMessagingStore();

    private BrokerFixture open(KeySeal seal) throws StoreException {
        BrokerOptions options = BrokerFixture.options("ns").with(seal);
        BrokerFixture broker = new BrokerFixture(options, List.of(store));
        broker.settle();
        return broker;
    }

    /** Ends a broker as kill -9 would. */
    private void crash() {
        store = store.crash();
    }

    private static AccessRule rule(String key) {
        return new AccessRule("web", Set.of(AccessRight.MANAGE), key, key + "-2");
    }

    private void fill(BrokerFixture broker) {
        broker.create(QueueDescription.named("orders")
                .accessRules(List.of(rule(QUEUE_KEY)))
                .build());
        BrokerFixture.get(settled(broker));
        assertKeys(broker);
    }

    private static java.util.concurrent.CompletionStage<Void> settled(BrokerFixture broker) {
        var done = broker.namespace().setAccessRules(List.of(rule(RULE_KEY)));
        broker.settle();
        return done;
    }

    private static void assertKeys(BrokerFixture broker) {
        assertThat(broker.namespace().accessRules()).containsExactly(rule(RULE_KEY));
        assertThat(broker.entity("orders").description().accessRules()).containsExactly(rule(QUEUE_KEY));
    }

    /** Returns the rows of a store as text of single bytes. */
    private String rows() throws StoreException {
        StringBuilder all = new StringBuilder();
        for (Table table : List.of(Table.META, Table.ENTITIES)) {
            try (StoreCursor rows = store.scan(table, new byte[0], new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1})) {
                while (rows.next()) {
                    all.append(new String(rows.key(), StandardCharsets.ISO_8859_1))
                            .append('=')
                            .append(new String(rows.value(), StandardCharsets.ISO_8859_1))
                            .append('\n');
                }
            }
        }
        return all.toString();
    }

    /** Makes a commit, with which the rows of the start are written. */
    private static void commit(BrokerFixture broker) {
        broker.send(broker.entity("orders"), "a");
        broker.settle();
    }

    @Test
    @DisplayName(
            "are encrypted when the operator's key is added, with another one when that changes, and not any more at"
                    + " the end")
    void wholeLife() throws Exception {
        fill(open(KeySeal.NONE));
        assertThat(rows()).contains(QUEUE_KEY, RULE_KEY);
        crash();

        KeySeal first = KeySeal.parse(ONE);
        BrokerFixture sealed = open(first);
        assertKeys(sealed);
        commit(sealed);
        assertThat(rows()).doesNotContain(QUEUE_KEY, RULE_KEY).contains(first.currentId());
        crash();
        assertKeys(open(first));

        crash();
        BrokerFixture rotated = open(KeySeal.parse(TWO + "\n" + ONE));
        assertKeys(rotated);
        commit(rotated);
        assertThat(rows()).doesNotContain(first.currentId());
        crash();
        assertKeys(open(KeySeal.parse(TWO)));

        crash();
        BrokerFixture plain = open(KeySeal.parse("none\n" + TWO));
        assertKeys(plain);
        commit(plain);
        assertThat(rows()).contains(QUEUE_KEY, RULE_KEY);
        crash();
        assertKeys(open(KeySeal.NONE));
    }

    @Test
    @DisplayName("are refused at the start without the key or with another one, and nothing is lost")
    void missingKey() throws Exception {
        KeySeal seal = KeySeal.parse(ONE);
        fill(open(seal));
        assertThat(rows()).doesNotContain(QUEUE_KEY, RULE_KEY);
        crash();
        for (KeySeal wrong : new KeySeal[] {KeySeal.NONE, KeySeal.parse(TWO), KeySeal.parse("none\n" + TWO)}) {
            assertThatThrownBy(() -> open(wrong))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Expected --secrets-key-file with the key " + seal.currentId())
                    .hasMessageContaining("Nothing was changed")
                    .hasMessageNotContaining(ONE);
        }
        assertKeys(open(seal));
    }
}
