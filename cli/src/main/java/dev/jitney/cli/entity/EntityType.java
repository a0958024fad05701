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
 * A kind of entity, and what the SDK does with it.
 *
 * @param <C> the SDK's options of creation
 * @param <P> the SDK's properties of what exists
 */
abstract class EntityType<C, P> {

    /** The property that the namespace decides if nobody says it. */
    static final String PARTITIONING = "enablePartitioning";

    /** {@code queue}. */
    abstract String word();

    /** What names one, outermost first: {@code topicName}, {@code subscriptionName}. The last is its own name. */
    abstract List<String> keys();

    abstract List<Setting<C, P, ?>> settings();

    /** Columns of a list. */
    abstract List<Column> columns();

    /** Options of creation with what the service would take by itself. */
    abstract C defaults();

    /** @param partitioningSaid whether the options say on purpose whether it is partitioned (PART-5) */
    abstract P create(ServiceBusAdministrationClient client, List<String> names, C options, boolean partitioningSaid);

    static Context context(boolean partitioningSaid) {
        return partitioningSaid ? Context.NONE : UnsaidPartitioningPolicy.context();
    }

    abstract P get(ServiceBusAdministrationClient client, List<String> names);

    /** As {@link #get}; that the name belongs to another kind of entity the SDK says by a fault (HTTP 2.11). */
    final P find(ServiceBusAdministrationClient client, List<String> names) {
        try {
            return get(client, names);
        } catch (NullPointerException e) {
            throw new ResourceNotFoundException("another kind of entity has the name", null, e);
        }
    }

    abstract P update(ServiceBusAdministrationClient client, P properties);

    abstract void delete(ServiceBusAdministrationClient client, List<String> names);

    /** All of a namespace, or of a topic. */
    abstract Stream<P> list(ServiceBusAdministrationClient client, List<String> parents);

    /** Counts and times. */
    abstract Map<String, Object> runtime(P properties);

    /** What is gone with it, with its number: {@code 2 subscriptions}, {@code 1,024 messages}, {@code 0 dead letters}. */
    abstract List<String> contents(ServiceBusAdministrationClient client, P properties);

    /** A number of things, {@code 1 message} or {@code 1,024 messages}. */
    static String counted(long count, String thing) {
        return String.format(Locale.ROOT, "%,d %s%s", count, thing, count == 1 ? "" : "s");
    }

    /** The value of each key. */
    abstract List<String> names(P properties);

    /** Keys and settings, which make another one like it. */
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

    /** Everything there is to say. */
    final Map<String, @Nullable Object> document(P properties) {
        Map<String, @Nullable Object> document = description(properties);
        document.putAll(runtime(properties));
        return document;
    }

    /** {@code queue 'orders'}, {@code subscription 'events/billing'}. */
    final String called(List<String> names) {
        return word() + " '" + String.join("/", names) + "'";
    }
}
