package dev.jitney.cluster;

import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.ReplicaStoreContract;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A replica in memory")
class InMemoryReplicaStoreTest extends ReplicaStoreContract {

    @Override
    protected ReplicaStore openEmpty(Path directory) {
        return new InMemoryReplicaStore();
    }

    @Override
    protected ReplicaStore closeAndOpen(ReplicaStore store) throws StoreException {
        store.flush();
        store.close();
        return ((InMemoryReplicaStore) store).restarted();
    }

    @Override
    protected ReplicaStore killAndOpen(ReplicaStore store) throws StoreException {
        return ((InMemoryReplicaStore) store).restarted();
    }

    @Override
    protected void damage(Path checkpoint) throws IOException {
        try (FileChannel file = FileChannel.open(checkpoint.resolve("batches"), StandardOpenOption.WRITE)) {
            file.truncate(file.size() - 1);
        }
    }
}
