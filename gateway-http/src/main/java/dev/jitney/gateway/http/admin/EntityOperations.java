package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.AccessRuleXml;
import dev.jitney.gateway.http.atom.DescriptionXml;
import dev.jitney.gateway.http.atom.Elements;
import dev.jitney.gateway.http.atom.EntryReader;
import dev.jitney.gateway.http.atom.MalformedEntryException;
import dev.jitney.gateway.http.atom.RuleXml;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.audit.Changes;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations on queues, topics and subscriptions: get, create, update, delete (HTTP reference 2.2). Any thread may
 * call it.
 */
final class EntityOperations {
    private final EntryReader reader;
    private final ChangesUnderWay changes;
    private final Listings listings;
    private final AccessRuleXml.Keys keys;

    EntityOperations(EntryReader reader, ChangesUnderWay changes, Listings listings, AccessRuleXml.Keys keys) {
        this.reader = reader;
        this.changes = changes;
        this.listings = listings;
        this.keys = keys;
    }

    void get(AdminRequest request) throws RefusedException {
        AdminTarget target = request.target();
        Entity entity = find(request);
        if (entity != null) {
            request.tag(entity.updatedAtMs());
            request.answer(200, Entries.of(request, entity));
        } else if (target.isTopLevel()) {
            listings.discovery(request);
        } else {
            // The service also returns the empty feed here if the topic is missing. The Java SDK fails to read it in
            // place of a subscription; every SDK understands a plain 404 (HTTP 2.6).
            request.exchange().refuse(AdminErrors.childMissing(target, request.namespace()));
        }
    }

    void put(AdminRequest request) {
        request.withDescription(reader, in -> {
            if (request.ifMatch() == null) {
                create(request, in);
            } else {
                update(request, in);
            }
        });
    }

    void delete(AdminRequest request) throws RefusedException {
        AdminTarget target = request.target();
        CompletionStage<Void> deleted = alone(request, () -> {
            Entity entity = find(request);
            if (entity == null) {
                throw new RefusedException(AdminErrors.noService(target));
            }
            request.auditing("delete " + word(entity.kind()), "");
            requireMatch(request, entity);
            return request.namespace().deleteEntity(entity.path());
        });
        request.answerAfter(
                deleted,
                rejection -> AdminErrors.ofDeletion(rejection, target),
                done -> request.exchange().answer(200));
    }

    private void create(AdminRequest request, Elements in) throws RefusedException {
        EntityDescription description = read(request, in, null);
        request.auditing("create " + word(description.kind()), Changes.ofNew(description));
        request.requireVersionFor(description);
        ForwardingRights.require(request, description);
        CompletionStage<Entity> created;
        if (description instanceof QueueDescription queue) {
            created = request.namespace().createQueue(queue);
        } else if (description instanceof TopicDescription topic) {
            created = request.namespace().createTopic(topic);
        } else {
            created = request.namespace().createSubscription((SubscriptionDescription) description, firstRule(in));
        }
        answer(request, 201, created);
    }

    private void update(AdminRequest request, Elements in) throws RefusedException {
        answer(request, 200, alone(request, () -> {
            Entity entity = find(request);
            if (entity == null) {
                throw new RefusedException(
                        request.target().isTopLevel()
                                ? AdminErrors.entityMissing(request.target())
                                : AdminErrors.childMissing(request.target(), request.namespace()));
            }
            requireMatch(request, entity);
            request.auditing("update " + word(entity.kind()), "");
            EntityDescription description = read(request, in, entity);
            request.auditing("update " + word(entity.kind()), Changes.between(entity.description(), description));
            ForwardingRights.require(request, description);
            if (description instanceof QueueDescription queue) {
                return request.namespace().updateQueue(queue);
            }
            return description instanceof TopicDescription topic
                    ? request.namespace().updateTopic(topic)
                    : request.namespace().updateSubscription((SubscriptionDescription) description);
        }));
    }

    private static void answer(AdminRequest request, int status, CompletionStage<Entity> work) {
        request.answerAfter(work, rejection -> AdminErrors.of(rejection, request.target()), entity -> {
            request.tag(entity.updatedAtMs());
            request.answer(status, Entries.of(request, entity));
        });
    }

    /** @param entity the entity to change, or null for a new one */
    private EntityDescription read(AdminRequest request, Elements in, @Nullable Entity entity) throws RefusedException {
        AdminTarget target = request.target();
        EntityKind kind = kindOf(in, target);
        EntityDescription stored = entity == null ? null : entity.description();
        if (stored != null && stored.kind() != kind) {
            throw new RefusedException(AdminErrors.otherKind(target));
        }
        try {
            return switch (kind) {
                case QUEUE ->
                    read(request, in, QueueDescription.named(target.path()).build(), (QueueDescription) stored);
                case TOPIC ->
                    read(request, in, TopicDescription.named(target.path()).build(), (TopicDescription) stored);
                case SUBSCRIPTION ->
                    read(
                            request,
                            in,
                            SubscriptionDescription.of(target.path(), target.subscription())
                                    .build(),
                            (SubscriptionDescription) stored);
            };
        } catch (MalformedEntryException malformed) {
            throw AdminRequest.refused(malformed);
        }
    }

    private <D extends EntityDescription> D read(AdminRequest request, Elements in, D named, @Nullable D stored)
            throws MalformedEntryException {
        return DescriptionXml.read(in, named, stored, request.dialect(), keys);
    }

    private static RuleDescription firstRule(Elements in) throws RefusedException {
        try {
            return RuleXml.readFirst(in);
        } catch (MalformedEntryException malformed) {
            throw AdminRequest.refused(malformed);
        }
    }

    private static EntityKind kindOf(Elements in, AdminTarget target) throws RefusedException {
        String name = in.name();
        for (EntityKind kind : EntityKind.values()) {
            if (target.isTopLevel() == (kind != EntityKind.SUBSCRIPTION) && name.equals(DescriptionXml.element(kind))) {
                return kind;
            }
        }
        throw new RefusedException(HttpError.badRequest("Bad Request. Expected "
                + (target.isTopLevel()
                        ? DescriptionXml.element(EntityKind.QUEUE) + " or " + DescriptionXml.element(EntityKind.TOPIC)
                        : DescriptionXml.element(EntityKind.SUBSCRIPTION))
                + " for this path, but got another element."));
    }

    private <T> CompletionStage<T> alone(AdminRequest request, ChangesUnderWay.Change<T> change)
            throws RefusedException {
        AdminTarget target = request.target();
        return changes.alone(
                request.namespace(),
                target.entityPath(),
                () -> new RefusedException(AdminErrors.changing(target)),
                change);
    }

    private static String word(EntityKind kind) {
        return kind.word().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Entity find(AdminRequest request) {
        Entity entity = request.namespace().entity(request.target().entityPath());
        boolean child = entity != null && entity.kind() == EntityKind.SUBSCRIPTION;
        return child == request.target().isTopLevel() ? null : entity;
    }

    private static void requireMatch(AdminRequest request, Entity entity) throws RefusedException {
        if (!EntityTag.matches(request.ifMatch(), EntityTag.of(entity.updatedAtMs()))) {
            throw new RefusedException(AdminErrors.changed(request.target()));
        }
    }
}
