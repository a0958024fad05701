package dev.jitney.gateway.http.operator.figure;

import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The queues, topics and subscriptions of a namespace, each topic followed by its subscriptions. Not thread-safe. */
public final class AllEntities implements Iterator<Entity> {
    private final Iterator<Entity> entities;
    private Iterator<Entity> subscriptions = Collections.emptyIterator();

    public AllEntities(Namespace namespace) {
        entities = namespace.entities().iterator();
    }

    @Override
    public boolean hasNext() {
        return subscriptions.hasNext() || entities.hasNext();
    }

    @Override
    public Entity next() {
        if (subscriptions.hasNext()) {
            return subscriptions.next();
        }
        if (!entities.hasNext()) {
            throw new NoSuchElementException();
        }
        Entity entity = entities.next();
        subscriptions = entity.subscriptions().iterator();
        return entity;
    }
}
