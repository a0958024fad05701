package dev.jitney.simulation.model.answer;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states of sessions, now and before the last batch. */
public final class SessionStates {
    private final ModelState model;
    private final Map<Key, byte[]> states = new HashMap<>();
    private final Map<Key, byte @Nullable []> before = new HashMap<>();

    private record Key(long entity, String session) {}

    public SessionStates(ModelState model) {
        this.model = model;
    }

    public void begin() {
        before.clear();
    }

    public void follow(Write write) {
        if (write.kind() == Write.Kind.DELETE_RANGE) {
            states.keySet().removeIf(key -> key.entity >> 16 == RowBytes.entity(write.key()));
            return;
        }
        byte[] bytes = write.key();
        String session = new String(bytes, 6, bytes.length - 6, StandardCharsets.UTF_8);
        Key key = new Key(RowBytes.entityAndFragment(bytes), session);
        boolean put = write.kind() == Write.Kind.PUT;
        byte[] state = put ? Arrays.copyOfRange(write.argument(), 1, write.argument().length) : null;
        before.put(key, put ? states.put(key, write.argument()) : states.remove(key));
        requireReason(key, session, state);
    }

    private void requireReason(Key key, String session, byte @Nullable [] state) {
        StoredEntity entity = model.entities().get(key.entity);
        for (Request request : model.open()) {
            if (request instanceof SessionRequests.SetState set
                    && set.session.equals(session)
                    && Arrays.equals(set.state, state)
                    && model.entities().ofSession(set.path, session) == entity) {
                return;
            }
        }
        throw new Violation(
                "Expected the state of session " + session + " to be unchanged, but no client has set this state.");
    }

    /** Returns whether a session has this state now or had it before the last batch. */
    boolean mayBe(String path, String session, byte @Nullable [] state) {
        StoredEntity entity = model.entities().ofSession(path, session);
        if (entity != null) {
            if (entity.gone) {
                return true; // the request was made before the entity was deleted in the same turn
            }
            Key key = new Key(entity.key(), session);
            if (isSame(states.get(key), state) || (before.containsKey(key) && isSame(before.get(key), state))) {
                return true;
            }
        }
        return before.keySet().stream()
                .anyMatch(key -> key.session.equals(session)); // the state was set twice in the batch
    }

    private static boolean isSame(byte @Nullable [] row, byte @Nullable [] state) {
        return row == null || state == null
                ? row == null && state == null
                : Arrays.equals(row, 1, row.length, state, 0, state.length);
    }
}
