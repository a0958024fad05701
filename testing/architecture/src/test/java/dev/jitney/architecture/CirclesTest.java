package dev.jitney.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the search for circles, on which the rule about circles depends. */
final class CirclesTest {

    @Test
    void findsNoneInAChain() {
        assertThat(Circles.of(Map.of("a", Set.of("b", "c"), "b", Set.of("c"), "c", Set.of())))
                .isEmpty();
    }

    @Test
    void findsEachCircleWithAllItsNodes() {
        Map<String, Set<String>> graph = Map.of(
                "a", Set.of("b"),
                "b", Set.of("c"),
                "c", Set.of("a", "d"),
                "d", Set.of("e"),
                "e", Set.of("d"),
                "f", Set.of("a", "e"));

        assertThat(Circles.of(graph)).containsExactlyInAnyOrder(List.of("a", "b", "c"), List.of("d", "e"));
    }

    @Test
    void joinsCirclesThatShareANode() {
        Map<String, Set<String>> graph = Map.of("a", Set.of("b"), "b", Set.of("a", "c"), "c", Set.of("b"));

        assertThat(Circles.of(graph)).containsExactly(List.of("a", "b", "c"));
    }
}
