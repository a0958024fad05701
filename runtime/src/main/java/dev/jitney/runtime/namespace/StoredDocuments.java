package dev.jitney.runtime.namespace;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.shard.ChangeTask;
import dev.jitney.runtime.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The documents of a namespace in the store of its home shard. Any thread may call it. */
final class StoredDocuments implements Documents {
    private final EntityDirectory namespace;
    private final Supplier<Shard> home;

    /** @param home returns the home shard of the namespace */
    StoredDocuments(EntityDirectory namespace, Supplier<Shard> home) {
        this.namespace = namespace;
        this.home = home;
    }

    @Override
    public CompletionStage<Void> put(Kind kind, long id, byte[] content) {
        if (id < 0 || content.length > BYTES_MAX) {
            throw new IllegalArgumentException("Expected an id of at least 0 and at most " + BYTES_MAX
                    + " bytes, but got " + id + " and " + content.length + ".");
        }
        return ChangeTask.send(home.get(), shard -> {
            if (namespace.isGone()) {
                return new Rejection(
                        ErrorCode.ENTITY_NOT_FOUND, "The namespace '" + namespace.name() + "' does not exist.");
            }
            shard.entities().putDocument(namespace.name(), kind, id, content);
            return null;
        });
    }

    @Override
    public CompletionStage<Void> delete(Kind kind, long from, long to) {
        return ChangeTask.send(home.get(), shard -> {
            shard.entities().deleteDocuments(namespace.name(), kind, from, to);
            return null;
        });
    }

    @Override
    public CompletionStage<List<Document>> read(Kind kind, long from, int max) {
        CompletableFuture<List<Document>> done = new CompletableFuture<>();
        List<Document> found = new ArrayList<>();
        ChangeTask.send(
                home.get(),
                shard -> {
                    found.addAll(shard.entities().documents(namespace.name(), kind, from, Math.min(max, READ_MAX)));
                    return null;
                },
                () -> done.complete(found),
                done);
        return done;
    }
}
