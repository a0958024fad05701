package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.management.NamedLinks;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.SessionWire;
import dev.jitney.model.ErrorCode;
import dev.jitney.runtime.Entity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.qpid.protonj2.types.transport.LinkError;
import org.jspecify.annotations.Nullable;

/** The attached links of one connection. For the event loop. */
public final class OpenLinks {
    private final Map<LinkWire, LinkHandler> links = new IdentityHashMap<>();
    private final ConnectionLoop loop;
    private final ConnectionAccess access;
    private final IdleWatch idle;
    private final FairTurn turn = new FairTurn();

    OpenLinks(ConnectionLoop loop, ConnectionAccess access, IdleRules idleRules) {
        this.loop = loop;
        this.access = access;
        idle = new IdleWatch(idleRules);
    }

    /** Adds a link. */
    void add(LinkHandler link) {
        idle.linked();
        if (links.put(link.wire(), link) == null) {
            access.countLinks(1);
        }
    }

    /** Removes a link, which releases everything it holds. */
    void remove(LinkHandler link) {
        if (links.remove(link.wire()) != null) {
            access.countLinks(-1);
        }
        link.gone();
    }

    /** Removes all links when the connection has ended. */
    public void end() {
        List<LinkHandler> left = copy();
        links.clear();
        left.forEach(LinkHandler::gone);
        access.countLinks(-left.size());
    }

    /** Returns a copy of the links, because an action on one link may attach or detach others. */
    private List<LinkHandler> copy() {
        return List.copyOf(links.values());
    }

    public Collection<LinkHandler> all() {
        return links.values();
    }

    /** Returns a copy of the links of a session. */
    private List<LinkHandler> of(SessionWire session) {
        return where(link -> link.wire().session() == session);
    }

    private List<LinkHandler> where(Predicate<LinkHandler> wanted) {
        List<LinkHandler> found = null; // nearly every session has one link or none, and callers need the list often
        for (LinkHandler link : links.values()) {
            if (wanted.test(link)) {
                found = found == null ? new ArrayList<>() : found;
                found.add(link);
            }
        }
        return found == null ? List.of() : found;
    }

    /** Continues all links when the socket accepts bytes again, or the client may have more unsettled deliveries. */
    public void writable() {
        turn.run(copy(), link -> loop.guarded(link::writable), loop::isWritable);
    }

    /** Continues the links that wait for the window of a session, one after the other, until it is closed again. */
    public void resume(SessionWire session) {
        for (LinkWire wire = session.unblock(); wire != null; wire = session.unblock()) {
            LinkHandler link = links.get(wire);
            if (link != null) {
                loop.guarded(link::resume);
            }
        }
    }

    /** Removes the links of a session that the client has ended. */
    public void end(SessionWire session) {
        of(session).forEach(this::remove);
    }

    /** Closes a link because another link of the same name was attached. */
    public void stolen(LinkWire old) {
        LinkHandler link = links.get(old);
        if (link != null) {
            link.close(access.errors()
                    .of(LinkError.STOLEN.toString(), "Another link of the name '" + old.name() + "' was attached."));
        }
    }

    /** Closes the links of deleted entities, as an entity closes its receivers (wire reference 9.3). */
    public void detachFromGoneEntities() {
        for (LinkHandler link : where(link -> link.goneEntity() != null)) {
            link.close(access.errors()
                    .of(
                            ErrorCode.DETACH_FORCED,
                            "The link was closed by the server: The messaging entity '" + link.goneEntity()
                                    + "' was deleted."));
        }
    }

    /**
     * Closes the links that were idle for too long (RECV-12).
     *
     * @return the reason for closing the connection too, or null
     */
    public @Nullable String closeIdle(long nowMs) {
        if (!idle.isOn()) {
            return null;
        }
        for (LinkHandler link : copy()) {
            String why = idle.idleLink(link.wire().activeAtMs(nowMs), nowMs);
            if (why != null) {
                link.close(access.errors().of(ErrorCode.DETACH_FORCED, why));
            }
        }
        return idle.idleConnection(!links.isEmpty(), nowMs);
    }

    /** Returns the links that a request to the management node of an entity may name. */
    NamedLinks named(Entity managed) {
        return new NamedLinks() {
            @Override
            public @Nullable Entity destination(String linkName) {
                return destinationVia(managed, linkName);
            }

            @Override
            public void use(String linkName) {
                if (idle.isOn()) {
                    OpenLinks.this.use(linkName);
                }
            }
        };
    }

    private void use(String name) {
        for (LinkWire wire : links.keySet()) {
            if (wire.name().equals(name)) {
                wire.touch();
            }
        }
    }

    private @Nullable Entity destinationVia(Entity via, String linkName) {
        for (LinkHandler link : links.values()) {
            if (link.wire().name().equals(linkName)) {
                Entity destination = link.destinationVia(via);
                if (destination != null) {
                    return destination;
                }
            }
        }
        return null;
    }

    /** Returns whether a session has links that carry messages of entities. */
    boolean carryWork(SessionWire session) {
        for (LinkHandler link : links.values()) {
            if (link.wire().session() == session && link.isWork()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether an incomplete message on one of the links takes too long to arrive. */
    public boolean areUnfinishedForTooLong(long nowMs) {
        for (LinkHandler link : links.values()) {
            if (link.unfinishedForTooLong(nowMs)) {
                return true;
            }
        }
        return false;
    }
}
