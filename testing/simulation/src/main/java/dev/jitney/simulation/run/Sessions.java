package dev.jitney.simulation.run;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.SessionHold;
import dev.jitney.model.ReceiveMode;
import dev.jitney.runtime.Entity;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.model.ClientRequests;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.Request;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The requests of simulated clients that use sessions. */
final class Sessions {
    private static final int HOLDERS_MAX = 8;

    private final World world;
    private final Ledger ledger;
    private final ClientRequests requests;
    private final Executor wire;

    Sessions(World world, Executor wire) {
        this.world = world;
        this.ledger = world.ledger();
        this.requests = ledger.requests();
        this.wire = wire;
    }

    Object accept(SeededRandom random, @Nullable String path) {
        Entity entity = path == null ? null : world.entity(path);
        if (path == null || entity == null || requests.openListeners().size() >= HOLDERS_MAX) {
            return "";
        }
        ReceiveMode mode = random.perMille(100) ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        String named = random.perMille(500) ? Messages.session(random) : null;
        long waitMs = random.perMille(500) ? 0 : random.between(1, 30_000);
        Listener listener = requests.listener(path, Lane.MAIN, mode, true);
        Request answer = requests.accept(listener, named);
        listener.isServedBy(entity.acceptSession(named, mode, waitMs, wire, listener, answer));
        return answer;
    }

    /** Returns a receiver that holds a session of an entity, or null. */
    @Nullable
    Listener holder(SeededRandom random, @Nullable String path) {
        List<Listener> all = requests.openListeners();
        for (int i = 0; i < all.size(); i++) {
            Listener one = all.get((i + random.below(all.size())) % all.size());
            if (one.session() != null && one.isOpen() && (path == null || path.equals(one.path()))) {
                return one;
            }
        }
        return null;
    }

    private interface Asking {
        Object ask(Listener holder, SessionHold hold, String session, Entity entity);
    }

    private Object ask(SeededRandom random, Asking asking) {
        Listener holder = holder(random, null);
        String session = holder == null ? null : holder.session();
        Entity entity = holder == null ? null : world.entity(holder.path());
        return holder == null || session == null || entity == null
                ? ""
                : asking.ask(holder, new SessionHold(holder.receiver().id(), session), session, entity);
    }

    Object renew(SeededRandom random) {
        return ask(random, (holder, hold, session, entity) -> {
            Request answer = requests.renewSession(holder);
            entity.submit(new Command.RenewSessionLock(hold), wire, answer);
            return answer;
        });
    }

    Object setState(SeededRandom random) {
        byte[] state = random.perMille(200) ? null : new byte[] {(byte) random.below(100), (byte) random.below(100)};
        return ask(random, (holder, hold, session, entity) -> {
            Request answer = requests.setState(holder, session, state);
            entity.submit(new Command.SetSessionState(hold, state), wire, answer);
            return answer;
        });
    }

    Object getState(SeededRandom random) {
        return ask(random, (holder, hold, session, entity) -> {
            Request answer = requests.getState(holder.path(), session);
            entity.submit(new Command.GetSessionState(session), wire, answer);
            return answer;
        });
    }
}
