package dev.jitney.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.PropertySpec;
import dev.jitney.model.property.PropertyType;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.rows.ChangedProperties;
import dev.jitney.server.config.SubscriptionConfig.RuleConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP reference 4.1, and 5.1 and 5.2 for names and ranges. */
class ConfigReaderTest {
    private static final String MINIMAL = """
            {"UserConfig":{"Namespaces":[{"Name":"sbemulatorns","Queues":[{"Name":"orders","Properties":{"LockDuration":"PT30S"}}],
             "Topics":[{"Name":"events","Subscriptions":[{"Name":"red","Rules":[{"Name":"r","Properties":{"FilterType":"Sql","SqlFilter":{"SqlExpression":"colour='red'"}}}]}]}]}],"Logging":{"Type":"Console"}}}
            """;

    @TempDir
    Path dir;

    @Test
    @DisplayName("HTTP 4.1, 81: the minimal file loads, also in strict mode, with the emulator's defaults")
    void minimal() throws Exception {
        for (boolean strict : new boolean[] {false, true}) {
            ServerConfig config = read(MINIMAL, strict);
            assertThat(config.warnings()).isEmpty();
            NamespaceConfig namespace = config.namespaces().get(0);
            assertThat(namespace.name()).isEqualTo("sbemulatorns");
            assertThat(namespace.topics()).extracting(TopicConfig::name).containsExactly("events");
            QueueDescription orders = namespace.queues().get(0).describe();
            assertThat(orders.path()).isEqualTo("orders");
            assertThat(orders.lockDurationMs()).isEqualTo(30_000);
            assertThat(orders.defaultMessageTimeToLiveMs()).isEqualTo(3_600_000);
            assertThat(orders.maxDeliveryCount()).isEqualTo(3);
            assertThat(orders.deadLetteringOnMessageExpiration()).isFalse();
        }
    }

    @Test
    @DisplayName("HTTP 4.1, 81: the emulator's default file loads with all its declarations")
    void emulatorDefault() throws Exception {
        Path file = Path.of(
                ConfigReaderTest.class.getResource("emulator-default.json").toURI());
        ServerConfig config = ConfigReader.read(file, true);
        NamespaceConfig namespace = config.namespaces().get(0);
        assertThat(config.warnings()).isEmpty();
        TopicConfig topic = namespace.topics().get(0);
        assertThat(topic.describe().path()).isEqualTo("topic.1");
        assertThat(topic.describe().defaultMessageTimeToLiveMs()).isEqualTo(3_600_000);
        assertThat(topic.describe().duplicateDetectionHistoryTimeWindowMs()).isEqualTo(20_000);
        assertThat(topic.subscriptions())
                .extracting(SubscriptionConfig::path)
                .containsExactly(
                        "topic.1/Subscriptions/subscription.1",
                        "topic.1/Subscriptions/subscription.2",
                        "topic.1/Subscriptions/subscription.3",
                        "topic.1/Subscriptions/subscription.4");
        assertThat(topic.subscriptions().get(0).describe().maxDeliveryCount()).isEqualTo(3);
        assertThat(topic.subscriptions().get(2).rules()).as("$Default").isNull();
        assertThat(rules(topic, 0))
                .containsExactly(new RuleDescription(
                        "app-prop-filter-1",
                        new CorrelationRuleFilter(
                                null, null, null, null, null, null, null, "application/json", Map.of()),
                        null));
        assertThat(rules(topic, 1))
                .containsExactly(new RuleDescription(
                        "user-prop-filter-1",
                        new CorrelationRuleFilter(
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                Map.of("prop1", RuleValue.ofString("value1"))),
                        null));
        assertThat(rules(topic, 3))
                .containsExactly(new RuleDescription(
                        "sql-filter-1",
                        new SqlRuleFilter("sys.MessageId = '123456' AND userProp1 = 'value1'", Map.of()),
                        new SqlRuleAction("SET sys.To = 'Entity'", Map.of())));
    }

