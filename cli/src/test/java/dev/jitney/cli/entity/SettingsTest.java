package dev.jitney.cli.entity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.QueueProperties;
import dev.jitney.model.property.SubscriptionProperties;
import dev.jitney.model.property.TopicProperties;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The options of the command line are the properties the broker has, as far as the SDK can set them")
class SettingsTest {

    @Test
    @DisplayName(
            "HTTP 2.7: each property of an entity is an option, but for those that the SDK does not give to programs")
    void everyPropertyIsAnOption() {
        assertOptions(
                new QueueType(),
                QueueProperties.TABLE,
                Set.of("AuthorizationRules", "EnableExpress", "MaxReceivers", "SupportOrdering"));
        assertOptions(
                new TopicType(),
                TopicProperties.TABLE,
                Set.of(
                        "AuthorizationRules",
                        "EnableExpress",
                        "EnableSubscriptionPartitioning",
                        "FilteringMessagesBeforePublishing"));
        assertOptions(new SubscriptionType(), SubscriptionProperties.TABLE, Set.of("IsClientAffine"));
    }

    @Test
    @DisplayName("ENT-1: what is fixed at creation is no option of an update")
    void fixedPropertiesDoNotChange() {
        for (EntityType<?, ?> type : List.of(new QueueType(), new TopicType(), new SubscriptionType())) {
            for (Setting<?, ?, ?> setting : type.settings()) {
                Stream.of(QueueProperties.TABLE, TopicProperties.TABLE, SubscriptionProperties.TABLE)
                        .flatMap(table -> table.properties().stream())
                        .filter(property -> name(property).equals(setting.name())
                                && property.spec().isFixed())
                        .forEach(property ->
                                assertThat(setting.mutable()).as(setting.name()).isFalse());
            }
        }
    }

    private static <D extends EntityDescription> void assertOptions(
            EntityType<?, ?> type, EntityTable<D> table, Set<String> withoutOption) {
        List<String> wanted = table.properties().stream()
                .filter(property -> !withoutOption.contains(property.spec().element()))
                .map(SettingsTest::name)
                .toList();
        assertThat(type.settings().stream().map(Setting::name)).containsExactlyInAnyOrderElementsOf(wanted);
    }

    private static String name(EntityProperty<?> property) {
        String element = property.spec().element();
        return element.substring(0, 1).toLowerCase(Locale.ROOT) + element.substring(1);
    }
}
