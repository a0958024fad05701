package dev.jitney.crash.kill;

import dev.jitney.crash.kill.Ledger.Entry;
import dev.jitney.crash.kill.Ledger.Place;
import dev.jitney.crash.kill.Ledger.Request;
import dev.jitney.testing.client.RequestLink;
import java.util.Map;
import java.util.function.Function;

/** A client that removes messages from an entity by sequence number, over its management node. */
final class ByNumber {
    private ByNumber() {}

    /** Receives and deletes a few deferred messages. */
    static void fetchDeferred(RequestLink management, Ledger ledger, int max) {
        take(
                management,
                ledger,
                Place.DEFERRED,
                max,
                "com.microsoft:receive-by-sequence-number",
                number -> Map.of("sequence-numbers", new long[] {number}, "receiver-settle-mode", 0));
    }

    /** Cancels a few scheduled messages. */
    static void cancelScheduled(RequestLink management, Ledger ledger, int max) {
        take(
                management,
                ledger,
                Place.SCHEDULED,
                max,
                "com.microsoft:cancel-scheduled-message",
                number -> Map.of("sequence-numbers", new long[] {number}));
    }

    private static void take(
            RequestLink management,
            Ledger ledger,
            Place place,
            int max,
            String operation,
            Function<Long, Map<String, Object>> body) {
        for (Entry entry : ledger.resting(place, max)) {
            Request request = ledger.remove(entry);
            management
                    .request(operation, body.apply(Ledger.sequenceNumber(entry)))
                    .thenAccept(response -> {
                        if (response.status() == 200) {
                            ledger.confirm(request);
                        } else {
                            ledger.refuse(request, operation + ": " + response.status() + " " + response.description());
                        }
                    });
        }
    }
}
