package dev.jitney.testing.track1;

import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.primitives.ConnectionStringBuilder;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The main class, which runs every check. For each check it prints a line {@code PASS name} or {@code FAIL name}. After
 * FAIL follows the error up to the line {@code END}.
 *
 * <p>The caller must create the queue {@code track1-counted} with three active messages, a scheduled and a
 * dead-lettered one.
 */
public final class Track1Checks {

    private Track1Checks() {}

    /** @param args the connection string without {@code UseDevelopmentEmulator}, which this SDK does not support */
    public static void main(String[] args) throws Exception {
        Map<String, NamedCheck> checks = new LinkedHashMap<>();
        QueueChecks.addTo(checks);
        TopicChecks.addTo(checks);
        RuleChecks.addTo(checks);
        PublishChecks.addTo(checks, args[0]);
        SessionChecks.addTo(checks, args[0]);
        TransactionChecks.addTo(checks, args[0]);
        ForwardingChecks.addTo(checks, args[0]);
        ErrorChecks.addTo(checks, args[0]);
        PrintStream out = System.out;
        ManagementClient client = new ManagementClient(new ConnectionStringBuilder(args[0]));
        try {
            checks.forEach((name, check) -> run(out, name, check, client));
        } finally {
            client.close();
        }
        out.flush();
        System.exit(0); // threads of the SDK remain
    }

    private static void run(PrintStream out, String name, NamedCheck check, ManagementClient client) {
        try {
            check.run(client);
            out.println("PASS " + name);
        } catch (Exception | AssertionError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            out.println("FAIL " + name);
            out.println(trace);
            out.println("END");
        }
    }
}
