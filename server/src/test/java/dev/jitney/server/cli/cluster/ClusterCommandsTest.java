package dev.jitney.server.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The commands {@code jitney cluster status} and {@code lead}. */
class ClusterCommandsTest {
    private static final String STATE = """
            {"id":"7f3a",%s"term":5,"leader":%s,"more":[1],"reasons":["Node c is away."],"members":[
            {"name":"a","address":"127.0.0.1:7400","role":"leader","release":"0.3.0","index":1234,"lagEntries":0,
            "lastContactMs":0,"state":"in sync"},
            {"name":"b","address":"127.0.0.1:7500","role":"follower","release":"0.3.0","index":1230,"lagEntries":4,
            "lastContactMs":1500,"clockOffsetMs":-2140,"freeBytes":81234567890,"doing":"It receives a checkpoint, 7 %% of it.",
            "state":"catching up \\u001b[2J"},
            {"name":"c","address":"127.0.0.1:7600","state":"away","index":-1,"lagEntries":9,"lastContactMs":-1}],
            "joining":[{"name":"d","doing":"It has not answered yet."}]}
            """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer node;
    private volatile String leader = "\"a\"";
    private volatile String state = STATE;
    private volatile int leadStatus = 202;
    /** The number of orders to lead that come too late for the node. */
    private volatile int lateOrders;

    private volatile int orderStatus = 200;

    /** The number of orders to add a node before it is a member itself. */
    private volatile int additions;

    /** The number of orders to add a node before the leader knows that the node before has ended. */
    private volatile int endings;

