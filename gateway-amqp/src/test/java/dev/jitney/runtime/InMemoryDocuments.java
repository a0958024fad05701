package dev.jitney.runtime;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/** Documents in memory. */
public final class InMemoryDocuments implements Documents {
    private final Map<Kind, NavigableMap<Long, byte[]>> documents = new EnumMap<>(Kind.class);

    public InMemoryDocuments() {
        for (Kind kind : Kind.values()) {
            documents.put(kind, new ConcurrentSkipListMap<>());
        }
    }

    private NavigableMap<Long, byte[]> of(Kind kind) {
        return documents.getOrDefault(kind, new ConcurrentSkipListMap<>());
    }

    @Override
    public CompletionStage<Void> put(Kind kind, long id, byte[] content) {
        of(kind).put(id, content);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> delete(Kind kind, long from, long to) {
        of(kind).subMap(from, to).clear();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<List<Document>> read(Kind kind, long from, int max) {
        return CompletableFuture.completedFuture(of(kind).tailMap(from).entrySet().stream()
                .limit(max)
                .map(row -> new Document(row.getKey(), row.getValue()))
                .toList());
    }
}
