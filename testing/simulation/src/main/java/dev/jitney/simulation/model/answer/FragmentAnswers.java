package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.model.entity.PartitionKeys;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.List;

/** Whether senders to partitioned entities are told what is right: keys pin, and without a key any fragment will do. */
final class FragmentAnswers {
    private final ModelState model;

    FragmentAnswers(ModelState model) {
        this.model = model;
    }

    /** PART-28: what belongs to one fragment is refused while that is unavailable, and only then. */
    void requireUnavailable(Request request, Rejection rejection) {
        List<StoredEntity> parts = model.entities().of(request.path);
        check(
                request instanceof Request.Send
                        && (parts.isEmpty() || parts.get(0).isFragment()),
                () -> "Expected an answer of the fragments, but got " + rejection,
                request);
        boolean disturbed = model.timeline().disturbances() != request.disturbances;
        for (StoredEntity part : parts) {
            disturbed |=
                    part == request.part(model.entities()) && !model.timeline().isHealthy(part.store);
        }
        check(disturbed || parts.isEmpty(), () -> "Expected its fragment to work, but got " + rejection, request);
    }

    /** PART-39: what has no key is taken as long as some fragment works. */
    void mayBeBusy(Request request, Rejection rejection) {
        boolean certain =
                rejection.code() == ErrorCode.SERVER_BUSY && model.timeline().disturbances() == request.disturbances;
        if (certain && request instanceof Request.Send send) {
            for (StoredEntity part : model.entities().of(send.path)) {
                boolean keyless = part.isFragment() && send.messages.get(0).key(part.settings) == null;
                check(
                        !keyless || !model.timeline().isHealthy(part.store),
                        () -> "Expected a message without a key to go to fragment " + part.fragment + ", but got "
                                + rejection,
                        request);
            }
        }
    }

    /** PART-41: whether a fragment may be taken for unavailable because its commit takes long. */
    boolean mayHang(Request request) {
        return model.timeline().isCommitting() && model.entities().isPartitioned(request.path);
    }

    /** Messages were taken. */
    void sent(Request.Send send) {
        for (StoredEntity part : model.entities().of(send.path)) {
            check(
                    !part.isFragment() || PartitionKeys.areOne(send.messages, part.settings),
                    "Expected messages of several keys to be refused (MSG-8, PART-32)",
                    send);
        }
    }

    /** Messages cannot be sent so. */
    void refused(Request.Send send, Rejection rejection) {
        for (StoredEntity part : model.entities().of(send.path)) {
            boolean lacksSession =
                    part.settings.sessions() && send.messages.stream().anyMatch(message -> message.session() == null);
            check(
                    !part.isFragment() || lacksSession || !PartitionKeys.areOne(send.messages, part.settings),
                    () -> "Expected messages of one key to be taken, but got " + rejection,
                    send);
        }
    }
}