    @Test
    @DisplayName("The sample file of the source tree loads")
    void sample() throws Exception {
        ServerConfig config = ConfigReader.read(Path.of("../samples/config.json"), false);
        assertThat(config.namespaces().get(0).queues())
                .extracting(QueueConfig::name)
                .containsExactly("orders");
        assertThat(config.namespaces().get(0).topics())
                .extracting(TopicConfig::name)
                .containsExactly("drinks");
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    @DisplayName("Several namespaces, rules, tier, limits and the service's own properties are read")
    void additions() throws Exception {
        ServerConfig config = read("""
                {"UserConfig":{"Namespaces":[
                  {"Name":"team-a","Tier":"Premium","ExpiryEnforcement":"BACKGROUND","Limits":{"MaxLocks":5},"Throttling":1000,
                   "TransferFailureTarget":"dlq","DeletionLock":true,"PartitioningDefault":"On","PremiumPartitions":4,
                   "AccessRules":[{"Name":"app","Rights":["Send","Listen"],"PrimaryKey":"k1","SecondaryKey":"k2"}],
                   "Queues":[{"Name":"q/deep","AccessRules":[{"Name":"own","Rights":["Send"],"PrimaryKey":"k3"}],
                     "Properties":{"DefaultMessageTimeToLive":"P10675199DT2H48M5.4775807S","AutoDeleteOnIdle":"PT5M",
                       "MaxDeliveryCount":2000,"MaxSizeInMegabytes":2048,"Status":"SendDisabled","UserMetadata":"m"}},
                     {"Name":"plain","AccessRules":[{"Name":"own","Rights":["Listen"],"PrimaryKey":"k4"}]}]},
                  {"name":"team-b","queues":[{"Name":"q/deep"}]}]}}
                """, false);
        NamespaceConfig a = config.namespaces().get(0);
        assertThat(a.tier()).isEqualTo(TierProfile.PREMIUM);
        assertThat(a.expiryEnforcement()).isEqualTo(ExpiryEnforcement.BACKGROUND);
        assertThat(a.limits()).isEqualTo(Map.of("maxLocks", 5L));
        assertThat(a.throttling()).isEqualTo(1_000);
        assertThat(a.transferFailureTarget()).isEqualTo(TransferFailureTarget.DLQ);
        assertThat(a.deletionLock()).isTrue();
        assertThat(a.partitioningDefault()).isEqualTo(PartitioningDefault.ON);
        assertThat(a.premiumPartitions()).isEqualTo(4);
        assertThat(config.namespaces().get(1).partitioningDefault()).isNull();
        assertThat(config.namespaces().get(1).premiumPartitions()).isNull();
        assertThat(config.namespaces().get(1).throttling()).isNull();
        assertThat(config.namespaces().get(1).transferFailureTarget()).isNull();
        assertThat(config.namespaces().get(1).deletionLock()).isNull();
        assertThat(a.accessRules()).singleElement().satisfies(rule -> {
            assertThat(rule.rights()).containsExactlyInAnyOrder(AccessRight.SEND, AccessRight.LISTEN);
            assertThat(rule.secondaryKey()).isEqualTo("k2");
        });
        QueueDescription queue = a.queues().get(0).describe();
        assertThat(queue.defaultMessageTimeToLiveMs()).isEqualTo(MessageView.NEVER);
        assertThat(queue.autoDeleteOnIdleMs()).isEqualTo(300_000);
        assertThat(queue.maxDeliveryCount()).isEqualTo(2000);
        assertThat(queue.maxSizeInMegabytes()).isEqualTo(2048);
        assertThat(queue.status()).isEqualTo(EntityStatus.SEND_DISABLED);
        assertThat(queue.accessRules()).extracting(AccessRule::name).containsExactly("own");
        assertThat(a.queues().get(1).describe().accessRules()).hasSize(1);
        assertThat(config.namespaces().get(1).name()).isEqualTo("team-b");
        assertThat(config.warnings()).isEmpty();
    }

    private static List<RuleDescription> rules(TopicConfig topic, int subscription) {
        return Objects.requireNonNull(topic.subscriptions().get(subscription).rules()).stream()
                .map(RuleConfig::description)
                .toList();
    }

    @Test
    @DisplayName("HTTP 2.7: topics and subscriptions also accept the service's own properties")
    void topicAdditions() throws Exception {
        ServerConfig config = read("""
                {"UserConfig":{"Namespaces":[{"Name":"n","Topics":[{"Name":"t",
                  "AuthorizationRules":[{"KeyName":"own","Rights":["Send"],"PrimaryKey":"k"}],
                  "Properties":{"AutoDeleteOnIdle":"PT5M","MaxSizeInMegabytes":2048,"Status":"SendDisabled","UserMetadata":"m",
                    "EnableBatchedOperations":false,"SupportOrdering":false,"EnablePartitioning":true,"EnableExpress":true,
                    "FilteringMessagesBeforePublishing":true},
                  "Subscriptions":[{"Name":"s","Properties":{"AutoDeleteOnIdle":"PT6M","Status":"ReceiveDisabled","UserMetadata":"m",
                    "DeadLetteringOnFilterEvaluationExceptions":false,"EnableBatchedOperations":false,"ForwardTo":"t"},
                    "Rules":[{"Name":"$Default","Properties":{"FilterType":"correlation","CorrelationFilter":{"Properties":
                      {"text":"a","small":7,"large":5000000000,"fraction":1.5,"flag":true}}}}]},
                   {"Name":"none","Rules":[]}]}]}]}}
                """, false);
        assertThat(config.warnings()).isEmpty();
        TopicConfig topic = config.namespaces().get(0).topics().get(0);
        assertThat(topic.describe())
                .isEqualTo(TopicDescription.named("t")
                        .defaultMessageTimeToLiveMs(3_600_000)
                        .duplicateDetectionHistoryTimeWindowMs(20_000)
                        .autoDeleteOnIdleMs(300_000)
                        .maxSizeInMegabytes(2_048)
                        .status(EntityStatus.SEND_DISABLED)
                        .userMetadata("m")
                        .enableBatchedOperations(false)
                        .supportOrdering(false)
                        .enablePartitioning(true)
                        .enableExpress(true)
                        .enableFilteringMessagesBeforePublishing(true)
                        .accessRules(List.of(new AccessRule("own", Set.of(AccessRight.SEND), "k", null)))
                        .build());
        assertThat(topic.subscriptions().get(0).describe())
                .isEqualTo(SubscriptionDescription.of("t", "s")
                        .defaultMessageTimeToLiveMs(3_600_000)
                        .maxDeliveryCount(3)
                        .autoDeleteOnIdleMs(360_000)
                        .status(EntityStatus.RECEIVE_DISABLED)
                        .userMetadata("m")
                        .deadLetteringOnFilterEvaluationExceptions(false)
                        .enableBatchedOperations(false)
                        .forwardTo("t")
                        .build());
        CorrelationRuleFilter filter =
                (CorrelationRuleFilter) rules(topic, 0).get(0).filter();
        assertThat(filter.properties())
                .containsExactly(
                        Map.entry("text", RuleValue.ofString("a")),
                        Map.entry("small", new RuleValue(RuleValue.Type.INT, "7")),
                        Map.entry("large", new RuleValue(RuleValue.Type.LONG, "5000000000")),
                        Map.entry("fraction", new RuleValue(RuleValue.Type.DOUBLE, "1.5")),
                        Map.entry("flag", new RuleValue(RuleValue.Type.BOOLEAN, "true")));
        assertThat(topic.subscriptions().get(1).rules()).isEmpty();
    }

    @Test
    @DisplayName("HTTP 4.1: a duplicate detection window that is too short for the service is extended, with a warning")
    void shortDuplicateWindow() throws Exception {
        ServerConfig config = read(
                queueWith("\"RequiresDuplicateDetection\":true,\"DuplicateDetectionHistoryTimeWindow\":\"PT5S\""),
                false);
        assertThat(config.namespaces().get(0).queues().get(0).describe().duplicateDetectionHistoryTimeWindowMs())
                .isEqualTo(20_000);
        assertThat(config.warnings())
                .singleElement()
                .asString()
                .contains("Queues[0].Properties.DuplicateDetectionHistoryTimeWindow: Expected", "PT5S", "PT20S");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Creating", "Deleting", "Restoring", "Renaming", "Unknown", "Limited"})
    @DisplayName("SUSP-4: a status that only the service sets is refused")
    void systemStates(String status) {
        refused(
                queueWith("\"Status\":\"" + status + "\""),
                false,
                "Status: Expected Active, Disabled, SendDisabled or ReceiveDisabled, but got '" + status + "'");
    }

    @Test
    @DisplayName("HTTP 4.1: unknown members cause a warning with their path and are not refused")
    void unknownMembers() throws Exception {
        ServerConfig config = read(queueWith("\"LockDuraton\":\"PT1M\""), false);
        assertThat(config.warnings())
                .containsExactly("UserConfig.Namespaces[0].Queues[0].Properties.LockDuraton: Jitney does not know this"
                        + " member and ignores it.");
        assertThat(read(queueWith("\"Status\":\"Active\""), true).warnings()).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("HTTP 85: an invalid value is refused with path and rule, in one line")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"LockDuration\":\"PT5M0.001S\"|LockDuration: Expected a duration from PT5S to PT5M, but got PT5M0.001S.",
                "\"LockDuration\":\"PT4S\"|LockDuration: Expected a duration from PT5S to PT5M, but got PT4S.",
                "\"LockDuration\":\"-PT4S\"|LockDuration: Expected a duration from PT5S",
                "\"LockDuration\":\"1 minute\"|LockDuration: Expected an ISO 8601 duration such as PT1M or P14D",
                "\"LockDuration\":60|LockDuration: Expected a string, but got 60.",
                "\"DefaultMessageTimeToLive\":\"PT0S\"|DefaultMessageTimeToLive: Expected a duration from PT1S",
                "\"DuplicateDetectionHistoryTimeWindow\":\"P8D\"|DuplicateDetectionHistoryTimeWindow: Expected a duration",
                "\"AutoDeleteOnIdle\":\"PT4M59S\"|AutoDeleteOnIdle: Expected a duration from PT5M",
                "\"MaxDeliveryCount\":0|MaxDeliveryCount: Expected a whole number from 1 to 2147483647, but got 0.",
                "\"MaxDeliveryCount\":2147483648|MaxDeliveryCount: Expected a whole number",
                "\"MaxDeliveryCount\":1.5|MaxDeliveryCount: Expected a whole number",
                "\"MaxDeliveryCount\":\"3\"|MaxDeliveryCount: Expected a whole number",
                "\"RequiresSession\":\"maybe\"|RequiresSession: Expected true or false, but got the string 'maybe'.",
                "\"Status\":\"Asleep\"|Status: Expected Active, Disabled, SendDisabled or ReceiveDisabled",
            })
    void refusesProperties(String property, String words) {
        refused(queueWith(property), false, "UserConfig.Namespaces[0].Queues[0].Properties." + words);
    }

    @ParameterizedTest
    @DisplayName("HTTP 5.1: invalid names are refused with their path")
    @CsvSource({"a b", "/a", "a/", "a//b", "$a", "a?b", "a\\\\b", "-a", "''", "t/subscriptions/s", "x/rules/y"})
    void refusesNames(String name) {
        refused(
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"n\",\"Queues\":[{\"Name\":\"" + name + "\"}]}]}}",
                false,
                "UserConfig.Namespaces[0].Queues[0].Name: Expected");
    }

    @ParameterizedTest
    @DisplayName("HTTP 4.1, 85: files with a wrong structure are refused with place and rule")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{|line 1, column 2: Expected JSON",
                "{} x|Expected JSON",
                "[]|the file: Expected a JSON object, but got an array.",
                "{}|UserConfig: Expected an object, but the member is missing.",
                "{\"UserConfig\":{}}|UserConfig.Namespaces: Expected at least one namespace",
                "{\"UserConfig\":{\"Namespaces\":{}}}|UserConfig.Namespaces: Expected an array, but got an object.",
                "{\"UserConfig\":{\"Namespaces\":[1]}}|UserConfig.Namespaces[0]: Expected a JSON object, but got 1.",
                "{\"UserConfig\":{\"Namespaces\":[{}]}}|UserConfig.Namespaces[0].Name: Expected a string, but the member is missing.",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a.b\"}]}}|UserConfig.Namespaces[0].Name: Expected 1 to 50 letters",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\"},{\"Name\":\"A\"}]}}|UserConfig.Namespaces[1].Name: Expected a unique name",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Tier\":\"gold\"}]}}|Namespaces[0].Tier: Expected one of BASIC, STANDARD, PREMIUM",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Limits\":{\"nope\":1}}]}}|Namespaces[0].Limits.nope: Expected one of the limits",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Throttling\":-1}]}}|Namespaces[0].Throttling: Expected a whole number from 0 to 2147483647, but got -1.",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Throttling\":true}]}}|Namespaces[0].Throttling: Expected a whole number from 0",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"PartitioningDefault\":\"maybe\"}]}}|Namespaces[0].PartitioningDefault: Expected one of OFF, ON",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"PremiumPartitions\":3}]}}|Namespaces[0].PremiumPartitions: Expected 1, 2 or 4, but got 3.",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"PremiumPartitions\":16}]}}|Namespaces[0].PremiumPartitions: Expected a whole number from 1 to 4",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"AccessRules\":[]}]}}|AccessRules: Expected at least one rule",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"AccessRules\":[{\"Name\":\"r\",\"Rights\":[\"Fly\"],\"PrimaryKey\":\"k\"}]}]}}|AccessRules[0].Rights: Expected Manage, Send or Listen, but got 'Fly'.",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"AccessRules\":[{\"Name\":\"r\",\"Rights\":[\"Send\"]}]}]}}|AccessRules[0].PrimaryKey: Expected a key, but the member is missing.",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Queues\":[{\"Name\":\"q\"}],\"Topics\":[{\"Name\":\"Q\"}]}]}}|Topics[0].Name: Expected a unique name, but got 'Q' again.",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Topics\":[{\"Name\":\"t\",\"Subscriptions\":[{\"Name\":\"s\",\"Rules\":[{\"Name\":\"r\",\"Properties\":{\"FilterType\":\"X\"}}]}]}]}]}}|Topics[0].Subscriptions[0].Rules[0].Properties.FilterType: Expected Correlation or Sql",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Topics\":[{\"Name\":\"t\",\"Subscriptions\":[{\"Name\":\"s\",\"Rules\":[{\"Name\":\"r\",\"Properties\":{\"FilterType\":\"Correlation\",\"CorrelationFilter\":{}}}]}]}]}]}}|CorrelationFilter: Expected at least one condition",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Topics\":[{\"Name\":\"t\",\"Subscriptions\":[{\"Name\":\"s\",\"Rules\":[{\"Name\":\"r\",\"Properties\":{\"FilterType\":\"Correlation\",\"CorrelationFilter\":{\"Properties\":{\"a\":[]}}}}]}]}]}]}}|CorrelationFilter.Properties.a: Expected a string, a number, true or false, but got an array.",
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"a\",\"Topics\":[{\"Name\":\"t\",\"Subscriptions\":[{\"Name\":\"a/b\"}]}]}]}}|Topics[0].Subscriptions[0].Name: Expected 1 to 50",
                "{\"UserConfig\":{\"Logging\":{\"Type\":\"Paper\"},\"Namespaces\":[{\"Name\":\"a\"}]}}|UserConfig.Logging.Type: Expected File, Console",
                "{\"a\":1,\"a\":2}|Duplicate field 'a'",
            })
    void refusesShapes(String json, String words) {
        refused(json, false, words);
    }

