package dev.jitney.gateway.http.atom;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.PropertySpec;
import dev.jitney.model.property.PropertySpecs;
import dev.jitney.model.property.PropertyType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The elements {@code QueueDescription}, {@code TopicDescription} and {@code SubscriptionDescription} (HTTP reference
 * 2.7): the properties in the order of {@link EntityTable#inAtom}, with the read-only facts of a response among them.
 */
public final class DescriptionXml {

    private DescriptionXml() {}

    /** Returns the name of the element that describes entities of that kind. */
    public static String element(EntityKind kind) {
        return kind.word() + "Description";
    }

    /**
     * Reads the description of an entity. An omitted property has its default. A property that is fixed at creation,
     * and a few others, keep their current value.
     *
     * @param named a description with the names of the entity and nothing else set
     * @param stored the entity to change, or null for a new one
     * @param keys the source of keys that rules omit
     */
    public static <D extends EntityDescription> D read(
            Elements in, D named, @Nullable D stored, Dialect dialect, AccessRuleXml.Keys keys)
            throws MalformedEntryException {
        return new Reading<>(in, EntityTable.of(named), stored, dialect, keys).read(named);
    }

    /** Returns the description as the content of a response, in the order that older .NET clients require. */
    public static AtomContent content(EntityDescription description, EntityFacts facts, Dialect dialect) {
        return out -> write(out, description, facts, dialect);
    }

    private static <D extends EntityDescription> void write(
            XmlWriter out, D description, EntityFacts facts, Dialect dialect) {
        String element = element(description.kind());
        out.open(element, "xmlns", XmlNames.CONNECT, "xmlns:i", XmlNames.INSTANCE);
        for (EntityProperty<D> property : EntityTable.of(description).inAtom()) {
            facts.writeBefore(out, description.kind(), property.spec().element(), dialect);
            if (dialect.version().knows(property.spec())) {
                write(out, property.spec(), property.get(description), description, dialect);
            }
        }
        out.close(element);
    }

    @SuppressWarnings("unchecked") // the type determines the class of the value
    private static void write(
            XmlWriter out,
            PropertySpec<?> spec,
            @Nullable Object value,
            EntityDescription description,
            Dialect dialect) {
        String element = spec.element();
        switch (spec.type()) {
            case FLAG -> out.bool(element, (Boolean) present(value));
            case DURATION, TIME_TO_LIVE -> out.text(element, IsoDurations.format((Long) present(value)));
            case COUNT -> out.number(element, (Integer) present(value));
            case MEGABYTES ->
                out.number(element, dialect.shownMegabytes((Long) present(value), description.enablePartitioning()));
            case KILOBYTES -> out.number(element, dialect.shownKilobytes((Long) value));
            case TEXT -> out.text(element, (String) value);
            case DESTINATION -> out.text(element, ForwardUrls.shown((String) value, dialect));
            case STATUS -> out.text(element, ((EntityStatus) present(value)).word());
            case ACCESS_RULES -> AccessRuleXml.writeAll(out, (List<AccessRule>) present(value));
        }
    }

    private static Object present(@Nullable Object value) {
        return Objects.requireNonNull(value, "a value that is always present");
    }

    /** The state of reading one description. */
    private record Reading<D extends EntityDescription>(
            Elements in, EntityTable<D> table, @Nullable D stored, Dialect dialect, AccessRuleXml.Keys keys) {

        D read(D named) throws MalformedEntryException {
            boolean partitioned = isPartitioned();
            for (EntityProperty<D> property : table.inAtom()) {
                if (property.spec().type() == PropertyType.MEGABYTES) {
                    // Checked before other properties, for the same error as in earlier versions.
                    in.integer(property.spec().element());
                }
            }
            EntityDescription.Builder<D> builder = table.toBuilder(named);
            for (EntityProperty<D> property : table.inAtom()) {
                property.set(builder, value(property, partitioned));
            }
            return builder.build();
        }

        /** Returns whether the entity is partitioned, which determines the meaning of its size. */
        private boolean isPartitioned() throws MalformedEntryException {
            boolean otherwise = stored == null ? dialect.partitionsByDefault() : stored.enablePartitioning();
            return table.kind() != EntityKind.SUBSCRIPTION
                    && in.bool(PropertySpecs.ENABLE_PARTITIONING.element(), otherwise);
        }

        @SuppressWarnings("unchecked") // the type determines the class of the value
        private @Nullable Object value(EntityProperty<D> property, boolean partitioned) throws MalformedEntryException {
            String element = property.spec().element();
            Object old = stored == null ? null : property.get(stored);
            Object otherwise = stored != null && property.isKeptWhenOmitted() ? old : table.defaultOf(property);
            if (property.is(PropertySpecs.ENABLE_PARTITIONING)) {
                return partitioned;
            }
            if (property.spec().type() == PropertyType.KILOBYTES) {
                return dialect.meantKilobytes(in.integer(element), (Long) old);
            }
            if (!dialect.version().knows(property.spec())) {
                return otherwise;
            }
            return switch (property.spec().type()) {
                case FLAG -> in.bool(element, (Boolean) present(otherwise));
                case DURATION -> in.durationMs(element, (Long) present(otherwise));
                case TIME_TO_LIVE -> in.timeToLiveMs(element, (Long) present(otherwise));
                case COUNT -> in.integer(element, (Integer) present(otherwise));
                case MEGABYTES -> {
                    Long sent = in.integer(element);
                    yield sent == null ? otherwise : dialect.meantMegabytes(sent, partitioned, (Long) old);
                }
                case TEXT -> in.text(element);
                case DESTINATION -> ForwardUrls.read(in, element);
                case STATUS -> StatusXml.read(in, element);
                case ACCESS_RULES -> AccessRuleXml.readAll(in, old == null ? List.of() : (List<AccessRule>) old, keys);
                case KILOBYTES -> throw new IllegalStateException("Expected a property that was read above.");
            };
        }
    }
}