    private volatile String levels = "";
    private final Queue<String> verifications = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws IOException {
        node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/cluster", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            answer(exchange, 200, state.formatted(levels, leader));
        });
        node.createContext("/cluster/lead", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            int status = lateOrders > 0 ? 503 : leadStatus;
            lateOrders--;
            if (status == 202) {
                leader = "\"b\"";
            }
            answer(exchange, status, "the reason");
        });
        for (String order : List.of("add", "remove", "apply")) {
            node.createContext("/cluster/" + order, exchange -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
                if (order.equals("add") && orderStatus == 200) {
                    if (endings-- > 0) {
                        answer(
                                exchange,
                                503,
                                "Expected that node 'a' is away, but a node of this name takes part. Check --cluster-node.");
                        return;
                    }
                    boolean begins = additions-- > 0;
                    answer(exchange, begins ? 202 : 200, begins ? "The leader adds the node." : "");
                    return;
                }
                answer(exchange, orderStatus, orderStatus == 200 ? "Namespace ns1: 1 entities created." : "the reason");
            });
        }
        node.createContext("/cluster/upgrade", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            switch (orderStatus) {
                case 200 -> answer(exchange, 200, "The cluster had level 1 and has level 2 now.");
                case 503 -> answer(exchange, 503, "Node c does not answer. Start it.");
                case 404 -> answer(exchange, 404, "There is no such page.");
                default -> {
                    levels = "\"level\":" + (orderStatus == 1 ? 2 : 1) + ",";
                    exchange.close(); // as a process that ends
                }
            }
        });
        node.createContext("/cluster/verify", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            String state = verifications.poll();
            answer(exchange, state == null ? 503 : 200, state == null ? "Node a does not lead." : state);
        });
        node.start();
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @AfterEach
    void stop() {
        node.stop(0);
    }

    @Test
    @DisplayName("CL-56: without a leader, status shows where the log of each node ends, the one with most first")
    void endsOfLogs() throws IOException {
        leader = "null";
        levels = "\"node\":\"a\",\"lastTerm\":4,\"lastIndex\":1300,";
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext(
                "/cluster",
                exchange -> answer(
                        exchange, 200, STATE.formatted("\"node\":\"b\",\"lastTerm\":5,\"lastIndex\":1234,", leader)));
        other.start();
        try {
            assertThat(run(
                            "status",
                            "--node",
                            here() + ",127.0.0.1:" + other.getAddress().getPort()))
                    .isEqualTo(1);
        } finally {
            other.stop(0);
        }
        assertThat(printed(out))
                .endsWith("The log of node b ends with entry 1234 of term 5.\n"
                        + "The log of node a ends with entry 1300 of term 4.\n");
    }

    @Test
    @DisplayName("CL-81: status shows the leader and every member in aligned columns, without control characters")
    void status() {
        assertThat(run("status", "--node", here())).isZero();
        assertThat(printed(out)).isEqualTo("""
                Cluster 7f3a, leader a, term 5
                NODE  ROLE      STATE                  INDEX  LAG  CONTACT  CLOCK   FREE     RELEASE  ADDRESS
                a     leader    in sync                1234   0    0 ms     -       -        0.3.0    127.0.0.1:7400
                b     follower  catching up \\u001b[2J  1230   4    1.5 s    -2.1 s  81.2 GB  0.3.0    127.0.0.1:7500
                c     -         away                   -      -    -        -       -        -        127.0.0.1:7600
                b: It receives a checkpoint, 7 % of it.
                Node d is being added. It has not answered yet.
                Node c is away.
                """);
    }

    @Test
    @DisplayName("CL-81: status --json prints the answer of the node on one line")
    void json() {
        assertThat(run("status", "--json", "--node", here())).isZero();
        assertThat(printed(out))
                .startsWith("{\"id\":\"7f3a\",\"term\":5,\"leader\":\"a\",\"more\":[1],\"reasons\":")
                .endsWith("}]}\n")
                .hasLineCount(1);
    }

    @Test
    @DisplayName("CL-81: status tries the node ports in --cluster-nodes in turn, until a node answers")
    void asksAll() throws IOException {
        try (Socket bound = new Socket()) { // a port without a listener, which no other program can use
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int nobody = bound.getLocalPort();
            String nodes = "a=127.0.0.1:1:" + nobody + ",b=127.0.0.1:" + (port() - 1);
            assertThat(run("status", "--cluster-nodes", nodes)).isZero();
            assertThat(printed(out)).startsWith("Cluster 7f3a");

            assertThat(run("status", "--node", "127.0.0.1:" + nobody)).isEqualTo(1);
            assertThat(printed(err)).contains("No node answered. 127.0.0.1:" + nobody + ": connection refused");
        }
    }

    @Test
    @DisplayName("CL-81: status without a leader ends with 1, and so does something that is no node port")
    void noLeader() {
        leader = "null";
        assertThat(run("status", "--node", here())).isEqualTo(1);
        assertThat(printed(out)).startsWith("Cluster 7f3a, without a leader\n");

        leader = "\"a\"}"; // broken JSON
        assertThat(run("status", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("Is it a node port?");
    }

    @Test
    @DisplayName("CL-17: lead moves the leadership and waits until the node leads")
    void lead() {
        assertThat(run("lead", "b", "--node", here())).isZero();
        assertThat(asked).contains("POST /cluster/lead?node=b");
        assertThat(printed(out)).startsWith("Node b leads now (term 5), after ");
        asked.clear();
        assertThat(run("lead", "b", "--node", here())).isZero();
        assertThat(asked).containsExactly("GET /cluster");
        assertThat(printed(out)).endsWith("Node b leads already (term 5).\n");
    }

    @Test
    @DisplayName(
            "CL-17: lead gives the order up to three times to a node that is in sync and does not become the leader in time")
    void leadLate() {
        lateOrders = 2;
        assertThat(run("lead", "b", "--node", here()))
                .as("of a node that is catching up")
                .isEqualTo(1);
        assertThat(asked).containsOnlyOnce("POST /cluster/lead?node=b");

        state = STATE.replace("catching up \\u001b[2J", "in sync");
        lateOrders = 2;
        assertThat(run("lead", "b", "--node", here())).isZero();
        assertThat(printed(out)).startsWith("Node b leads now (term 5), after ");

        leader = "\"a\"";
        lateOrders = 3;
        assertThat(run("lead", "b", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).endsWith("The leadership was not moved. " + here() + " answered 503: the reason.\n");
    }

    @Test
    @DisplayName("CL-17: lead refuses an unknown node, and reports the reason of the leader for refusing")
    void leadRefused() {
        assertThat(run("lead", "x", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("There is no node 'x'.");
        leadStatus = 409;
        assertThat(run("lead", "b", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("The leadership was not moved. " + here() + " answered 409: the reason.");
    }

    @Test
    @DisplayName(
            "CL-55, CL-84: add gives the order to the leader, waits until the node is in sync, and reports a refusal")
    void add() {
        assertThat(run("add", "a=127.0.0.1:7400", "--node", here())).isZero();
        assertThat(asked).contains("POST /cluster/add?node=a%3D127.0.0.1%3A7400 ");
        assertThat(printed(out)).contains("Node a is a member of the cluster and in sync. The cluster has 3 members.");
        assertThat(asked.stream().filter(request -> request.contains("add"))).hasSize(1);
        additions = 3; // it takes the place of a member, which is still shown as in sync
        endings = 2;
        assertThat(run("add", "a=127.0.0.1:7400", "--node", here())).isZero();
        assertThat(asked.stream().filter(request -> request.contains("add"))).hasSize(7);
        assertThat(run("add", "d=127.0.0.1:7600", "--no-wait", "--node", here()))
                .isZero();
        assertThat(printed(out)).contains("The leader adds node d.");
        orderStatus = 503;
        assertThat(run("add", "d=127.0.0.1:7600", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("The node was not added. " + here() + " answered 503: the reason");
        assertThat(run("add", "127.0.0.1:7600", "--node", here())).isEqualTo(2);
        assertThat(printed(err)).contains("Expected NAME=HOST:PORT");
    }

    @Test
    @DisplayName(
            "CL-55, CL-84: remove gives the order to the leader, and refuses an unknown node and a leader without a successor")
    void remove() {
        assertThat(run("remove", "c", "--node", here())).isZero();
        assertThat(asked).contains("POST /cluster/remove?node=c ");
        assertThat(printed(out)).contains("Node c is no member of the cluster any more.");
        assertThat(run("remove", "d", "--node", here())).isZero();
        assertThat(asked).contains("POST /cluster/remove?node=d ");
        assertThat(printed(out)).contains("Node d is not added to the cluster any more.");
        assertThat(run("remove", "x", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("There is no node 'x'.");
        assertThat(run("remove", "a", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("Node a leads, and no other node is in sync.");
        orderStatus = 503;
        assertThat(run("remove", "c", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("The node was not removed. " + here() + " answered 503: the reason");
    }

    @Test
    @DisplayName("CL-32, CL-84: apply sends a file to the leader and shows the changes, or why it was refused")
    void apply(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("config.json"), "{}");
        assertThat(run("apply", file.toString(), "--node", here())).isZero();
        assertThat(asked).contains("POST /cluster/apply {}");
        assertThat(printed(out)).isEqualTo("Namespace ns1: 1 entities created.\n");
        orderStatus = 503;
        assertThat(run("apply", file.toString(), "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("config.json was not applied. " + here() + " answered 503: the reason");
        assertThat(run("apply", directory.resolve("none").toString(), "--node", here()))
                .isEqualTo(1);
        assertThat(printed(err)).contains("Cannot read the file");
    }

    @Test
    @DisplayName("CL-61, CL-81: status shows the level, and that all nodes support a higher one")
    void level() {
        levels = "\"level\":1,\"nextLevel\":2,";
        assertThat(run("status", "--node", here())).isZero();
        assertThat(printed(out))
                .startsWith("Cluster 7f3a, leader a, term 5, level 1\n")
                .endsWith(
                        "All nodes support level 2. Run 'jitney cluster upgrade' when no node needs to go back to the former"
                                + " release.\n");
    }

    @Test
    @DisplayName(
            "CL-61, CL-84: upgrade gives the order to the leader, shows the level before and after, or the refusal")
    void upgrade() {
        assertThat(run("upgrade", "--node", here())).isZero();
        assertThat(asked).contains("POST /cluster/upgrade");
        assertThat(printed(out)).isEqualTo("The cluster had level 1 and has level 2 now.\n");

        orderStatus = 503;
        assertThat(run("upgrade", "--node", here())).isEqualTo(1);
        assertThat(printed(err))
                .isEqualTo("jitney: The level of the cluster was not raised. " + here()
                        + " answered 503: Node c does not answer. Start it.\n");
        orderStatus = 404;
        assertThat(run("upgrade", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("The leader runs a release without this command. Upgrade all nodes first.");
    }

    @Test
    @DisplayName("CL-61: upgrade finds out whether the level was raised if the leader ends before its answer")
    void upgradeWithoutAnswer() {
        levels = "\"level\":1,";
        orderStatus = 1;
        assertThat(run("upgrade", "--node", here())).isZero();
        assertThat(printed(out))
                .isEqualTo("The cluster had level 1 and has level 2 now. The leader has changed meanwhile.\n");
    }

    private static String verification(String state, boolean equal, String nodes, String differences) {
        return "{\"id\":\"1\",\"state\":\"" + state + "\",\"equal\":" + equal
                + ",\"index\":77,\"seconds\":1.25,\"reason\":\"\",\"nodes\":[" + nodes + "],\"differences\":["
                + differences + "]}";
    }

    private static String compared(String name) {
        return "{\"name\":\"" + name + "\",\"state\":\"compared\",\"rows\":12,\"bytes\":2097152,\"reason\":\"\"}";
    }

    @Test
    @DisplayName("CL-85: verify begins a comparison, waits for its end, and ends with 0 if all nodes are equal")
    void verify() {
        verifications.add(verification("running", false, compared("a"), ""));
        verifications.add(verification("running", false, compared("a"), ""));
        verifications.add(verification("done", true, compared("a") + "," + compared("b"), ""));
        assertThat(run("verify", "--node", here())).isZero();
        assertThat(asked).contains("POST /cluster/verify", "GET /cluster/verify");
        assertThat(printed(out)).isEqualTo("""
                Compared the nodes at entry 77, in 1.3 s
                NODE  STATE     ROWS  SIZE     REASON
                a     compared  12    2.0 MiB
                b     compared  12    2.0 MiB
                All nodes are equal.
                """);
    }

    @Test
    @DisplayName("CL-85: verify ends with 1 and names node, store and table of a difference, and a node that is away")
    void verifyDifferent() {
        String away = "{\"name\":\"b\",\"state\":\"away\",\"rows\":0,\"bytes\":0,\"reason\":\"no answer\"}";
        verifications.add(verification(
                "done",
                false,
                compared("a") + "," + away,
                "{\"node\":\"a\",\"store\":1,\"table\":\"RULES\",\"rows\":3,\"rowsExpected\":3}"));
        assertThat(run("verify", "--node", here())).isEqualTo(1);
        assertThat(printed(out))
                .contains("b     away      0     0.0 MiB  no answer\n")
                .endsWith("Node a differs in store 1, table RULES: other content in 3 rows.\n");
        verifications.add(verification("done", false, compared("a") + "," + away, ""));
        assertThat(run("verify", "--node", here())).isEqualTo(1);
        assertThat(printed(out)).endsWith("Not compared: b. Start them, and run this command again.\n");
        assertThat(run("verify", "--node", here())).isEqualTo(1);
        assertThat(printed(err)).contains("The nodes cannot be compared. " + here() + " answered 503: Node a does");
    }

    @ParameterizedTest
    @DisplayName("CL-84: invalid options end with status 2 and name the option")
    @ValueSource(
            strings = {
                "status --node localhost",
                "status --node localhost:0",
                "status --node localhost:70000",
                "status --node a/b:7401",
                "status --cluster-nodes localhost:7400",
                "status --cluster-nodes a=localhost:65535",
                "status --timeout 0",
                "try --seconds 9"
            })
    void badOptions(String arguments) {
        String[] words = arguments.split(" ");
        assertThat(run(words)).isEqualTo(2);
        assertThat(printed(err)).contains(words[1]).contains("Expected ");
    }

    private int port() {
        return node.getAddress().getPort();
    }

    private String here() {
        return "127.0.0.1:" + port();
    }

    private int run(String... arguments) {
        CommandLine commands = ClusterCommands.cluster(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                () -> new String[] {"test"},
                () -> {});
        return commands.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .execute(arguments);
    }

    private static String printed(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
