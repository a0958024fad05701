package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Entity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The maximum number of entities in a namespace. */
class ManyEntitiesTest {
    private static final int MAX = 10_000;

    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    @Test
    @DisplayName("QUOTA-7: 10,000 queues are listed completely by pages of 100; one more is refused")
    void tenThousand() throws Exception {
        List<CompletionStage<Entity>> created = new ArrayList<>();
        for (int i = 0; i < MAX; i++) {
            created.add(f.broker
                    .broker
                    .namespace(null)
                    .createQueue(
                            QueueDescription.named(String.format("q%05d", i)).build()));
        }
        for (CompletionStage<Entity> one : created) {
            one.toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
        int count = 0;
        for (int i = 0; i < MAX / 100; i++) {
            String page =
                    f.get("/$Resources/Queues?$skip=" + i * 100 + "&$top=100").body();
            assertThat(page).contains(String.format("/q%05d?", i * 100), String.format("/q%05d?", i * 100 + 99));
            assertThat(page.contains("rel=\"next\"")).isEqualTo(i < MAX / 100 - 1);
            count += page.split("<entry ", -1).length - 1;
        }
        assertThat(count).isEqualTo(MAX);
        assertThat(f.create("/one-more", queue("")).statusCode()).isEqualTo(403);
    }
}
