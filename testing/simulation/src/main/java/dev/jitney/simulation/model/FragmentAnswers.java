package dev.jitney.simulation.model;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.List;

/** Whether senders to partitioned entities are told what is right: keys pin, and without a key any fragment will do. */
final class FragmentAnswers {
    private final Ledger ledger;

    FragmentAnswers(Ledger ledger) {
        this.ledger = ledger;
    }

    /** PART-28: what belongs to one fragment is refused while that is unavailable, and only then. */
    void requireUnavailable(Request request, Rejection rejection) {
        List<Shelf> parts = ledger.shelves().of(request.path);
        ledger.check(
                request instanceof Request.Send
                        && (parts.isEmpty() || parts.get(0).isPart()),
                () -> "Expected an answer of the fragments, but got " + rejection,
                request);
        boolean disturbed = ledger.disturbances() != request.disturbances;
        for (Shelf part : parts) {
            disturbed |= part == request.part() && !ledger.isHealthy(part.store);
        }
        ledger.check(
                disturbed || parts.isEmpty(), () -> "Expected its fragment to work, but got " + rejection, request);
    }

    /** PART-39: what has no key is taken as long as some fragment works. */
    void mayBeBusy(Request request, Rejection rejection) {
        boolean certain = rejection.code() == ErrorCode.SERVER_BUSY && ledger.disturbances() == request.disturbances;
        if (certain && request instanceof Request.Send send) {
            for (Shelf part : ledger.shelves().of(send.path)) {
                boolean keyless = part.isPart() && Keys.of(send.messages.get(0), part.settings) == null;
                ledger.check(
                        !keyless || !ledger.isHealthy(part.store),
                        () -> "Expected a message without a key to go to fragment " + part.fragment + ", but got "
                                + rejection,
                        request);
            }
        }
    }

    /** PART-41: whether a fragment may be taken for unavailable because its commit takes long. */
    boolean mayHang(Request request) {
        return ledger.isCommitting() && ledger.shelves().isPartitioned(request.path);
    }

    /** Messages were taken. */
    void sent(Request.Send send) {
        for (Shelf part : ledger.shelves().of(send.path)) {
            ledger.check(
                    !part.isPart() || Keys.areOne(send.messages, part.settings),
                    "Expected messages of several keys to be refused (MSG-8, PART-32)",
                    send);
        }
    }

    /** Messages cannot be sent so. */
    void refused(Request.Send send, Rejection rejection) {
        for (Shelf part : ledger.shelves().of(send.path)) {
            boolean lacksSession =
                    part.settings.sessions() && send.messages.stream().anyMatch(message -> message.session() == null);
            ledger.check(
                    !part.isPart() || lacksSession || !Keys.areOne(send.messages, part.settings),
                    () -> "Expected messages of one key to be taken, but got " + rejection,
                    send);
        }
    }
}
