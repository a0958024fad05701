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

/** The links of one connection that are attached. For the event loop. */
public final class OpenLinks {
    private final Map<LinkWire, LinkHandler> links = new IdentityHashMap<>();
    private final ConnectionLoop loop;
    private final ConnectionAccess access;
    private final IdleWatch idle;

    OpenLinks(ConnectionLoop loop, ConnectionAccess access, IdleRules idleRules) {
        this.loop = loop;
        this.access = access;
        idle = new IdleWatch(idleRules);
    }

    /** Takes in a link. */
    void add(LinkHandler link) {
        idle.linked();
        if (links.put(link.wire(), link) == null) {
            access.countLinks(1);
        }
    }

    /** Takes out a link, which gives back everything it holds. */
    void remove(LinkHandler link) {
        if (links.remove(link.wire()) != null) {
            access.countLinks(-1);
        }
        link.gone();
    }

    /** The connection has ended: takes out all links. */
    public void end() {
        List<LinkHandler> left = copy();
        links.clear();
        left.forEach(LinkHandler::gone);
        access.countLinks(-left.size());
    }

    /** The links as they are now: their actions may attach and detach some. */
    private List<LinkHandler> copy() {
        return List.copyOf(links.values());
    }

    public Collection<LinkHandler> all() {
        return links.values();
    }

    /** The links of a session, as they are now. */
    private List<LinkHandler> of(SessionWire session) {
        return where(link -> link.wire().session() == session);
    }

    private List<LinkHandler> where(Predicate<LinkHandler> wanted) {
        List<LinkHandler> found = null; // nearly always, and some are asked for often
        for (LinkHandler link : links.values()) {
            if (wanted.test(link)) {
                found = found == null ? new ArrayList<>() : found;
                found.add(link);
            }
        }
        return found == null ? List.of() : found;
    }

    /** The socket takes bytes again, or the client may have more deliveries unsettled. */
    public void writable() {
        for (LinkHandler link : copy()) {
            loop.guarded(link::writable);
        }
    }

    /** The window of a session has opened. */
    public void resume(SessionWire session) {
        of(session).forEach(link -> loop.guarded(link::resume));
    }

    /** The client has ended a session. */
    public void end(SessionWire session) {
        of(session).forEach(this::remove);
    }

    /** Another link of the same name was attached. */
    public void stolen(LinkWire old) {
        LinkHandler link = links.get(old);
        if (link != null) {
            link.close(access.errors()
                    .of(LinkError.STOLEN.toString(), "Another link of the name '" + old.name() + "' was attached."));
        }
    }

    /** Closes the links whose entity was deleted, as receivers are closed by their entity (wire reference 9.3). */
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
     * Closes the links that nobody has used for too long (RECV-12).
     *
     * @return why the connection is to be closed, too, or null
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

    /** The links that a request to the management node of an entity may name. */
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

    /** Whether a session has links over which messages of entities come or go. */
    boolean carryWork(SessionWire session) {
        for (LinkHandler link : links.values()) {
            if (link.wire().session() == session && link.isWork()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a message has begun on one of them and takes too long to arrive whole. */
    public boolean areUnfinishedForTooLong(long nowMs) {
        for (LinkHandler link : links.values()) {
            if (link.unfinishedForTooLong(nowMs)) {
                return true;
            }
        }
        return false;
    }
}
