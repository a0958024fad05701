package dev.jitney.crash.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.server.cli.backup.BackupCommands;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.process.ClusterProcesses;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.NodeProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with a backup of a cluster under load, from which another cluster is founded. */
final class ClusterBackupTest {
    private static final int QUEUES = 4;
    private static final int MESSAGES = 4_000;
    private static final int ENOUGH = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path directory;

    private final List<StampedSending> senders = new ArrayList<>();

    @Test
    @DisplayName(
            "CL-54: a backup of a cluster under load founds another one, with everything acknowledged before, and members join it")
    void foundsAnother() throws Exception {
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            queues.add(ConfigFile.queue("load-" + i, 10));
            queues.add(ConfigFile.queue("out-" + i, 10));
            queues.add(ConfigFile.forwardingQueue("in-" + i, "out-" + i));
            senders.add(new StampedSending("load-" + i));
            senders.add(new StampedSending("in-" + i));
        }
        Path config = ConfigFile.write(directory.resolve("config.json"), queues, List.of());
        Set<String> before;
        Set<String> begun;
        try (ClusterProcesses first = cluster("first", config);
                AmqpClient client = new AmqpClient(1)) {
            first.launchAll();
            first.awaitWhole(PATIENCE);
            NodeProcess leader = first.awaitLeader(PATIENCE);
            ClientConnection connection = client.open(leader.endpoint());
            for (StampedSending sender : senders) {
                sender.allow(MESSAGES);
                AmqpClient.await(connection.sender(sender.queue(), sender));
            }
            Eventually.until(
                    "many are acknowledged", PATIENCE, () -> acknowledged().size() > ENOUGH);
            before = acknowledged();
            NodeProcess follower = first.nodes().stream()
                    .filter(node -> node != leader)
                    .findFirst()
                    .orElseThrow();
            String made = backup(0, "create", "--admin-url", "http://127.0.0.1:" + follower.clientPort());
            begun = new TreeSet<>();
            senders.forEach(sender -> begun.addAll(sender.begunUntil(Long.MAX_VALUE)));
            System.out.println(made);
            assertThat(made).contains("Commits waited for");
            Eventually.until(
                    "more is acknowledged", PATIENCE, () -> acknowledged().size() > before.size() + 500);
            assertThat(backup(
                            1,
                            "restore",
                            directory.resolve("backups").toString(),
                            "--into",
                            leader.data().toString()))
                    .contains("never restored");
        }
        assertThat(backup(0, "verify", directory.resolve("backups").toString())).contains("complete.");
        try (ClusterProcesses second = cluster("second", config)) {
            NodeProcess founder = second.nodes().get(0);
            backup(
                    0,
                    "restore",
                    directory.resolve("backups").toString(),
                    "--into",
                    founder.data().toString());
            second.launch(founder);
            assertThat(founder.process().awaitExit())
                    .as("a start without --cluster-found")
                    .isNotZero();
            assertThat(founder.errors()).contains("single node");
            second.launch(founder, "--cluster-found");
            second.launch(second.nodes().get(1));
            second.launch(second.nodes().get(2));
            second.awaitWhole(PATIENCE);
            compare(second.awaitLeader(PATIENCE).endpoint(), before, begun);
            founder.kill();
            NodeProcess leader = second.awaitLeader(PATIENCE);
            assertThat(leader).isNotSameAs(founder);
            compare(leader.endpoint(), before, begun);
        }
    }

    private ClusterProcesses cluster(String name, Path config) throws Exception {
        Path parent = Files.createDirectories(directory.resolve(name));
        List<String> options = new ArrayList<>(Arrays.asList(ConfigFile.options(config)));
        options.addAll(List.of(
                "--stores",
                "2",
                "--cluster-election-ms",
                "2000",
                "--backup-dir",
                directory.resolve("backups").toString()));
        return new ClusterProcesses(
                parent, List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), options);
    }

    private Set<String> acknowledged() {
        Set<String> all = new TreeSet<>();
        senders.forEach(sender -> all.addAll(sender.acknowledgedBefore(Long.MAX_VALUE)));
        return all;
    }

    private static String backup(int expected, String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int status =
                BackupCommands.backup(out, out, () -> new String[] {"test"}).execute(arguments);
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(status).as(text).isEqualTo(expected);
        return text;
    }

    private static void compare(Endpoint endpoint, Set<String> before, Set<String> begun) throws Exception {
        Eventually.until(
                "messages have arrived in the other store",
                PATIENCE,
                () -> ids(endpoint).containsAll(before));
        List<String> found = ids(endpoint);
        Set<String> once = new TreeSet<>(found);
        assertThat(found).as("no duplicates").hasSameSizeAs(once);
        assertThat(begun.containsAll(once)).as("nothing later").isTrue();
    }

    private static List<String> ids(Endpoint endpoint) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            for (String queue : List.of("load-" + i, "out-" + i)) {
                for (ReceivedMessage message : Browse.all(endpoint, queue)) {
                    ids.add(String.valueOf(message.messageId()));
                }
            }
        }
        return ids;
    }
}
