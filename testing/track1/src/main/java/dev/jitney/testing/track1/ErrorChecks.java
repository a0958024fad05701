package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.fails;

import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.management.QueueDescription;
import com.microsoft.azure.servicebus.primitives.AuthorizationFailedException;
import com.microsoft.azure.servicebus.primitives.ConnectionStringBuilder;
import com.microsoft.azure.servicebus.primitives.ServiceBusException;
import java.time.Duration;
import java.util.Map;

/** Checks of the SDK's errors for rejections (HTTP 2.11). */
final class ErrorChecks {

    private ErrorChecks() {}

    static void addTo(Map<String, NamedCheck> checks, String connectionString) {
        checks.put("HTTP 2.11: 401 for a wrong key", client -> wrongKey(connectionString));
        checks.put("HTTP 2.11: 400 for values out of range", ErrorChecks::ranges);
    }

    /** Checks that a call fails with status 400. */
    static void refused(String detail, Check.Call call) throws Exception {
        try {
            call.run();
        } catch (ServiceBusException e) {
            if (e.getClass() == ServiceBusException.class
                    && !e.getIsTransient()
                    && e.getCause() instanceof IllegalArgumentException
                    && e.toString().concat(String.valueOf(e.getCause())).contains(detail)) {
                return;
            }
            throw new AssertionError("Expected a rejection with '" + detail + "', but got another one.", e);
        }
        throw new AssertionError("Expected a rejection with '" + detail + "', but the call succeeded.");
    }

    private static void wrongKey(String connectionString) throws Exception {
        ConnectionStringBuilder wrong =
                new ConnectionStringBuilder(connectionString.replaceAll("SharedAccessKey=[^;]*", "SharedAccessKey=no"));
        ManagementClient client = new ManagementClient(wrong);
        try {
            fails(AuthorizationFailedException.class, false, "", client::getNamespaceInfo);
            fails(AuthorizationFailedException.class, false, "", () -> client.createQueue("t1-refused"));
        } finally {
            client.close();
        }
    }

    private static void ranges(ManagementClient client) throws Exception {
        QueueDescription longLock = new QueueDescription("t1-long-lock");
        longLock.setLockDuration(Duration.ofSeconds(4));
        refused("SubCode=40000.", () -> client.createQueue(longLock));
        QueueDescription oddSize = new QueueDescription("t1-odd-size");
        oddSize.setMaxSizeInMB(1500);
        refused("SubCode=40000.", () -> client.createQueue(oddSize));
    }
}
