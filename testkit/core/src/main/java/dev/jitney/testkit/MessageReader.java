package dev.jitney.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the messages and counts of one entity with the operator API, which locks and changes nothing. */
record MessageReader(NamespaceAccess access, String call, String path) {
    static final String DEAD_LETTERS = "/$DeadLetterQueue";
    static final String TRANSFER_DEAD_LETTERS = "/$Transfer/$DeadLetterQueue";
    static final int MESSAGES_MAX = 1_000;
    private static final int PAGE_MAX = 250;
    private static final int BODY_SHOWN_MAX = 4_096;

    /** Returns the first messages in some states, up to {@value #MESSAGES_MAX} of them. */
    List<StoredMessage> messages(String states) {
        return messages(states, MESSAGES_MAX);
    }

    List<StoredMessage> messages(String states, int max) {
        List<StoredMessage> all = new ArrayList<>();
        String from = null;
        do {
            JsonObject page = access.operator(
                    call,
                    "GET",
                    path,
                    "/messages?state=" + states + "&max=" + Math.min(PAGE_MAX, max - all.size()) + "&body="
                            + BODY_SHOWN_MAX + (from == null ? "" : "&from=" + from),
                    null);
            page.objects("messages").forEach(message -> all.add(StoredMessage.of(whole(message))));
            from = page.textOrNull("next");
        } while (from != null && all.size() < max);
        return List.copyOf(all);
    }

    /** Lists show only the beginning of a large body. */
    private JsonObject whole(JsonObject listed) {
        return listed.number("bodySizeInBytes") <= BODY_SHOWN_MAX
                        && listed.members().containsKey("body")
                ? listed
                : access.operator(call, "GET", path, "/messages/" + listed.text("sequenceNumber"), null);
    }

    MessageCounts counts() {
        return MessageCounts.of(access.operator(call, "GET", path, "", null).object("counts"));
    }

    MessageReader of(@Nullable String subQueue) {
        return new MessageReader(access, call, path + (subQueue == null ? "" : subQueue));
    }
}
