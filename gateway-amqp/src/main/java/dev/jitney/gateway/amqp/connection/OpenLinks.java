package dev.jitney.gateway.amqp.connection;

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
import org.jspecify.annotations.Nullable;

/** The links of one connection that are attached. For the event loop. */
final class OpenLinks {
    private final Map<LinkWire, LinkHandler> links = new IdentityHashMap<>();
    private final Errors errors;

    OpenLinks(Errors errors) {
        this.errors = errors;
    }

    /** Takes in a link; false if it is there already. */
    boolean add(LinkHandler link) {
        return links.put(link.wire(), link) == null;
    }

    /** Takes out a link; false if it is not there. */
    boolean remove(LinkHandler link) {
        return links.remove(link.wire()) != null;
    }

    /** Takes out all links and returns them. */
    List<LinkHandler> removeAll() {
        List<LinkHandler> all = copy();
        links.clear();
        return all;
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    @Nullable
    LinkHandler get(LinkWire wire) {
        return links.get(wire);
    }

    /** The links as they are now: what is done with them may attach and detach some. */
    List<LinkHandler> copy() {
        return List.copyOf(links.values());
    }

    Collection<LinkHandler> all() {
        return links.values();
    }

    /** The links of a session, as they are now. */
    List<LinkHandler> of(SessionWire session) {
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

    /** Closes the links whose entity was deleted, as receivers are closed by their entity (wire reference 9.3). */
    void detachFromGoneEntities() {
        for (LinkHandler link : where(link -> link.goneEntity() != null)) {
            link.close(errors.of(
                    ErrorCode.DETACH_FORCED,
                    "The link was closed by the server: The messaging entity '" + link.goneEntity()
                            + "' was deleted."));
        }
    }

    /** Closes the links that nobody has used for too long (RECV-12). */
    void closeIdle(IdleWatch idle, long nowMs) {
        for (LinkHandler link : copy()) {
            String why = idle.idleLink(link.wire().activeAtMs(nowMs), nowMs);
            if (why != null) {
                link.close(errors.of(ErrorCode.DETACH_FORCED, why));
            }
        }
    }

    /** Notes that a request names a link. */
    void use(String name) {
        for (LinkWire wire : links.keySet()) {
            if (wire.name().equals(name)) {
                wire.touch();
            }
        }
    }

    /** Where messages of a link of that name are to arrive that are sent via the entity; null if there is no such link. */
    @Nullable
    Entity destinationVia(Entity via, String linkName) {
        for (LinkHandler link : links.values()) {
            if (link instanceof IncomingLink incoming && link.wire().name().equals(linkName)) {
                Entity destination = incoming.destinationVia(via);
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
            if (link.wire().session() == session
                    && (link instanceof OutgoingLink || (link instanceof LinkInput input && input.isWork()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a message has begun on one of them and takes too long to arrive whole. */
    boolean areUnfinishedForTooLong(long nowMs) {
        for (LinkHandler link : links.values()) {
            if (link instanceof LinkInput input && input.unfinishedForTooLong(nowMs)) {
                return true;
            }
        }
        return false;
    }
}
