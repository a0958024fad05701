package dev.jitney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.Run.Result;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that need no server: help and invalid options. */
class CommandLineTest {

    @Test
    @DisplayName("Without arguments, and with --help, every command is listed, including those of the server")
    void help() {
        Result result = Commands.anywhere().ok();
        assertThat(result.out())
                .contains(
                        "server",
                        "health",
                        "doctor",
                        "cluster",
                        "backup",
                        "bench",
                        "queue",
                        "topic",
                        "subscription",
                        "rule",
                        "list",
                        "top",
                        "send",
                        "receive",
                        "peek",
                        "dlq",
                        "message",
                        "job",
                        "access",
                        "audit",
                        "session",
                        "explain",
                        "cancel",
                        "purge",
                        "export",
                        "import",
                        "syphon",
                        "tls",
                        "Exit status:");
        assertThat(Commands.anywhere().ok("--help").out()).isEqualTo(result.out());
        assertThat(Commands.anywhere().ok("--version").out())
                .startsWith("jitney ")
                .doesNotContain("unknown", "$");
    }

    @ParameterizedTest
    @DisplayName("Every command prints the version")
    @ValueSource(strings = {"queue", "queue create", "rule list", "send", "receive", "dlq", "dlq purge", "store stop"})
    void everyCommandTellsTheVersion(String command) {
        assertThat(Commands.anywhere().ok((command + " --version").split(" ")).out())
                .isEqualTo(Commands.anywhere().ok("--version").out());
    }

    @ParameterizedTest
    @DisplayName("The help of every command has the connection options and an example")
    @ValueSource(
            strings = {
                "queue create",
                "queue update",
                "queue list",
                "topic create",
                "topic show",
                "subscription create",
                "subscription delete",
                "rule create",
                "rule update",
                "send",
                "receive",
                "list",
                "top",
                "peek",
                "cancel",
                "dlq list",
                "dlq groups",
                "dlq note",
                "dlq resubmit",
                "dlq purge",
                "job list",
                "job show",
                "job pause",
                "job resume",
                "job cancel",
                "message list",
                "message show",
                "message edit",
                "message delete",
                "message dead-letter",
                "message resubmit",
                "message move",
                "message copy",
                "message deliver-now",
                "message reschedule",
                "message unlock",
                "access list",
                "access create",
                "access rotate",
                "access revoke",
                "audit",
                "session list",
                "session show",
                "session state",
                "session clear",
                "session unlock",
                "session resubmit",
                "explain",
                "purge",
                "export",
                "import"
            })
    void explains(String command) {
        String help = Commands.anywhere().ok((command + " --help").split(" ")).out();
        assertThat(help)
                .contains("Usage: jitney " + command, "--connection-string", "--verbose")
                .doesNotContain("SAS_KEY_VALUE", "null");
    }

