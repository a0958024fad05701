package dev.jitney.core.filter.property;

import dev.jitney.core.filter.value.Value;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What filters and actions see of a message: its properties, never its body (FILTER-4). One thread at a time. */
public interface MessageProperties {

    /** A system property; {@link Value#NULL} if it is not set (FILTER-6). */
    Value system(SystemProperty property);

    /** A user property; {@link Value#UNKNOWN} if the message has none of that name (FILTER-7). */
    Value user(PropertyName name);

    /** How the message spells the name of a user property, or null if it has none of that name. */
    @Nullable
    String userSpelling(PropertyName name);

    /** Number of user properties; one that is there twice may be counted twice. */
    int userCount();

    /** Hands over the names of all user properties; one that is there twice may be handed over twice. */
    void forEachUserName(Consumer<PropertyName> names);
}
