package dev.jitney.gateway.http.operator.note;

import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.Documents.Document;
import dev.jitney.runtime.Namespace;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notes on groups of dead letters of one namespace, such as "BUG-123, on hold". They are documents in the store, and are read for each
 * request, because there are few. Any thread may call it; the stages complete on the thread of the shard.
 */
public final class GroupNotes {
    private static final Logger LOG = LoggerFactory.getLogger(GroupNotes.class);

    /** The number of notes of a namespace. One read returns them all. */
    static final int NOTES_MAX = 200;

    /** The length of a note, characters. */
    static final int TEXT_CHARACTERS_MAX = 1_000;

    private static final int VERSION = 1;
    private static final int ID_BYTES = 8;

    private final Namespace namespace;

    public GroupNotes(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * One note.
     *
     * @param entity the path of the queue, with its sub-queue
     * @param author the name of the key that wrote it
     * @param atMs when it was written, milliseconds since the epoch
     */
    public record Note(String entity, String group, String text, String author, long atMs) {
        /** Returns the note as the API shows it. */
        public JsonObject document() {
            return new JsonObject()
                    .put("text", text)
                    .put("author", author)
                    .put("time", Instant.ofEpochMilli(atMs).toString());
        }

        private byte[] toRow() {
            return document()
                    .put("version", VERSION)
                    .put("entity", entity)
                    .put("group", group)
                    .toBuffer()
                    .getBytes();
        }

        private static Note of(byte[] row) {
            JsonObject stored = new JsonObject(Buffer.buffer(row));
            if (stored.getInteger("version") != VERSION) {
                throw new IllegalArgumentException("Expected version " + VERSION + " of a note, but got version "
                        + stored.getInteger("version") + ".");
            }
            return new Note(
                    stored.getString("entity"),
                    stored.getString("group"),
                    stored.getString("text"),
                    stored.getString("author"),
                    stored.getInstant("time").toEpochMilli());
        }
    }

    /** Returns the id of a group: the start of a digest of what its messages have in common, in hexadecimal digits. */
    public static String groupId(@Nullable String reason, @Nullable String description, @Nullable String subject) {
        return HexFormat.of().formatHex(digest(reason, description, subject), 0, ID_BYTES);
    }

    /** Returns whether a text may be the id of a group. */
    public static boolean isGroupId(String text) {
        return text.length() == 2 * ID_BYTES && text.chars().allMatch(HexFormat::isHexDigit);
    }

    /** Returns the path of a queue with its sub-queue, in comparison form. */
    static String key(EntityAddress address) {
        return address.key() + address.subQueue().suffix();
    }

    private static long documentId(EntityAddress address, String group) {
        return ByteBuffer.wrap(digest(key(address), group)).getLong() & Long.MAX_VALUE;
    }

    private static byte[] digest(@Nullable String... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                byte[] bytes = part == null ? new byte[0] : part.getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(part == null ? -1 : bytes.length)
                        .array());
                digest.update(bytes);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256, which every Java has.", e);
        }
    }

    /** Returns the notes on the groups of a queue, by the id of the group. */
    public CompletionStage<Map<String, Note>> of(EntityAddress address) {
        String key = key(address);
        return documents().thenApply(documents -> {
            Map<String, Note> notes = new HashMap<>();
            for (Document document : documents) {
                Note note = readable(document);
                if (note != null && key(EntityAddress.ofPath(note.entity())).equals(key)) {
                    notes.put(note.group(), note);
                }
            }
            return notes;
        });
    }

    private CompletionStage<List<Document>> documents() {
        return namespace.documents().read(Documents.Kind.NOTE, 0, Documents.READ_MAX);
    }

    private static @Nullable Note readable(Document document) {
        try {
            return Note.of(document.content());
        } catch (RuntimeException unreadable) {
            LOG.warn("Note {} cannot be read, and is not shown: {}", document.id(), unreadable.getMessage());
            return null;
        }
    }

    /**
     * Writes a note, and replaces an older one on the same group. Notes on entities that do not exist any more make room for new ones.
     *
     * @return true when it is durable, false if there are too many notes
     */
    CompletionStage<Boolean> put(EntityAddress address, Note note) {
        long id = documentId(address, note.group());
        return documents().thenCompose(documents -> {
            CompletionStage<?> room = CompletableFuture.completedFuture(null);
            boolean known = documents.stream().anyMatch(document -> document.id() == id);
            if (!known && documents.size() >= NOTES_MAX) {
                List<Document> outdated =
                        documents.stream().filter(this::isOutdated).toList();
                if (outdated.isEmpty()) {
                    return CompletableFuture.completedFuture(false);
                }
                for (Document document : outdated) {
                    room = namespace.documents().delete(Documents.Kind.NOTE, document.id(), document.id() + 1);
                }
            }
            return room.thenCompose(made -> namespace.documents().put(Documents.Kind.NOTE, id, note.toRow()))
                    .thenApply(durable -> true);
        });
    }

    private boolean isOutdated(Document document) {
        Note note = readable(document);
        return note == null
                || namespace.entity(EntityAddress.ofPath(note.entity()).path()) == null;
    }

    /** Deletes a note, if there is one. Completes when that is durable. */
    CompletionStage<Void> delete(EntityAddress address, String group) {
        long id = documentId(address, group);
        return namespace.documents().delete(Documents.Kind.NOTE, id, id + 1);
    }
}
