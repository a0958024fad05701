package dev.jitney.gateway.http.atom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.EntityAvailability;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.runtime.rows.ChangedProperties;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("HTTP 2.7: descriptions in Atom entries")
class DescriptionXmlTest {
    private static final Dialect DIALECT =
            new Dialect(ApiVersion.of("2024-05"), Limits.of(TierProfile.STANDARD), Partitioning.DEFAULT, "localhost");
    private static final EntityFacts FACTS =
            new EntityFacts(1, 1, 1, new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0), EntityAvailability.AVAILABLE, 0, 0, 0);

    private final EntryReader reader = new EntryReader();

    static Stream<EntityDescription> descriptions() {
        return ChangedProperties.unset();
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    @DisplayName("Every property is an element, and comes back from a client that sends it")
    <D extends EntityDescription> void everyPropertyIsAnElement(D unset) throws Exception {
        for (EntityProperty<D> property : EntityTable.of(unset).properties()) {
            D other = ChangedProperties.with(unset, property);
            String entry = entry(other);
            assertThat(entry).contains("<" + property.spec().element() + ">");
            assertThat(read(entry, unset)).as(property.spec().name()).isEqualTo(other);
        }
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    @DisplayName("Elements stand in the order older .NET clients insist on")
    <D extends EntityDescription> void elementsStandInOrder(D unset) throws Exception {
        D all = unset;
        for (EntityProperty<D> property : EntityTable.of(unset).properties()) {
            all = ChangedProperties.with(all, property);
        }
        List<String> elements = reader.description(entry(all).getBytes(StandardCharsets.UTF_8)).children().stream()
                .map(XmlElement::name)
                .toList();
        assertThat(elements).containsExactly(order(unset.kind()).split(" "));
    }

    private static String order(EntityKind kind) {
        return switch (kind) {
            case QUEUE ->
                "LockDuration MaxSizeInMegabytes RequiresDuplicateDetection RequiresSession DefaultMessageTimeToLive"
                        + " DeadLetteringOnMessageExpiration DuplicateDetectionHistoryTimeWindow MaxDeliveryCount"
                        + " EnableBatchedOperations SizeInBytes MessageCount IsAnonymousAccessible AuthorizationRules"
                        + " Status ForwardTo CreatedAt UpdatedAt AccessedAt UserMetadata SupportOrdering CountDetails"
                        + " AutoDeleteOnIdle EnablePartitioning EntityAvailabilityStatus ForwardDeadLetteredMessagesTo"
                        + " EnableExpress MaxMessageSizeInKilobytes MaxReceivers";
            case TOPIC ->
                "DefaultMessageTimeToLive MaxSizeInMegabytes RequiresDuplicateDetection"
                        + " DuplicateDetectionHistoryTimeWindow EnableBatchedOperations SizeInBytes"
                        + " FilteringMessagesBeforePublishing IsAnonymousAccessible AuthorizationRules Status CreatedAt"
                        + " UpdatedAt AccessedAt UserMetadata SupportOrdering CountDetails SubscriptionCount"
                        + " SqlFilterCount CorrelationFilterCount AutoDeleteOnIdle EnablePartitioning"
                        + " EntityAvailabilityStatus EnableSubscriptionPartitioning EnableExpress"
                        + " MaxMessageSizeInKilobytes";
            case SUBSCRIPTION ->
                "LockDuration RequiresSession DefaultMessageTimeToLive DeadLetteringOnMessageExpiration"
                        + " DeadLetteringOnFilterEvaluationExceptions MessageCount MaxDeliveryCount"
                        + " EnableBatchedOperations Status ForwardTo CreatedAt UpdatedAt AccessedAt UserMetadata"
                        + " CountDetails ForwardDeadLetteredMessagesTo AutoDeleteOnIdle EntityAvailabilityStatus"
                        + " IsClientAffine";
        };
    }

    private static String entry(EntityDescription description) {
        byte[] entry = AtomWriter.entry(new AtomEntry(
                "https://localhost/x",
                "https://localhost/x",
                "x",
                1L,
                1,
                "first",
                DescriptionXml.content(description, FACTS, DIALECT)));
        return new String(entry, StandardCharsets.UTF_8);
    }

    private <D extends EntityDescription> D read(String entry, D named) throws MalformedEntryException {
        Elements elements = reader.description(entry.getBytes(StandardCharsets.UTF_8));
        return DescriptionXml.read(elements, named, null, DIALECT, () -> "a key");
    }
}
