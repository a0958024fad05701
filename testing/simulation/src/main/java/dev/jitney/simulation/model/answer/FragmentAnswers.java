package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.model.entity.PartitionKeys;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.List;

/**
 * The judge of replies to sends to partitioned entities. A key determines the fragment; without a key, all fragments
 * are allowed.
 */
final class FragmentAnswers {
    private final ModelState model;

    FragmentAnswers(ModelState model) {
        this.model = model;
    }

    /** Checks that requests for one fragment are rejected only while the fragment is unavailable (PART-28). */
    void requireUnavailable(Request request, Rejection rejection) {
        List<StoredEntity> parts = model.entities().of(request.path);
        check(
                request instanceof Request.Send
                        && (parts.isEmpty() || parts.get(0).isFragment()),
                () -> "Expected this rejection for partitioned entities only, but got " + rejection,
                request);
        boolean disturbed = model.timeline().disturbances() != request.disturbances;
        for (StoredEntity part : parts) {
            disturbed |=
                    part == request.part(model.entities()) && !model.timeline().isHealthy(part.store);
        }
        check(
                disturbed || parts.isEmpty(),
                () -> "Expected no rejection by an available fragment, but got " + rejection,
                request);
    }

    /** Checks that messages without a key are stored as long as some fragment is available (PART-39). */
    void mayBeBusy(Request request, Rejection rejection) {
        boolean certain =
                rejection.code() == ErrorCode.SERVER_BUSY && model.timeline().disturbances() == request.disturbances;
        if (certain && request instanceof Request.Send send) {
            for (StoredEntity part : model.entities().of(send.path)) {
                boolean keyless = part.isFragment() && send.messages.get(0).key(part.settings) == null;
                check(
                        !keyless || !model.timeline().isHealthy(part.store),
                        () -> "Expected a message without a key to be stored in fragment " + part.fragment
                                + ", but got " + rejection,
                        request);
            }
        }
    }

    /** Returns whether a fragment may count as unavailable because its commit takes long (PART-41). */
    boolean mayHang(Request request) {
        return model.timeline().isCommitting() && model.entities().isPartitioned(request.path);
    }

    /** Checks a successful send. */
    void sent(Request.Send send) {
        for (StoredEntity part : model.entities().of(send.path)) {
            check(
                    !part.isFragment() || PartitionKeys.areOne(send.messages, part.settings),
                    "Expected a rejection of messages with several keys (MSG-8, PART-32)",
                    send);
        }
    }

    /** Checks a send that was rejected as invalid. */
    void refused(Request.Send send, Rejection rejection) {
        for (StoredEntity part : model.entities().of(send.path)) {
            boolean lacksSession =
                    part.settings.sessions() && send.messages.stream().anyMatch(message -> message.session() == null);
            check(
                    !part.isFragment() || lacksSession || !PartitionKeys.areOne(send.messages, part.settings),
                    () -> "Expected messages with one key to be stored, but got " + rejection,
                    send);
        }
    }
}
