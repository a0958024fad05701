package dev.jitney.cli.entity;

import com.azure.core.exception.ResourceNotFoundException;
import com.azure.core.util.Context;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.jitney.cli.connection.UnsaidPartitioningPolicy;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of entity with its SDK calls.
 *
 * @param <C> the SDK's class for creation options
 * @param <P> the SDK's class for properties of an existing entity
 */
abstract class EntityType<C, P> {

    /** The property whose default is a setting of the namespace. */
    static final String PARTITIONING = "enablePartitioning";

    /** Returns the word for the kind, such as {@code queue}. */
    abstract String word();

    /** Returns the names of the keys, outermost first: {@code topicName}, {@code subscriptionName}. The last is the entity's own name. */
    abstract List<String> keys();

    abstract List<Setting<C, P, ?>> settings();

    /** Returns the columns of a list. */
    abstract List<Column> columns();

    /** Returns creation options with the defaults of the service. */
    abstract C defaults();

    /** @param partitioningSaid whether the user set partitioning explicitly (PART-5) */
    abstract P create(ServiceBusAdministrationClient client, List<String> names, C options, boolean partitioningSaid);

    static Context context(boolean partitioningSaid) {
        return partitioningSaid ? Context.NONE : UnsaidPartitioningPolicy.context();
    }

    abstract P get(ServiceBusAdministrationClient client, List<String> names);

    /** Reads an entity like {@link #get}, and reports a name of another kind of entity as not found (HTTP 2.11). */
    final P find(ServiceBusAdministrationClient client, List<String> names) {
        try {
            return get(client, names);
        } catch (NullPointerException e) {
            throw new ResourceNotFoundException("another kind of entity has the name", null, e);
        }
    }

    abstract P update(ServiceBusAdministrationClient client, P properties);

    abstract void delete(ServiceBusAdministrationClient client, List<String> names);

    /** Returns all entities of a namespace or of a topic. */
    abstract Stream<P> list(ServiceBusAdministrationClient client, List<String> parents);

    /** Returns counts and times. */
    abstract Map<String, Object> runtime(P properties);

    /** Returns the contents that a deletion removes, with counts: {@code 2 subscriptions}, {@code 1,024 messages}. */
    abstract List<String> contents(ServiceBusAdministrationClient client, P properties);

    /** Returns a count with its noun: {@code 1 message} or {@code 1,024 messages}. */
    static String counted(long count, String thing) {
        return String.format(Locale.ROOT, "%,d %s%s", count, thing, count == 1 ? "" : "s");
    }

    /** Returns the value of each key. */
    abstract List<String> names(P properties);

    /** Returns keys and settings, which are enough to create an equal entity. */
    final Map<String, @Nullable Object> description(P properties) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        List<String> names = names(properties);
        for (int i = 0; i < names.size(); i++) {
            document.put(keys().get(i), names.get(i));
        }
        for (Setting<C, P, ?> setting : settings()) {
            Object value = setting.show(properties);
            if (value != null) {
                document.put(setting.name(), value);
            }
        }
        return document;
    }

    /** Returns keys, settings, counts and times. */
    final Map<String, @Nullable Object> document(P properties) {
        Map<String, @Nullable Object> document = description(properties);
        document.putAll(runtime(properties));
        return document;
    }

    /** Returns kind and path: {@code queue 'orders'}, {@code subscription 'events/billing'}. */
    final String called(List<String> names) {
        return word() + " '" + String.join("/", names) + "'";
    }
}
