package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.runtime.BrokerException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.NamespaceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntitySetupTest {
    @TempDir
    Path dir;

    private final Catalogue catalogue = new Catalogue();

    @Test
    @DisplayName("Applying a file twice changes nothing, and only differences are written")
    void idempotent() throws Exception {
        NamespaceConfig config = config("{\"Name\":\"a\"},{\"Name\":\"b\",\"Properties\":{\"LockDuration\":\"PT9S\"}}");
        assertThat(EntitySetup.apply(config, catalogue)).isEqualTo(new EntitySetup(2, 0));
        assertThat(EntitySetup.apply(config, catalogue)).isEqualTo(new EntitySetup(0, 0));
        assertThat(catalogue.writes).isEqualTo(2);

        NamespaceConfig changed =
                config("{\"Name\":\"A\"},{\"Name\":\"B\",\"Properties\":{\"LockDuration\":\"PT8S\"}}");
        assertThat(EntitySetup.apply(changed, catalogue)).isEqualTo(new EntitySetup(0, 1));
        assertThat(catalogue.entities.get("b").path()).isEqualTo("b");
        assertThat(((QueueDescription) catalogue.entities.get("b")).lockDurationMs())
                .isEqualTo(8_000);
    }

    private static final String PARTITIONABLE = """
            {"Name":"q"},{"Name":"yes","Properties":{"EnablePartitioning":true,"ForwardTo":"q"}},
            {"Name":"no","Properties":{"EnablePartitioning":false,"ForwardTo":"q"}}],
            "Topics":[{"Name":"t"},{"Name":"t-no","Properties":{"EnablePartitioning":false}}],"Ignored":[""";

    @ParameterizedTest
    @CsvSource({
        // tier, on by default, partitions in PREMIUM, the partitioned entities
        "STANDARD, false, 2, yes",
        "STANDARD, true, 2, q t yes",
        "PREMIUM, false, 2, no q t t-no yes",
        "PREMIUM, true, 4, no q t t-no yes",
    })
    @DisplayName("PART-5, PART-6, PART-7, C-24: an unspecified value follows the setting, false is valid outside"
            + " PREMIUM, and the next start changes nothing")
    void partitioning(TierProfile tier, boolean onByDefault, int premiumPartitions, String expected) throws Exception {
        NamespaceConfig config =
                config(PARTITIONABLE).partitionedBy(new Partitioning(onByDefault, premiumPartitions), tier);
        assertThat(EntitySetup.apply(config, catalogue)).isEqualTo(new EntitySetup(5, 0));
        assertThat(partitioned()).isEqualTo(expected);
        int writes = catalogue.writes;
        assertThat(EntitySetup.apply(config, catalogue)).isEqualTo(new EntitySetup(0, 0));
        assertThat(catalogue.writes).isEqualTo(writes);
    }

    @Test
    @DisplayName("PART-5, PART-8: another setting leaves existing entities unchanged; a file that contradicts"
            + " them is refused")
    void partitioningStays() throws Exception {
        EntitySetup.apply(
                config(PARTITIONABLE).partitionedBy(new Partitioning(true, 2), TierProfile.STANDARD), catalogue);
        NamespaceConfig off = config(PARTITIONABLE).partitionedBy(Partitioning.DEFAULT, TierProfile.STANDARD);
        assertThat(EntitySetup.apply(off, catalogue)).isEqualTo(new EntitySetup(0, 0));
        assertThat(partitioned()).isEqualTo("q t yes");
        NamespaceConfig otherwise = config("{\"Name\":\"yes\",\"Properties\":{\"EnablePartitioning\":false}}")
                .partitionedBy(Partitioning.DEFAULT, TierProfile.STANDARD);
        assertThatThrownBy(() -> EntitySetup.apply(otherwise, catalogue))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessageContainingAll("Queues[0].Properties.EnablePartitioning", "cannot be changed");
    }

    private String partitioned() {
        return catalogue.entities.values().stream()
                .filter(entity -> entity instanceof QueueDescription queue && queue.enablePartitioning()
                        || entity instanceof TopicDescription topic && topic.enablePartitioning())
                .map(EntityDescription::path)
                .collect(Collectors.joining(" "));
    }

    private static final String TOPIC = """
            ],"Topics":[{"Name":"t","Properties":{"DefaultMessageTimeToLive":"PT2H"},"Subscriptions":[
              {"Name":"all"},
              {"Name":"red","Properties":{"MaxDeliveryCount":7,"ForwardTo":"later"},"Rules":[
                {"Name":"a","Properties":{"FilterType":"Sql","SqlFilter":{"SqlExpression":"x=1"}}},
                {"Name":"b","Properties":{"FilterType":"Correlation","CorrelationFilter":{"Label":"%s"}}}]},
              {"Name":"none","Rules":[]}]}],"Ignored":[""";

    @Test
    @DisplayName("HTTP checklist 81, 83: topics, subscriptions and rules are created once; Rules replace $Default")
    void topics() throws Exception {
        NamespaceConfig config = config("{\"Name\":\"later\"}" + TOPIC.formatted("l"));
        assertThat(EntitySetup.apply(config, catalogue).created()).isEqualTo(5);
        assertThat(ruleNames("all")).containsExactly("$Default");
        assertThat(ruleNames("red")).containsExactly("a", "b");
        assertThat(ruleNames("none")).isEmpty();
        SubscriptionDescription red = (SubscriptionDescription) catalogue.entities.get("t/subscriptions/red");
        assertThat(red.maxDeliveryCount()).isEqualTo(7);
        assertThat(red.forwardTo()).isEqualTo("later");
        int writes = catalogue.writes;
        EntitySetup again = EntitySetup.apply(config, catalogue);
        assertThat(again.created() + again.updated()).isZero();
        assertThat(catalogue.writes).isEqualTo(writes);
    }

    @Test
    @DisplayName("A rule that differs is changed, an undeclared rule stays, and the default rule is removed")
    void changedRules() throws Exception {
        EntitySetup.apply(config("{\"Name\":\"later\"}" + TOPIC.formatted("l")), catalogue);
        catalogue.rules("t/subscriptions/red").clear();
        catalogue.createRule("t/Subscriptions/red", RuleDescription.takeEverything());
        catalogue.createRule("t/Subscriptions/red", new RuleDescription("mine", new FalseRuleFilter(), null));
        EntitySetup setup = EntitySetup.apply(config("{\"Name\":\"later\"}" + TOPIC.formatted("m")), catalogue);
        assertThat(setup.updated()).isEqualTo(1);
        assertThat(ruleNames("red")).containsExactly("a", "b", "mine");
        EntitySetup changed = EntitySetup.apply(config("{\"Name\":\"later\"}" + TOPIC.formatted("n")), catalogue);
        assertThat(changed.updated()).isEqualTo(1);
    }

    @Test
    @DisplayName("FWD-2: destinations may be declared after their sources, and in cycles")
    void forwardingInAnyOrder() throws Exception {
        NamespaceConfig config = config(
                "{\"Name\":\"a\",\"Properties\":{\"ForwardTo\":\"b\"}},"
                        + "{\"Name\":\"b\",\"Properties\":{\"ForwardTo\":\"a\",\"ForwardDeadLetteredMessagesTo\":\"c\"}},{\"Name\":\"c\"}");
        assertThat(EntitySetup.apply(config, catalogue).created()).isEqualTo(3);
        assertThat(((QueueDescription) catalogue.entities.get("a")).forwardTo()).isEqualTo("b");
        assertThat(((QueueDescription) catalogue.entities.get("b")).forwardDeadLetteredMessagesTo())
                .isEqualTo("c");
        int writes = catalogue.writes;
        assertThat(EntitySetup.apply(config, catalogue).updated()).isZero();
        assertThat(catalogue.writes).isEqualTo(writes);
        EntitySetup cleared =
                EntitySetup.apply(config("{\"Name\":\"a\",\"Properties\":{\"ForwardTo\":\"\"}}"), catalogue);
        assertThat(cleared.updated()).isEqualTo(1);
        assertThat(((QueueDescription) catalogue.entities.get("a")).forwardTo()).isNull();
    }

    @Test
    @DisplayName("HTTP checklist 85: a fixed property that differs is refused with its place and the fix, and"
            + " nothing changes")
    void fixedProperties() throws Exception {
        EntitySetup.apply(config("{\"Name\":\"q\"}"), catalogue);
        assertThatThrownBy(() -> EntitySetup.apply(
                        config("{\"Name\":\"Q\",\"Properties\":{\"LockDuration\":\"PT9S\",\"RequiresSession\":true}}"),
                        catalogue))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage("--config: UserConfig.Namespaces[0].Queues[0].Properties.RequiresSession: Expected the"
                        + " RequiresSession that queue 'Q' was created with, because it cannot be changed, but got"
                        + " true. Remove the member, or delete the entity first.");
        assertThat(catalogue.entities.get("q").requiresSession()).isFalse();
        EntitySetup.apply(config("{\"Name\":\"q\",\"Properties\":{\"RequiresSession\":false}}"), catalogue);
    }

    @Test
    @DisplayName("A name of another kind of entity is refused with its place")
    void otherKind() throws Exception {
        EntitySetup.apply(config("{\"Name\":\"t\"}"), catalogue);
        assertThatThrownBy(() -> EntitySetup.apply(config("{\"Name\":\"later\"}" + TOPIC.formatted("l")), catalogue))
                .hasMessageContaining(
                        "UserConfig.Namespaces[0].Topics[0].Name: Expected the name of a topic or an unused name,"
                                + " but 't' is a queue.");
    }

    @Test
    @DisplayName("A refusal of the broker stops the start with the place in the file")
    void refused() throws Exception {
        String queue = "{\"Name\":\"q\",\"Properties\":{\"MaxSizeInMegabytes\":2048}}";
        catalogue.refusal = new Rejection(ErrorCode.ARGUMENT, "Expected a smaller MaxSizeInMegabytes.");
        assertThatThrownBy(() -> EntitySetup.apply(config(queue), catalogue))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage(
                        "--config: UserConfig.Namespaces[0].Queues[0].Properties.MaxSizeInMegabytes: Expected a smaller"
                                + " MaxSizeInMegabytes.");
        catalogue.refusal = Rejection.of(ErrorCode.SERVER_BUSY);
        assertThatThrownBy(() -> EntitySetup.apply(config(queue), catalogue))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exitCode()).isEqualTo(1))
                .hasMessageStartingWith("--config: UserConfig.Namespaces[0].Queues[0]: ");
    }

    private List<String> ruleNames(String subscription) {
        return catalogue.rules("t/Subscriptions/" + subscription).stream()
                .map(RuleDescription::name)
                .sorted()
                .toList();
    }

    private NamespaceConfig config(String queues) throws Exception {
        Path file = Files.writeString(
                dir.resolve("config.json"),
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"n\",\"Queues\":[" + queues + "]}]}}");
        return ConfigReader.read(file, false).namespaces().get(0);
    }

    private static final class Catalogue implements EntityCatalogue {
        private final Map<String, EntityDescription> entities = new TreeMap<>();
        private final Map<String, List<RuleDescription>> rules = new TreeMap<>();
        private Rejection refusal;
        private int writes;

        @Override
        public EntityDescription find(String path) {
            return entities.get(EntityAddress.keyOf(path));
        }

        @Override
        public List<RuleDescription> rules(String path) {
            return rules.computeIfAbsent(EntityAddress.keyOf(path), key -> new ArrayList<>());
        }

        @Override
        public CompletionStage<?> create(EntityDescription description) {
            return write(() -> entities.put(EntityAddress.keyOf(description.path()), description));
        }

        @Override
        public CompletionStage<?> create(SubscriptionDescription description, RuleDescription rule) {
            if (rule != null) {
                rules(description.path()).add(rule);
            }
            return create(description);
        }

        @Override
        public CompletionStage<?> update(EntityDescription description) {
            return create(description);
        }

        @Override
        public CompletionStage<?> createRule(String subscriptionPath, RuleDescription rule) {
            return write(() -> rules(subscriptionPath).add(rule));
        }

        @Override
        public CompletionStage<?> updateRule(String subscriptionPath, RuleDescription rule) {
            deleteRule(subscriptionPath, rule.name());
            return createRule(subscriptionPath, rule);
        }

        @Override
        public CompletionStage<?> deleteRule(String subscriptionPath, String name) {
            return write(
                    () -> rules(subscriptionPath).removeIf(rule -> rule.name().equalsIgnoreCase(name)));
        }

        @Override
        public List<String> paths(EntityKind kind) {
            return List.copyOf(entities.keySet());
        }

        private CompletionStage<?> write(Runnable change) {
            if (refusal != null) {
                return CompletableFuture.failedFuture(new BrokerException(refusal));
            }
            writes++;
            change.run();
            return CompletableFuture.completedFuture("done");
        }
    }
}