    @ParameterizedTest
    @DisplayName("HTTP 4.3: strict mode applies the emulator's own limits")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"DefaultMessageTimeToLive\":\"PT2H\"|DefaultMessageTimeToLive: Expected a duration from PT5M to PT1H",
                "\"MaxDeliveryCount\":11|MaxDeliveryCount: Expected a whole number from 1 to 10, but got 11.",
                "\"DuplicateDetectionHistoryTimeWindow\":\"PT6M\"|DuplicateDetectionHistoryTimeWindow: Expected a duration from",
            })
    void strict(String property, String words) throws Exception {
        read(queueWith(property), false);
        refused(queueWith(property), true, words);
    }

    @Test
    @DisplayName("A missing, binary or too large file is refused in one line")
    void unreadable() throws Exception {
        assertThatThrownBy(() -> ConfigReader.read(dir.resolve("none.json"), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith("none.json: There is no such file.");
        assertThatThrownBy(() -> ConfigReader.read(dir, false)).isInstanceOf(ConfigException.class);
        Path binary = Files.write(dir.resolve("binary"), new byte[] {0, 1, 2, (byte) 0xff});
        assertThatThrownBy(() -> ConfigReader.read(binary, false)).isInstanceOf(ConfigException.class);
        refused("[".repeat(100_000), false, "Expected JSON");
        Path large = Files.write(dir.resolve("large"), new byte[17 * 1024 * 1024]);
        assertThatThrownBy(() -> ConfigReader.read(large, false)).hasMessageContaining("Expected at most");
    }

    @Test
    @DisplayName("A property that the file omits stays unchanged in an existing queue")
    void keepsWhatIsNotSaid() throws Exception {
        QueueDescription existing = QueueDescription.named("orders")
                .maxDeliveryCount(42)
                .status(EntityStatus.RECEIVE_DISABLED)
                .userMetadata("mine")
                .build();
        QueueConfig config = read(queueWith("\"LockDuration\":\"PT10S\""), false)
                .namespaces()
                .get(0)
                .queues()
                .get(0);
        QueueDescription wanted = config.over(existing);
        assertThat(wanted).isEqualTo(existing.toBuilder().lockDurationMs(10_000).build());
        assertThat(config.over(wanted)).isEqualTo(wanted);
    }

    static Stream<EntityDescription> descriptions() {
        return ChangedProperties.unset();
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    @DisplayName("HTTP 4.1: every supported property is read, and the others cause a warning")
    <D extends EntityDescription> void readsEveryProperty(D unset) throws Exception {
        EntityTable<D> table = EntityTable.of(unset);
        for (EntityProperty<D> property : table.properties()) {
            PropertySpec<?> spec = property.spec();
            Object value = property.get(ChangedProperties.with(unset, property));
            if (spec.type() == PropertyType.ACCESS_RULES) {
                assertThat(property.member()).isPositive(); // its member stands beside Properties
                continue;
            }
            ServerConfig config = read(entityWith(unset.kind(), "\"" + spec.element() + "\":" + json(value)), false);
            NamespaceConfig namespace = config.namespaces().get(0);
            EntityDescription read = switch (unset.kind()) {
                case QUEUE -> namespace.queues().get(0).over((QueueDescription) unset);
                case TOPIC -> namespace.topics().get(0).over((TopicDescription) unset);
                case SUBSCRIPTION ->
                    namespace.topics().get(0).subscriptions().get(0).over((SubscriptionDescription) unset);
            };
            assertThat(read.equals(ChangedProperties.with(unset, property)))
                    .as(spec.name())
                    .isEqualTo(property.member() > 0);
            assertThat(config.warnings()).as(spec.name()).hasSize(property.member() > 0 ? 0 : 1);
        }
    }

    private static String json(Object value) {
        if (value instanceof Long ms && ms < 1_000_000 && ms != 2_048) {
            return "\"" + IsoDurations.format(ms) + "\"";
        }
        if (value instanceof EntityStatus status) {
            return "\"" + status.word() + "\"";
        }
        return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
    }

    private static String entityWith(EntityKind kind, String property) {
        String entity = "[{\"Name\":\"e\",\"Properties\":{" + property + "}}]";
        String entities = switch (kind) {
            case QUEUE -> "\"Queues\":" + entity;
            case TOPIC -> "\"Topics\":" + entity;
            case SUBSCRIPTION -> "\"Topics\":[{\"Name\":\"t\",\"Subscriptions\":" + entity + "}]";
        };
        return "{\"UserConfig\":{\"Logging\":{\"Type\":\"Console\"},\"Namespaces\":[{\"Name\":\"n\"," + entities
                + "}]}}";
    }

    private static String queueWith(String property) {
        return "{\"UserConfig\":{\"Logging\":{\"Type\":\"Console\"},\"Namespaces\":[{\"Name\":\"n\",\"Queues\":[{\"Name\":"
                + "\"q\",\"Properties\":{" + property + "}}]}]}}";
    }

    private ServerConfig read(String json, boolean strict) throws Exception {
        return ConfigReader.read(Files.writeString(dir.resolve("config.json"), json), strict);
    }

    private void refused(String json, boolean strict, String words) {
        assertThatThrownBy(() -> read(json, strict))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("config.json: ")
                .hasMessageContaining(words)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }
}