    @ParameterizedTest
    @DisplayName("Invalid options end with status 2 and one line with the error and the fix")
    @CsvSource(
            delimiter = '|',
            value = {
                "queu|There is no command 'jitney queu'|Did you mean queue?",
                "queue|Expected a command after 'jitney queue': create|See: jitney queue --help",
                "queue creat q|There is no command 'jitney queue creat'|Did you mean create",
                "dlq eat q|There is no command 'jitney dlq eat'|list, purge, resubmit, groups",
                "peek q --conection-string=k3y|There is no option '--conection-string'.|Did you mean"
                        + " --connection-string?",
                "peek q --maxx 3|There is no option '--maxx'|Did you mean --max?",
                "peek q more words|Expected no more arguments|'more', 'words'",
                "peek q --max|--max: Expected a value (N)|See: jitney peek --help",
                "peek q --max --all|--max: Expected a value (N)|'--all'",
                "peek q --max abc|--max: Expected a whole number|'abc'",
                "peek q --max 99999999999|--max: Expected a whole number from|to 2147483647",
                "peek q --max 1 --max 2|--max: Expected this option once|more than once",
                "import - --map a|--map: Expected ENTITY=ENTITY|'a'",
                "peek q/dlq --transfer-dlq|--transfer-dlq|Use only one of them",
                "peek q --dlq --transfer-dlq|--dlq and --transfer-dlq|one of them",
                "peek q/|which ends with '/'|Write q/dlq",
                "send q/dlq x|Expected a queue or topic to send to|q/$DeadLetterQueue",
                "explain q/dlq|Expected a queue or topic|q/$DeadLetterQueue",
                "explain q x --file y|Expected one body|--file",
                "explain q --from q/dlq|--from: Expected --message N too|sequence number",
                "cancel q|--sequence-number: Expected sequence numbers or --all|jitney peek q",
                "cancel q --all --sequence-number 1|--sequence-number|both",
                "cancel q --sequence-number 1,x|--sequence-number: Expected a whole number|'x'",
                "cancel q --sequence-number 0|--sequence-number|from 1",
                "top --sort size|--sort: Expected one of active|'size'",
                "top --interval 1ms|--interval|from 100ms",
                "top --max 0|--max|from 1",
                "list --output xml|--output|table or json",
                "queue create|QUEUE|See: jitney queue create --help",
                "queue create orders --lock-duration soon|--lock-duration: Expected a duration such as 30s|'soon'",
                "queue create orders --requires-session=maybe|'maybe'|See: jitney queue create --help",
                "queue create orders --max-delivery-count many|--max-delivery-count: Expected a whole number|'many'",
                "queue create orders --status Sleeping|--status: Expected one of Active, Disabled|'Sleeping'",
                "queue update orders|Expected at least one property|jitney queue update --help",
                "queue update orders --requires-session|--requires-session|See: jitney queue update --help",
                "rule create t s r --sql a=1 --match-all|Expected one filter|--match-none",
                "rule create t s r --parameter @a=1|--parameter|Add --sql",
                "rule update t s r|Expected at least one of --sql|--action",
                "send|ENTITY|See: jitney send --help",
                "send t/subscriptions/s x|Expected a queue or topic to send to|t/subscriptions/s",
                "send q x --property n|--property|NAME=TEXT",
                "send q x --property n:int=x|n:int|Expected a value of type int",
                "send q x --lines|BODY|Use the argument",
                "send q x --count 0|--count|from 1",
                "send q --file /none|--file /none|does not exist",
                "receive q --mode grab|--mode|peek-lock or receive-and-delete",
                "receive q --settle eat|--settle|dead-letter",
                "receive q --reason x|--reason|--settle dead-letter",
                "receive q --wait long|--wait|'long'",
                "receive q --all --settle abandon|--all|Use --max",
                "peek t/subscriptions/|Expected an entity|t/subscriptions/",
                "dlq resubmit t/subscriptions/s|--to|every subscription",
                "dlq resubmit q --max 0|--max|from 1",
                "dlq resubmit q --where a=1 --to p|--to|jitney message move",
                "dlq resubmit q --where a=1 --max 0|--max|from 1",
                "dlq resubmit q --job --max 3|--job|without --max",
                "dlq resubmit q --canary 5|--job|for jobs",
                "purge q|--yes|'q'",
                "message|Expected a command after 'jitney message': list|See: jitney message --help",
                "message list q --state asleep|--state: Expected some of active|'asleep'",
                "message list q --max 0|--max|from 1",
                "audit --max 0|--max|from 1",
                "audit --before 0|--before|from 1",
                "audit --since soon|--since: Expected a duration such as 10m|'soon'",
                "audit --result lost|--result: Expected some of done|'lost'",
                "audit orders|Expected no more arguments|'orders'",
                "message show q|N: Expected a value|See: jitney message show --help",
                "message delete q|N: Expected sequence numbers, --where or --all|none",
                "message delete q 1 --all|N: Expected sequence numbers, --where or --all|several",
                "message delete q --all --where a=1|N: Expected sequence numbers, --where or --all|several",
                "message delete q 1 --max 3|--max or --state|--where",
                "message delete q x|N|Expected a whole number",
                "message delete q --all|--yes|'q'",
                "message move q 1|--to: Expected this option|missing",
                "message move q 1 --to a/dlq|--to: Expected a queue or topic|a/dlq",
                "message reschedule q 1 --at soon|--at: Expected a duration such as 10m|'soon'",
                "message edit q 1|Expected at least one change|--set",
                "message edit q 1 --set a=1 --remove a|--remove|'a'",
                "message edit q 1 --body x --body-file y|--body and --body-file|one of them",
                "message edit q 1 --set n:int=x|n:int|Expected a value of type int",
                "session|Expected a command after 'jitney session': list|See: jitney session --help",
                "session list q --max 0|--max|from 1",
                "session state q|SESSION: Expected a value|See: jitney session state --help",
                "session clear q s|--yes|session 's'",
                "session resubmit q s --max 0|--max|from 1",
                "export q/dlq|ENTITY|got 'q/dlq'",
                "export --entities --messages|--entities and --messages|one of them",
                "import /none|FILE /none|does not exist",
                "import - --dead-letters burn|--dead-letters|skip or resubmit",
                "import - --map a=b/subscriptions/c|--map|queue or topic",
                "syphon --secondary @S|--primary|JITNEY_PRIMARY",
                "syphon --primary @P|--secondary|JITNEY_SECONDARY",
                "syphon --primary x --secondary @S|--primary|Put quotes",
                "syphon --primary @P --secondary @P|--secondary|another namespace than --primary",
                "syphon --primary @P --secondary @S --backlog-queue-count 0|--backlog-queue-count|1 to 10000",
                "syphon --primary @P --secondary @S --retry-interval soon|--retry-interval|'soon'",
                "syphon --primary @P --secondary @S --retry-interval 1h|--retry-interval|PT2M",
                "syphon --primary @P --secondary @S --read-timeout 0s|--read-timeout|PT1S",
                "syphon --primary @P --secondary @S --classifier guess|--classifier|seed or legacy",
                "syphon --primary @P --secondary @S --namespace-name a/b|--namespace-name|'a/b'",
                "peek q --output xml|--output|table or json",
                "peek q --transport pigeon|--transport|websockets",
                "queue list --admin-url here|--admin-url|http://localhost:5300",
                "peek q --ca /none|--ca /none|cannot be read",
                "peek q -c Endpoint|connection string|Put quotes",
                "server|server|launcher",
            })
    void refuses(String arguments, String what, String fix) {
        Result result = Commands.anywhere()
                .with(
                        "JITNEY_CONNECTION_STRING",
                        "Endpoint=sb://localhost:1;SharedAccessKeyName=n;SharedAccessKey=k"
                                + ";UseDevelopmentEmulator=true")
                .run(arguments
                        .replace("@P", namespace("p"))
                        .replace("@S", namespace("s"))
                        .split(" "));
        assertThat(result.errors())
                .singleElement()
                .asString()
                .startsWith("jitney: ")
                .contains(what, fix);
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    private static String namespace(String host) {
        return "Endpoint=sb://" + host + ";SharedAccessKeyName=n;SharedAccessKey=k";
    }

    @Test
    @DisplayName("The help of the syphon has its environment variables and an example")
    void explainsSyphon() {
        assertThat(Commands.anywhere().ok("syphon", "tls", "--help").out())
                .contains("Usage: jitney syphon", "JITNEY_PRIMARY", "JITNEY_SECONDARY", "--verbose", "Examples:")
                .doesNotContain("null");
    }

    @Test
    @DisplayName("Options come from environment variables; the command line overrides them;"
            + " SERVICEBUS_CONNECTION_STRING comes last")
    void variables() {
        String first = "Endpoint=sb://localhost:1;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true";
        String second = "Endpoint=sb://localhost:2;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true";
        assertThat(Commands.anywhere()
                        .with("SERVICEBUS_CONNECTION_STRING", second)
                        .run("peek", "q")
                        .err())
                .contains("amqp://localhost:2:");
        assertThat(Commands.anywhere()
                        .with("SERVICEBUS_CONNECTION_STRING", second)
                        .with("JITNEY_CONNECTION_STRING", first)
                        .run("peek", "q")
                        .err())
                .contains("amqp://localhost:1:");
        assertThat(Commands.anywhere()
                        .with("JITNEY_CONNECTION_STRING", first)
                        .run("peek", "q", "-c", second)
                        .err())
                .contains("amqp://localhost:2:");
        assertThat(Commands.anywhere()
                        .with("JITNEY_OUTPUT", "xml")
                        .run("peek", "q")
                        .err())
                .contains("--output: Expected table or json");
        assertThat(Commands.anywhere()
                        .with("JITNEY_CONNECTION_STRING", first)
                        .with("JITNEY_ADMIN_URL", "http://localhost:1")
                        .run("queue", "list")
                        .err())
                .contains("Cannot reach http://localhost:1: connection refused", "--admin-url");
    }
}
