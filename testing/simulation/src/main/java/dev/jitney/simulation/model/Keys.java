package dev.jitney.simulation.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which fragment of a partitioned entity messages belong to (semantics 17.3); the broker's own code has no say here. */
final class Keys {

    private Keys() {}

    /** The key of a message: its session, else its partition key, else its message id where duplicates are detected. */
    static @Nullable String of(Request.Sent message, Settings settings) {
        if (message.session() != null) {
            return message.session();
        } else if (message.partitionKey() != null) {
            return message.partitionKey();
        }
        return settings.detectsDuplicates() ? message.messageId() : null;
    }

    /** MSG-8, PART-32: whether messages may be sent together. */
    static boolean areOne(List<Request.Sent> messages, Settings settings) {
        for (Request.Sent message : messages) {
            boolean differs = message.session() != null
                    && message.partitionKey() != null
                    && !message.session().equals(message.partitionKey());
            if (differs || !Objects.equals(of(message, settings), of(messages.get(0), settings))) {
                return false;
            }
        }
        return true;
    }

    /** The fragment that the key of messages leads to, or null if they have none. */
    static @Nullable Shelf partOf(Request.Send send, List<Shelf> parts) {
        Shelf found = null;
        for (Shelf part : parts) {
            String key = part.isPart() ? of(send.messages.get(0), part.settings) : null;
            found = key != null && fragment(key, part.settings.fragments()) == part.fragment ? part : found;
        }
        return found;
    }

    /** PART-54: what is handed on comes to the fragment of its key. */
    static void requireHandedOn(Ledger ledger, Copy copy) {
        if (!copy.shelf.isPart()) {
            return;
        }
        Settings settings = copy.shelf.settings;
        String key = copy.row.session() != null ? copy.row.session() : text(copy, "sys.partitionkey");
        if (key == null && settings.detectsDuplicates()) {
            key = text(copy, "sys.messageid");
        }
        ledger.check(
                key == null || fragment(key, settings.fragments()) == copy.shelf.fragment,
                "Expected what is handed on in the fragment of its key (PART-54)",
                copy);
    }

    private static @Nullable String text(Copy copy, String name) {
        String value = copy.look.get(name);
        return value == null ? null : value.substring("string ".length());
    }

    /** PART-25: the first four bytes of the SHA-256, as a number without a sign, modulo the number of fragments. */
    static int fragment(String key, int fragments) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return (int) ((RowBytes.int32(hash, 0) & 0xffff_ffffL) % fragments);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256.", e);
        }
    }
}
