package dev.jitney.runtime.rows;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.PropertySpec;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** A value other than the default for each property of an entity, to see whether it arrives where it should. */
public final class ChangedProperties {

    private ChangedProperties() {}

    /** A description of each kind with nothing set. */
    public static Stream<EntityDescription> unset() {
        return Stream.of(
                QueueDescription.named("q").build(),
                TopicDescription.named("t").build(),
                SubscriptionDescription.of("t", "s").build());
    }

    /** The description with another value of one property. */
    public static <D extends EntityDescription> D with(D description, EntityProperty<D> property) {
        EntityDescription.Builder<D> builder = EntityTable.of(description).toBuilder(description);
        property.set(builder, other(property.spec(), property.get(description)));
        return builder.build();
    }

    private static Object other(PropertySpec<?> spec, Object value) {
        return switch (spec.type()) {
            case FLAG -> !(Boolean) value;
            case DURATION, TIME_TO_LIVE -> Objects.requireNonNull(spec.range()).min() + 1_000;
            case COUNT -> (int) Objects.requireNonNull(spec.range()).min() + 1;
            case MEGABYTES, KILOBYTES -> 2_048L;
            case TEXT -> "notes";
            case DESTINATION -> "sb://host/elsewhere";
            case STATUS -> EntityStatus.DISABLED;
            case ACCESS_RULES -> List.of(new AccessRule("send", Set.of(AccessRight.SEND), "primary", "secondary"));
        };
    }
}
