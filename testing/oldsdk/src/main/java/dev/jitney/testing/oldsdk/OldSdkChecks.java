package dev.jitney.testing.oldsdk;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The main class, which runs every check. For each check it prints a line {@code PASS name} or {@code FAIL name}. After
 * FAIL follows the reason up to the line {@code END}.
 */
public final class OldSdkChecks {

    private OldSdkChecks() {}

    /** A check by its name. */
    @FunctionalInterface
    interface NamedCheck {
        void run(OldSdk sdk) throws Exception;
    }

    /** @param args the connection string of the namespace, which has HTTPS on port 443 */
    public static void main(String[] args) {
        Map<String, NamedCheck> checks = new LinkedHashMap<>();
        MessageChecks.addTo(checks);
        SessionChecks.addTo(checks);
        AdministrationChecks.addTo(checks);
        PrintStream out = System.out;
        OldSdk sdk = new OldSdk(args[0]);
        checks.forEach((name, check) -> run(out, name, check, sdk));
        out.flush();
        System.exit(0); // closing takes seconds, and threads of the SDK remain
    }

    private static void run(PrintStream out, String name, NamedCheck check, OldSdk sdk) {
        try {
            check.run(sdk);
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
