package dev.jitney.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jitney.cluster.ratis.RaftMember;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A node with an empty directory")
class FoundingTest {
    private static final List<ClusterMember> MEMBERS = ClusterMember.parse("a=h:7400,b=h:7500,c=h:7600:7700");

    @TempDir
    Path directory;

    private final Map<String, NodeHello> others = new HashMap<>();

    private static NodeHello hello(String name, UUID cluster, List<RaftMember> members) {
        return new NodeHello(name, name + ".01", "a,b,c", 1, cluster, members, false, 0, Map.of(), NodeCondition.WELL);
    }

    private Founding.Outcome attempt(String name) {
        ClusterSettings settings = new ClusterSettings(MEMBERS, name, directory, 1, 1_000, 0);
        Founding founding = new Founding(
                settings,
                (to, request, body) -> {
                    NodeHello answer = others.get(to.name());
                    if (answer == null) {
                        throw new IOException("silent");
                    }
                    return answer.bytes();
                },
                () -> hello(name, null, List.of()));
        return founding.attempt(Membership.none(name + ".01"));
    }

    @Test
    @DisplayName("waits for a node that does not answer, and names it (CL-51)")
    void waits() {
        others.put("b", hello("b", null, List.of()));
        assertThat(attempt("a").membership()).isNull();
        assertThat(attempt("a").waiting()).contains("waits for c");
    }

    @Test
    @DisplayName("founds the cluster with all identities if all are empty and it is named first (CL-51, CL-53)")
    void founds() {
        others.put("a", hello("a", null, List.of()));
        others.put("b", hello("b", null, List.of()));
        others.put("c", hello("c", null, List.of()));
        Membership founded = attempt("a").membership();
        assertThat(founded.cluster()).isNotNull();
        assertThat(founded.founders())
                .containsExactly(
                        new RaftMember("a.01", "h:7400", 7401),
                        new RaftMember("b.01", "h:7500", 7501),
                        new RaftMember("c.01", "h:7600", 7700));
        assertThat(attempt("b").membership()).isNull();
        assertThat(attempt("b").waiting()).contains("waits for a to found");
    }

    @Test
    @DisplayName("belongs to the cluster of any other node, as a founder or as a new identity (CL-51)")
    void joins() {
        UUID cluster = UUID.randomUUID();
        List<RaftMember> founders = List.of(new RaftMember("a.01", "h:7400"), new RaftMember("b.02", "h:7500"));
        others.put("c", hello("c", cluster, founders));
        Membership founder = attempt("a").membership();
        assertThat(founder.cluster()).isEqualTo(cluster);
        assertThat(founder.founders()).isEqualTo(founders);
        Membership joining = attempt("b").membership();
        assertThat(joining.cluster()).isEqualTo(cluster);
        assertThat(joining.founders()).isEmpty();
        others.put("a", hello("a", UUID.randomUUID(), List.of()));
        assertThat(attempt("b").waiting()).contains("different clusters");
    }

    @Test
    @DisplayName("keeps its identity, and another name is refused (CL-50)")
    void keepsItsIdentity() throws IOException {
        Membership made = Membership.open(directory, "a");
        assertThat(made.identity()).startsWith("a.");
        assertThat(Membership.open(directory, "a")).isEqualTo(made);
        Membership founded = made.in(UUID.randomUUID(), List.of(new RaftMember("a.01", "[::1]:7400")))
                .asMember();
        founded.write(directory);
        assertThat(Membership.open(directory, "a")).isEqualTo(founded);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Membership.open(directory, "b"))
                .withMessageContaining("it is that of 'a'");
    }

    @Test
    @DisplayName("reads its members from the option, and names it in errors (CL-84)")
    void parses() {
        assertThat(MEMBERS.get(0)).isEqualTo(new ClusterMember("a", "h", 7400, 7401));
        assertThat(MEMBERS.get(2)).isEqualTo(new ClusterMember("c", "h", 7600, 7700));
        assertThat(ClusterMember.parse("a=[::1]:7400")).hasSize(1);
        for (String text : List.of(
                "",
                "a",
                "a=h",
                "a=h:0",
                "a=h:70000",
                "a=h:65535",
                "a=h:1:1",
                "a=h:1,a=h:5",
                "a=h:1,b=h:2",
                "=h:1",
                "a=:1",
                "a_b=h:1",
                "a=h:1:2:3",
                "a=::1:7400",
                "a=h:x")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ClusterMember.parse(text))
                    .withMessageStartingWith("--cluster-nodes: Expected");
        }
    }

    @Test
    @DisplayName(
            "listens on loopback only if all nodes are on this machine, whatever the name of the machine resolves to (CL-70)")
    void listens() {
        List<ClusterMember> oneMachine = ClusterMember.parse("a=127.0.0.1:1,b=127.0.0.2:1,c=[::1]:1");
        assertThat(oneMachine.get(1).listenHost(oneMachine)).isEqualTo("127.0.0.2");
        // As Debian does, this machine resolves its own name to 127.0.1.1.
        List<ClusterMember> machines = ClusterMember.parse("a=127.0.1.1:1,b=192.0.2.2:1,c=192.0.2.3:1");
        assertThat(machines.get(0).listenHost(machines)).isNull();
        assertThat(machines.get(1).listenHost(machines)).isNull();
    }
}
