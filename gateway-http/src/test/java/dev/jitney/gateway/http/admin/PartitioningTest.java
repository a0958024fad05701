package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Chapter 17.1: partitioned queues and topics in the administration API")
class PartitioningTest {
    private static final String YES = "<EnablePartitioning>true</EnablePartitioning>";
    private static final String NO = "<EnablePartitioning>false</EnablePartitioning>";

    @ParameterizedTest
    @CsvSource({
        // tier, on by default, partitions in PREMIUM, result if unspecified, result if false
        "STANDARD, false, 2, false, false",
        "STANDARD, true, 2, true, false",
        "PREMIUM, false, 2, true, true",
        "PREMIUM, true, 4, true, true",
        "PREMIUM, true, 1, false, false",
    })
    @DisplayName(
            "PART-5, PART-6, PART-7, C-24: an unspecified value follows the setting; false is valid outside PREMIUM")
    void defaults(TierProfile tier, boolean onByDefault, int premiumPartitions, String unsaid, String no) {
        try (AdminFixture f =
                new AdminFixture(TestBroker.partitioning(tier, new Partitioning(onByDefault, premiumPartitions)))) {
            assertThat(text(f.create("/q", queue("")), "EnablePartitioning")).isEqualTo(unsaid);
            assertThat(text(f.create("/t", topic("")), "EnablePartitioning")).isEqualTo(unsaid);
            assertThat(text(f.create("/q-no", queue(NO)), "EnablePartitioning")).isEqualTo(no);
            assertThat(text(f.create("/t-no", topic(NO)), "EnablePartitioning")).isEqualTo(no);
            assertThat(text(f.update("/q-no", queue("")), "EnablePartitioning"))
                    .as("an update that says nothing changes nothing")
                    .isEqualTo(no);
            assertThat(text(f.get("/t"), "EnablePartitioning")).isEqualTo(unsaid);
        }
    }

    @Test
    @DisplayName("PART-7, HTTP 5.3: PREMIUM with one partition refuses to partition")
    void onePartition() {
        try (AdminFixture f =
                new AdminFixture(TestBroker.partitioning(TierProfile.PREMIUM, new Partitioning(false, 1)))) {
            assertThat(detail(f.create("/q", queue(YES)), 400)).contains("EnablePartitioning", "one partition");
            assertThat(detail(f.create("/t", topic(YES)), 400)).contains("EnablePartitioning", "one partition");
        }
    }

    @ParameterizedTest
    @CsvSource({"1024", "2048", "3072", "4096", "5120"})
    @DisplayName("PART-17, PART-18, PART-21, C-22: STANDARD returns sixteen times the size of a partitioned"
            + " entity, which an update may echo or change")
    void standardSizes(long megabytes) {
        try (AdminFixture f = new AdminFixture()) {
            HttpResponse<String> created = f.create("/q", queue(YES + size(megabytes)));
            String told = Long.toString(16 * megabytes);
            assertThat(text(created, "MaxSizeInMegabytes")).isEqualTo(told);
            assertThat(text(f.get("/q"), "MaxSizeInMegabytes")).isEqualTo(told);
            assertThat(text(f.update("/q", queue(YES + size(16 * megabytes))), "MaxSizeInMegabytes"))
                    .isEqualTo(told);
            assertThat(text(f.update("/q", queue(YES + size(megabytes))), "MaxSizeInMegabytes"))
                    .isEqualTo(told);
            assertThat(detail(f.create("/q6", queue(YES + size(6_144))), 400)).contains("6144");
            assertThat(text(f.create("/plain", queue(NO + size(megabytes))), "MaxSizeInMegabytes"))
                    .isEqualTo(Long.toString(megabytes));
        }
    }

    @Test
    @DisplayName("PART-19, PART-20, PART-21: PREMIUM returns the configured size, partitioned or not")
    void premiumSizes() {
        try (AdminFixture f = new AdminFixture(TestBroker.partitioning(TierProfile.PREMIUM, Partitioning.DEFAULT))) {
            for (long gigabytes : new long[] {1, 2, 3, 4, 5, 10, 20, 40, 80}) {
                long megabytes = gigabytes * 1_024;
                String path = "/q" + gigabytes;
                assertThat(text(f.create(path, queue(size(megabytes))), "MaxSizeInMegabytes"))
                        .isEqualTo(Long.toString(megabytes));
                assertThat(text(f.update(path, queue(size(megabytes))), "MaxSizeInMegabytes"))
                        .isEqualTo(Long.toString(megabytes));
            }
            assertThat(detail(f.create("/q7", queue(size(7_168))), 400)).contains("7168");
        }
    }

    private static String size(long megabytes) {
        return "<MaxSizeInMegabytes>" + megabytes + "</MaxSizeInMegabytes>";
    }

    @ParameterizedTest
    @CsvSource({"STANDARD, true", "STANDARD, false", "PREMIUM, true"})
    @DisplayName("PART-8, PART-22: an update of EnablePartitioning is refused, both ways and in both tiers")
    void fixed(TierProfile tier, boolean partitioned) {
        try (AdminFixture f = new AdminFixture(TestBroker.partitioning(tier, Partitioning.DEFAULT))) {
            f.created("/q", queue(partitioned ? YES : NO));
            f.created("/t", topic(partitioned ? YES : NO));
            String other = partitioned ? NO : YES;
            assertThat(detail(f.update("/q", queue(other)), 400)).contains("Partitioning cannot be changed");
            assertThat(detail(f.update("/t", topic(other)), 400)).contains("Partitioning cannot be changed");
            assertThat(text(f.get("/q"), "EnablePartitioning")).isEqualTo(Boolean.toString(partitioned));
        }
    }

    @Test
    @DisplayName("PART-63: the 101st partitioned entity is refused with 403, an ordinary one is not")
    void atMostAHundred() throws Exception {
        try (AdminFixture f = new AdminFixture()) {
            for (int i = 0; i < 100; i++) {
                f.broker.create("q" + i, queue -> queue.enablePartitioning(true));
            }
            assertThat(detail(f.create("/q100", queue(YES)), 403)).contains("100 partitioned queues and topics");
            assertThat(detail(f.create("/t100", topic(YES)), 403)).contains("100 partitioned queues and topics");
            assertThat(f.create("/plain", queue("")).statusCode()).isEqualTo(201);
        }
    }

    @Test
    @DisplayName("PART-56, PART-58, SCN-9: a stopped store makes a partitioned entity Limited: it can be read but"
            + " not changed")
    void availability() throws Exception {
        try (AdminFixture f = new AdminFixture(TestBroker.onStores(4))) {
            f.created("/q", queue(YES));
            assertThat(text(f.get("/q"), "EntityAvailabilityStatus")).isEqualTo("Available");
            f.broker.broker.stopStore(1).toCompletableFuture().get(30, TimeUnit.SECONDS);
            assertThat(text(f.get("/q"), "EntityAvailabilityStatus")).isEqualTo("Limited");
            assertThat(f.update("/q", queue("<UserMetadata>m</UserMetadata>")).statusCode())
                    .isEqualTo(503);
            f.broker.broker.startStore(1).toCompletableFuture().get(30, TimeUnit.SECONDS);
            assertThat(text(f.get("/q"), "EntityAvailabilityStatus")).isEqualTo("Available");
            assertThat(text(f.get("/q"), "UserMetadata")).isNull();
        }
    }
}
