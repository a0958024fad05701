package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.operator.figure.FigureDocuments;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.PropertySpec;
import dev.jitney.model.property.PropertyType;
import dev.jitney.runtime.Namespace;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The description of all settings by kind of entity, made from the table of properties. A form needs no list of its own. */
final class SettingsOfKinds {
    /** The numbers of requirements in the sentences of the table, such as (TTL-14, TTL-15). */
    private static final String REQUIREMENTS = " \\([A-Z]+-\\d+(, [A-Z]+-\\d+)*\\)";

    /** Sentences that are about the configuration file only. */
    private static final String ABOUT_FILE = " In the file.*$";

    private SettingsOfKinds() {}

    /** Returns the settings of each kind. */
    static Buffer document(Namespace namespace) {
        JsonObject kinds = new JsonObject();
        for (EntityDescription defaults : List.of(
                QueueDescription.named("queue").build(),
                TopicDescription.named("topic").build(),
                SubscriptionDescription.of("topic", "name").build())) {
            kinds.put(FigureDocuments.word(defaults.kind()), ofKind(defaults, namespace));
        }
        return kinds.toBuffer();
    }

    /**
     * Returns the settings of one kind.
     *
     * @param defaults a description of that kind with every default
     */
    static <D extends EntityDescription> JsonArray ofKind(D defaults, Namespace namespace) {
        EntitySettings<D> settings = EntitySettings.of(defaults, namespace);
        EntityTable<D> table = EntityTable.of(defaults);
        D initial = settings.initial(defaults);
        JsonArray list = new JsonArray();
        for (EntityProperty<D> property : EntitySettings.properties(table)) {
            PropertySpec<?> spec = property.spec();
            JsonObject setting = new JsonObject()
                    .put("name", EntitySettings.name(spec))
                    .put("type", spec.type().word())
                    .put("meaning", spec.meaning().replaceAll(REQUIREMENTS, "").replaceAll(ABOUT_FILE, ""))
                    .put("fixed", spec.isFixed())
                    .put("default", settings.shown(property, initial));
            PropertySpec.Range range = spec.range();
            if (range != null && spec.type() == PropertyType.DURATION) {
                setting.put("min", IsoDurations.format(range.min())).put("max", IsoDurations.format(range.max()));
            } else if (range != null && spec.type() == PropertyType.COUNT) {
                setting.put("min", range.min()).put("max", range.max());
            } else if (range != null && spec.type() == PropertyType.TEXT) {
                setting.put("max", range.max());
            } else if (spec.type() == PropertyType.STATUS) {
                setting.put("values", statuses(table, property, defaults, namespace));
            }
            list.add(setting);
        }
        return list;
    }

    /** Returns the statuses that the kind has, because topics and subscriptions lack one each. */
    private static <D extends EntityDescription> JsonArray statuses(
            EntityTable<D> table, EntityProperty<D> property, D defaults, Namespace namespace) {
        JsonArray values = new JsonArray();
        for (EntityStatus status : EntityStatus.values()) {
            EntityDescription.Builder<D> builder = table.toBuilder(defaults);
            property.set(builder, status);
            if (property.refuse(builder.build(), namespace.limits()) == null) {
                values.add(status.word());
            }
        }
        return values;
    }
}
