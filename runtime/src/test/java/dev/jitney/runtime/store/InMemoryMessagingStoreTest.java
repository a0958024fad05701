package dev.jitney.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InMemoryMessagingStoreTest extends MessagingStoreContract {

    @Override
    protected MessagingStore openEmpty() {
        return new InMemoryMessagingStore();
    }

    @Override
    protected MessagingStore closeAndOpen(MessagingStore store) {
        return ((InMemoryMessagingStore) store).crash();
    }

    private InMemoryMessagingStore twin() {
        return (InMemoryMessagingStore) store();
    }

    @Test
    void aFailedCommitStoresNothingAndTheStoreWaitsForReopen() throws Exception {
        twin().failNextCommit(StoreException.Reason.DISK_FULL, false);
        assertThatThrownBy(() -> commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("01"))))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DISK_FULL));
        assertThatThrownBy(() -> commit(batch -> batch.put(Table.MESSAGES, hex("02"), hex("02"))))
                .isInstanceOf(StoreException.class);
        twin().refuseReopens(1);
        assertThatThrownBy(() -> store().reopen()).isInstanceOf(StoreException.class);
        store().reopen();
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("01")));
        assertThat(keys(Table.MESSAGES, hex("00"), hex("ff"))).containsExactly("01");
        assertThat(twin().commits()).isEqualTo(1);
    }

    @Test
    void aFailedCommitMayHaveStoredItsBatch() throws Exception {
        twin().failNextCommit(StoreException.Reason.IO, true);
        assertThatThrownBy(() -> commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("01"))))
                .isInstanceOf(StoreException.class);
        store().reopen();
        assertThat(store().get(Table.MESSAGES, hex("01"))).isEqualTo(hex("01"));
    }

    @Test
    void growthIsAcceptedUntilSwitchedOff() {
        twin().setAcceptsGrowth(false);
        assertThat(store().acceptsGrowth()).isFalse();
        twin().setAcceptsGrowth(true);
        assertThat(store().acceptsGrowth()).isTrue();
    }

    @Test
    void brokenRulesOfWrittenOnceTablesAreErrors() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("01")));
        assertThatThrownBy(() -> commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("02"))))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> commit(batch -> {
                    batch.put(Table.MESSAGES, hex("02"), hex("02"));
                    batch.put(Table.MESSAGES, hex("02"), hex("02"));
                }))
                .isInstanceOf(AssertionError.class);
        commit(batch -> batch.delete(Table.MESSAGES, hex("01")));
        assertThatThrownBy(() -> commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("02"))))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> commit(batch -> batch.delete(Table.MESSAGES, hex("01"))))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> commit(batch -> batch.delete(Table.MESSAGES, hex("09"))))
                .isInstanceOf(AssertionError.class);
        InMemoryMessagingStore survivor = twin().copy();
        try (RowBatch batch = new RowBatch()) {
            batch.put(Table.MESSAGES, hex("01"), hex("02"));
            assertThatThrownBy(() -> survivor.commit(batch)).isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void aKeyOfADeletedRangeIsNeverPutAgain() throws Exception {
        commit(batch -> batch.put(Table.FRAGMENTS, hex("01"), hex("01")));
        commit(batch -> batch.deleteRange(Table.FRAGMENTS, hex("01"), hex("02")));
        assertThatThrownBy(() -> commit(batch -> batch.put(Table.FRAGMENTS, hex("01"), hex("01"))))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aCrashForgetsWhatWasNotCommittedAndEndsTheStore() throws Exception {
        commit(batch -> batch.put(Table.MESSAGES, hex("01"), hex("01")));
        RowBatch batch = new RowBatch();
        batch.put(Table.MESSAGES, hex("02"), hex("02"));
        InMemoryMessagingStore survivor = twin().crash();
        assertThatThrownBy(() -> store().commit(batch)).isInstanceOf(StoreException.class);
        assertThat(survivor.size(Table.MESSAGES)).isEqualTo(1);
        assertThat(survivor.get(Table.MESSAGES, hex("01"))).isEqualTo(hex("01"));
    }
}
