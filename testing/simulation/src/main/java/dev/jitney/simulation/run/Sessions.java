package dev.jitney.simulation.run;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.SessionHold;
import dev.jitney.model.ReceiveMode;
import dev.jitney.runtime.Entity;
import dev.jitney.simulation.Chance;
import dev.jitney.simulation.model.Desk;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.Listener;
import dev.jitney.simulation.model.Request;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What clients do with sessions. */
final class Sessions {
    private static final int HOLDERS_MAX = 8;

    private final World world;
    private final Ledger ledger;
    private final Desk desk;
    private final Executor wire;

    Sessions(World world, Executor wire) {
        this.world = world;
        this.ledger = world.ledger();
        this.desk = ledger.desk();
        this.wire = wire;
    }

    Object accept(Chance chance, @Nullable String path) {
        Entity entity = path == null ? null : world.entity(path);
        if (path == null || entity == null || desk.openListeners().size() >= HOLDERS_MAX) {
            return "";
        }
        ReceiveMode mode = chance.perMille(100) ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
        String named = chance.perMille(500) ? Messages.session(chance) : null;
        long waitMs = chance.perMille(500) ? 0 : chance.between(1, 30_000);
        Listener listener = desk.listener(path, Lane.MAIN, mode, true);
        Request answer = desk.accept(listener, named);
        listener.isServedBy(entity.acceptSession(named, mode, waitMs, wire, listener, answer));
        return answer;
    }

    /** Somebody who holds a session of an entity, or null. */
    @Nullable
    Listener holder(Chance chance, @Nullable String path) {
        List<Listener> all = desk.openListeners();
        for (int i = 0; i < all.size(); i++) {
            Listener one = all.get((i + chance.below(all.size())) % all.size());
            if (one.session() != null && one.isOpen() && (path == null || path.equals(one.path()))) {
                return one;
            }
        }
        return null;
    }

    private interface Asking {
        Object ask(Listener holder, SessionHold hold, String session, Entity entity);
    }

    private Object ask(Chance chance, Asking asking) {
        Listener holder = holder(chance, null);
        String session = holder == null ? null : holder.session();
        Entity entity = holder == null ? null : world.entity(holder.path());
        return holder == null || session == null || entity == null
                ? ""
                : asking.ask(holder, new SessionHold(holder.receiver().id(), session), session, entity);
    }

    Object renew(Chance chance) {
        return ask(chance, (holder, hold, session, entity) -> {
            Request answer = desk.renewSession(holder);
            entity.submit(new Command.RenewSessionLock(hold), wire, answer);
            return answer;
        });
    }

    Object setState(Chance chance) {
        byte[] state = chance.perMille(200) ? null : new byte[] {(byte) chance.below(100), (byte) chance.below(100)};
        return ask(chance, (holder, hold, session, entity) -> {
            Request answer = desk.setState(holder, session, state);
            entity.submit(new Command.SetSessionState(hold, state), wire, answer);
            return answer;
        });
    }

    Object getState(Chance chance) {
        return ask(chance, (holder, hold, session, entity) -> {
            Request answer = desk.getState(holder.path(), session);
            entity.submit(new Command.GetSessionState(session), wire, answer);
            return answer;
        });
    }
}
