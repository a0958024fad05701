package dev.jitney.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricsPageTest {

    @Test
    @DisplayName("Each entity has its own numbers; dead-letter states are added up; other lines are ignored")
    void reads() {
        List<EntityLoad> loads = MetricsPage.read("""
                # HELP jitney_entity_messages Messages
                jitney_entity_messages{entity="a\\"b",kind="queue",namespace="n",state="active"} 3.0
                jitney_entity_messages{entity="a\\"b",kind="queue",namespace="n",state="dead_letter"} 1.0
                jitney_entity_messages{entity="a\\"b",kind="queue",namespace="n",state="transfer_dead_letter"} 2.0
                jitney_entity_incoming_messages_total{entity="a\\"b",kind="queue",namespace="n"} 10.0
                jitney_entity_receivers{entity="t/Subscriptions/s",kind="subscription",namespace="n"} 4.0
                jitney_entity_receivers{entity="bad",kind="queue",namespace="n"} many
                jvm_threads 5.0
                nonsense {
                """);
        assertThat(loads).extracting(EntityLoad::path).containsExactly("a\"b", "t/subscriptions/s");
        assertThat(loads.get(0).active()).isEqualTo(3);
        assertThat(loads.get(0).deadLetter()).isEqualTo(3);
        assertThat(loads.get(0).receivers()).isNull();
        assertThat(loads.get(1).receivers()).isEqualTo(4);
        assertThat(loads.get(1).incoming()).isNull();
    }

    @Test
    @DisplayName("A rate is the difference over the time; a counter that fell was reset and has no rate")
    void rates() {
        assertThat(load(30.0).since(load(10.0), 4).incomingRate()).isEqualTo(5.0);
        assertThat(load(10.0).since(load(30.0), 4).incomingRate()).isNull();
        assertThat(load(10.0).since(null, 4).incomingRate()).isNull();
    }

    @Test
    @DisplayName("Ages are shown with two units")
    void ages() {
        assertThat(LoadTable.age(null)).isEqualTo("-");
        assertThat(LoadTable.age(59.9)).isEqualTo("59s");
        assertThat(LoadTable.age(61.0)).isEqualTo("1m1s");
        assertThat(LoadTable.age(7_260.0)).isEqualTo("2h1m");
        assertThat(LoadTable.age(90_000.0)).isEqualTo("1d1h");
    }

    private static EntityLoad load(double incoming) {
        return new EntityLoad("queue", "n", "q", 0, 0, 0, incoming, null, null, null, null, null);
    }
}
