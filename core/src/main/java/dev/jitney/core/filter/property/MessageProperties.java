package dev.jitney.core.filter.property;

import dev.jitney.core.filter.value.Value;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The input of filters and actions from a message: its properties (FILTER-4). Not thread-safe. */
public interface MessageProperties {

    /** Returns a system property; {@link Value#NULL} if it is not set (FILTER-6). */
    Value system(SystemProperty property);

    /** Returns a user property; {@link Value#UNKNOWN} if the message has none with that name (FILTER-7). */
    Value user(PropertyName name);

    /** Returns the spelling of a user property's name in the message, or null if there is none with that name. */
    @Nullable
    String userSpelling(PropertyName name);

    /** Returns the number of user properties; a property that occurs twice may count twice. */
    int userCount();

    /** Passes the names of all user properties to a consumer; a property that occurs twice may be passed twice. */
    void forEachUserName(Consumer<PropertyName> names);
}
