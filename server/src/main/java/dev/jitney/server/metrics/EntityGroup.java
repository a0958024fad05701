package dev.jitney.server.metrics;

import dev.jitney.model.EntityKind;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The metrics of queues, topics and subscriptions. The oldest entities, up to a maximum, have metrics of their own; the
 * others are added up by namespace and kind (CNT-3, QUOTA-2, MET-1, MET-3).
 */
final class EntityGroup {
    /** The label of entities without metrics of their own. No entity can have this name. */
    static final String THE_OTHERS = "(other)";

    static final Family MESSAGES = Family.gauge(
            "jitney_entity_messages",
            "Messages by state. Each message has one state; active includes locked and deferred messages.");
    static final Family LOCKED =
            Family.gauge("jitney_entity_locked_messages", "Active messages that a receiver has locked.");
    static final Family DEFERRED =
            Family.gauge("jitney_entity_deferred_messages", "Active messages that are deferred.");
    static final Family SIZE = Family.gauge(
            "jitney_entity_size_bytes",
            "Stored bytes of all messages. A topic includes its subscriptions; only the topic counts the bodies"
                    + " that they share.");
    static final Family OLDEST_AGE = Family.gauge(
            "jitney_entity_oldest_message_age_seconds",
            "Age of the oldest message that is ready to be received, neither locked nor deferred. Absent if there is none.");
    static final Family RECEIVERS = Family.gauge(
            "jitney_entity_receivers", "Receivers attached over AMQP, including those of the dead-letter sub-queue.");
    static final Family INCOMING_MESSAGES = Family.counter(
            "jitney_entity_incoming_messages",
            "Messages stored. Scheduled messages count on arrival. A topic counts messages sent to it, a subscription"
                    + " its copies.");
    static final Family INCOMING_BYTES =
            Family.counter("jitney_entity_incoming_bytes", "Encoded size of the incoming messages.");
    static final Family OUTGOING_MESSAGES =
            Family.counter("jitney_entity_outgoing_messages", "Deliveries to receivers, without peeks.");
    static final Family OUTGOING_BYTES =
            Family.counter("jitney_entity_outgoing_bytes", "Encoded size of the outgoing messages.");
    static final Family COMPLETED = Family.counter("jitney_entity_completed_messages", "Messages completed.");
    static final Family ABANDONED =
            Family.counter("jitney_entity_abandoned_messages", "Deliveries abandoned by receivers.");
    static final Family LOCK_EXPIRIES = Family.counter(
            "jitney_entity_lock_expiries", "Deliveries that ended because the lock expired before they were settled.");
    static final Family EXPIRED = Family.counter(
            "jitney_entity_expired_messages",
            "Messages removed or dead-lettered because their time to live had passed.");
    static final Family DELETED =
            Family.counter("jitney_entity_deleted_messages", "Messages removed by batch delete (purge).");
    static final Family DUPLICATES = Family.counter(
            "jitney_entity_duplicate_messages",
            "Messages dropped because a message with the same ID was already accepted.");
    static final Family DEAD_LETTERED = Family.counter(
            "jitney_entity_dead_lettered_messages",
            "Messages moved to the dead-letter sub-queue, by reason. Reasons of applications count as other. A reason"
                    + " appears with its first message.");
    static final Family OPERATIONS = Family.counter("jitney_entity_operations", "Operations as the cloud bills them.");
    static final Family METERED_INCOMING_BYTES = Family.counter(
            "jitney_entity_metered_incoming_bytes",
            "Bandwidth as the cloud bills it: encoded size of messages sent, including pings and dropped duplicates.");
    static final Family METERED_OUTGOING_BYTES = Family.counter(
            "jitney_entity_metered_outgoing_bytes",
            "Bandwidth as the cloud bills it: encoded size of messages received, including peeks and every delivery.");

    static final List<Family> FAMILIES = List.of(
            MESSAGES,
            LOCKED,
            DEFERRED,
            SIZE,
            OLDEST_AGE,
            RECEIVERS,
            INCOMING_MESSAGES,
            INCOMING_BYTES,
            OUTGOING_MESSAGES,
            OUTGOING_BYTES,
            COMPLETED,
            ABANDONED,
            LOCK_EXPIRIES,
            EXPIRED,
            DELETED,
            DUPLICATES,
            DEAD_LETTERED,
            OPERATIONS,
            METERED_INCOMING_BYTES,
            METERED_OUTGOING_BYTES);

    private static final Comparator<Named> OLDEST_FIRST = Comparator.<Named>comparingLong(
                    named -> named.entity.createdAtMs())
            .thenComparing(named -> named.entity.path());

    /** The order of samples that the library requires. */
    private static final Comparator<Named> LABEL_ORDER =
            Comparator.<Named, String>comparing(named -> named.entity.path()).thenComparing(named -> named.namespace);

    private static final String[] LABELS = {"entity", "kind", "namespace"};

    private EntityGroup() {}

    private record Named(String namespace, Entity entity) {}

    /** @param entitiesMax the number of entities with metrics of their own */
    static void collect(List<Namespace> namespaces, int entitiesMax, long nowMs, Samples samples) {
        List<Named> all = new ArrayList<>();
        for (Namespace namespace : namespaces) {
            for (Entity entity : namespace.entities()) {
                all.add(new Named(namespace.name(), entity));
                for (Entity subscription : entity.subscriptions()) {
                    all.add(new Named(namespace.name(), subscription));
                }
            }
        }
        if (all.size() > entitiesMax) {
            all.sort(OLDEST_FIRST); // so that the same entities are shown on every page
        }
        int shown = Math.min(all.size(), entitiesMax);
        List<Named> oneByOne = all.subList(0, shown);
        oneByOne.sort(LABEL_ORDER); // once here, instead of in every family
        for (Named named : oneByOne) {
            Labels labels = labels(named.namespace, named.entity.path(), named.entity.kind());
            EntityNumbers.of(named.entity).show(samples, labels, nowMs);
        }
        for (Namespace namespace : namespaces) {
            Map<EntityKind, EntityNumbers> others = new EnumMap<>(EntityKind.class);
            for (Named named : all.subList(shown, all.size())) {
                if (named.namespace.equals(namespace.name())) {
                    others.computeIfAbsent(named.entity.kind(), kind -> new EntityNumbers())
                            .add(named.entity);
                }
            }
            others.forEach((kind, numbers) -> numbers.show(samples, labels(namespace.name(), THE_OTHERS, kind), nowMs));
        }
    }

    private static Labels labels(String namespace, String entity, EntityKind kind) {
        return Labels.of(LABELS, new String[] {entity, word(kind), namespace});
    }

    /** Returns the label value of a kind. */
    static String word(EntityKind kind) {
        return kind.word().toLowerCase(Locale.ROOT);
    }
}
