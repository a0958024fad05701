package dev.jitney.conformance.clients;

import dev.jitney.conformance.clients.ClientResults.Line;
import dev.jitney.conformance.clients.ClientResults.Outcome;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The page {@code docs/reference/clients.md} for the results of a run. */
final class ClientsPage {
    static final String RENEW = "mvn -pl testing/conformance -am test -Djitney.reference.renew=true";

    private final Map<Client, Map<Feature, Outcome>> outcomes = new EnumMap<>(Client.class);

    ClientsPage(List<Line> results) {
        for (Line line : results) {
            Map<Feature, Outcome> features =
                    outcomes.computeIfAbsent(line.client(), client -> new EnumMap<>(Feature.class));
            for (Feature feature : Feature.citedBy(line.name())) {
                features.merge(feature, line.outcome(), (a, b) -> a.compareTo(b) > 0 ? a : b);
            }
        }
    }

    String text() {
        StringBuilder page = new StringBuilder(
                        "# Clients\n\n<!-- Generated from the results of the conformance tests by"
                                + " ClientsPageCheck; renew it with: ")
                .append(RENEW)
                .append(" -->\n")
                .append("""

                ## Which clients work

                Each *yes* stands for tests that ran the client against the server and passed. The names of these tests cite the
                requirements of the feature. A cell is empty if no test of that client is about the feature: some clients lack the
                feature, as the JavaScript SDK has no transactions.

                """);
        table(page, Client::runs, "yes");
        page.append("""

                The libraries are:\s""")
                .append(clients(Client::runs).stream()
                        .map(client -> client.title() + ": `" + client.library() + "`")
                        .collect(Collectors.joining("; ")))
                .append(".\n")
                .append("""

                ## Clients whose requests are replayed

                These clients do not run in the build. *Replayed* stands for tests that send the requests of the client as it does,
                and that check in the answers everything the client reads.

                """);
        table(page, client -> !client.runs(), "replayed");
        page.append("""

                ## One address

                By default every port of the server serves messages, administration over HTTP, HTTP messaging and AMQP over
                WebSocket, and with `--tls` all of that inside TLS as well. The connection string that the server prints,
                `Endpoint=sb://localhost:5672;...;UseDevelopmentEmulator=true;`, then does the following.

                | Client | Messages | Administration | Requirements of administration |
                |---|---|---|---|
                | Java 7.17.1 and later | yes | no | the client dials `https://HOST:443`: a policy that sends requests to `http://HOST:5672`, or `--port 443` and `--tls` |
                | Java before 7.17.1, track 1 | no | no | a connection string without `UseDevelopmentEmulator`, and `--port 5671,443` with `--tls` |
                | JavaScript 7.9.5 | yes | with `--tls` | the client dials `https://HOST:5672`; Node has to trust the certificate (`NODE_EXTRA_CA_CERTS`) |
                | JavaScript 7.10.0-beta.2 | yes | yes | |
                | .NET 7.20.1 and later | yes | yes | |
                | .NET before 7.20.1 | yes | no | the client dials port 80 or 443 |
                | Python 7.8.2 | no | with `--tls` | messages need a connection string without `UseDevelopmentEmulator` and `--port 5671` with `--tls` |
                | Go | yes | with `--tls` | the client dials `https://HOST:5672` |

                Tests run the rows of Java 7.17.20 and of JavaScript 7.9.5 against one port; the others follow from the sources of the clients.
                """);
        page.append("\n## Known limits\n");
        for (Client client : Client.values()) {
            if (!client.limits().isEmpty()) {
                page.append("\n### ").append(client.title()).append("\n\n");
                client.limits().forEach(limit -> page.append("- ").append(limit).append('\n'));
            }
        }
        return page.toString();
    }

    private void table(StringBuilder page, Predicate<Client> which, String passed) {
        List<Client> clients = clients(which);
        page.append("| Feature |");
        clients.forEach(client -> page.append(' ').append(client.title()).append(" |"));
        page.append("\n|---|").append("---|".repeat(clients.size())).append('\n');
        for (Feature feature : Feature.values()) {
            if (clients.stream()
                    .noneMatch(client -> cell(client, feature, passed).length() > 0)) {
                continue;
            }
            page.append("| ").append(feature.title()).append(" |");
            for (Client client : clients) {
                String cell = cell(client, feature, passed);
                page.append(cell.isEmpty() ? " |" : " " + cell + " |");
            }
            page.append('\n');
        }
    }

    private String cell(Client client, Feature feature, String passed) {
        Outcome outcome = outcomes.getOrDefault(client, Map.of()).get(feature);
        if (outcome == null) {
            return "";
        }
        return switch (outcome) {
            case PASSED -> passed;
            case SKIPPED -> "skipped";
            case FAILED -> "fails";
        };
    }

    private static List<Client> clients(Predicate<Client> which) {
        return Arrays.stream(Client.values()).filter(which).toList();
    }
}
