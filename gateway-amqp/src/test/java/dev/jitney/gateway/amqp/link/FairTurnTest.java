package dev.jitney.gateway.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The order of links when the socket accepts bytes again")
class FairTurnTest {
    private static final List<String> LINKS = List.of("a", "b", "c");

    private final FairTurn turn = new FairTurn();
    private int room;

    /** Runs a turn in which the socket accepts that many messages, of which each link has one, and returns the links in their order. */
    private List<String> run(List<String> links, int messages) {
        List<String> order = new ArrayList<>();
        room = messages;
        turn.run(
                links,
                link -> {
                    order.add(link);
                    room--;
                },
                () -> room > 0);
        return order;
    }

    @Test
    void beginsBehindTheLinkAfterWhichTheSocketWasFull() {
        assertThat(run(LINKS, 1)).containsExactly("a", "b", "c");
        assertThat(run(LINKS, 1)).containsExactly("b", "c", "a");
        assertThat(run(LINKS, 2)).containsExactly("c", "a", "b");
        assertThat(run(LINKS, 1)).containsExactly("b", "c", "a");
    }

    @Test
    void staysWhereItWasWhileTheSocketAcceptsEverything() {
        assertThat(run(LINKS, 2)).containsExactly("a", "b", "c");
        assertThat(run(LINKS, 10)).containsExactly("c", "a", "b");
        assertThat(run(LINKS, 10)).containsExactly("c", "a", "b");
    }

    @Test
    void servesEachLinkEquallyOftenIfTheSocketTakesOneMessageAtATime() {
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            first.merge(run(LINKS, 1).get(0), 1, Integer::sum);
        }
        assertThat(first.values()).containsOnly(100);
    }

    @Test
    void bearsLinksThatComeAndGo() {
        run(LINKS, 3);
        run(LINKS, 2);
        assertThat(run(List.of("a"), 1)).containsExactly("a");
        assertThat(run(List.of(), 1)).isEmpty();
        assertThat(run(LINKS, 1)).hasSize(3);
    }
}
