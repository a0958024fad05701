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
 * What is told about every queue, topic and subscription. Up to a number of them are shown one by one, the oldest first;
 * the others of a namespace and kind are summed up (CNT-3, QUOTA-2, MET-1, MET-3).
 */
final class EntityGroup {
    /** Stands for the entities that are not shown one by one. No entity can have this name. */
    static final String THE_OTHERS = "(other)";

    static final Family MESSAGES = Family.gauge(
            "jitney_entity_messages",
            "Messages by state; the states exclude each other. Active are locked and deferred ones too.");
    static final Family LOCKED =
            Family.gauge("jitney_entity_locked_messages", "Those of the active messages that a receiver has locked.");
    static final Family DEFERRED =
            Family.gauge("jitney_entity_deferred_messages", "Those of the active messages that are set aside.");
    static final Family SIZE = Family.gauge(
            "jitney_entity_size_bytes",
            "Stored bytes of all messages; of a topic those of its subscriptions too, and bodies they share"
                    + " only there.");
    static final Family OLDEST_AGE = Family.gauge(
            "jitney_entity_oldest_message_age_seconds",
            "Age of the oldest message that waits to be received, neither locked nor deferred. Absent if none waits.");
    static final Family RECEIVERS = Family.gauge(
            "jitney_entity_receivers", "Receivers attached over AMQP, those of the dead-letter sub-queue included.");
    static final Family INCOMING_MESSAGES = Family.counter(
            "jitney_entity_incoming_messages",
            "Messages stored, scheduled ones when they came; of a topic"
                    + " those sent to it, of a subscription its copies.");
    static final Family INCOMING_BYTES = Family.counter("jitney_entity_incoming_bytes", "Encoded size of these.");
    static final Family OUTGOING_MESSAGES = Family.counter(
            "jitney_entity_outgoing_messages", "Messages handed to receivers, every delivery counted; no peeks.");
    static final Family OUTGOING_BYTES = Family.counter("jitney_entity_outgoing_bytes", "Encoded size of these.");
    static final Family COMPLETED = Family.counter("jitney_entity_completed_messages", "Messages settled as done.");
    static final Family ABANDONED =
            Family.counter("jitney_entity_abandoned_messages", "Deliveries that receivers gave back.");
    static final Family LOCK_EXPIRIES = Family.counter(
            "jitney_entity_lock_expiries",
            "Deliveries that ended because nobody settled them before the lock ran out.");
    static final Family EXPIRED = Family.counter(
            "jitney_entity_expired_messages", "Messages that outlived their time to live, removed or dead-lettered.");
    static final Family DELETED =
            Family.counter("jitney_entity_deleted_messages", "Messages removed by batch delete (purge).");
    static final Family DUPLICATES = Family.counter(
            "jitney_entity_duplicate_messages", "Messages dropped because their ids had been accepted before.");
    static final Family DEAD_LETTERED = Family.counter(
            "jitney_entity_dead_lettered_messages",
            "Messages moved to the dead-letter sub-queue by reason; what applications give is other. A reason appears"
                    + " when it happens first.");
    static final Family OPERATIONS = Family.counter("jitney_entity_operations", "Operations as the cloud bills them.");
    static final Family METERED_INCOMING_BYTES = Family.counter(
            "jitney_entity_metered_incoming_bytes",
            "Bandwidth as the cloud bills it: encoded size of what was sent, pings and dropped duplicates"
                    + " included.");
    static final Family METERED_OUTGOING_BYTES = Family.counter(
            "jitney_entity_metered_outgoing_bytes",
            "The same of what was handed out, peeks and every delivery included.");

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

    /** The order in which the library wants samples. */
    private static final Comparator<Named> LABEL_ORDER =
            Comparator.<Named, String>comparing(named -> named.entity.path()).thenComparing(named -> named.namespace);

    private static final String[] LABELS = {"entity", "kind", "namespace"};

    private EntityGroup() {}

    private record Named(String namespace, Entity entity) {}

    /** @param entitiesMax how many are shown one by one */
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
            all.sort(OLDEST_FIRST); // so that it is the same ones as long as they live
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

    /** The label value of a kind. */
    static String word(EntityKind kind) {
        return kind.word().toLowerCase(Locale.ROOT);
    }
}
