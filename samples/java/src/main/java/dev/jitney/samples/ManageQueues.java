package dev.jitney.samples;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.QueueRuntimeProperties;
import java.time.Duration;

/** Creates the queue "lunch", updates it, lists all queues, reads its counters, and deletes it. */
public final class ManageQueues {
    private static final int HTTP_PORT = 5300;

    private ManageQueues() {}

    /**
     * Runs the sample over plain HTTP.
     *
     * @param args {@code https} to use port 443 with TLS instead, the default of this SDK
     */
    public static void main(String[] args) {
        String connectionString = System.getenv()
                .getOrDefault(
                        "SERVICEBUS_CONNECTION_STRING",
                        "Endpoint=sb://localhost;SharedAccessKeyName=RootManageSharedAccessKey;"
                                + "SharedAccessKey=SAS_KEY_VALUE");
        if (args.length > 0 && args[0].equals("https")) {
            run(overHttps(connectionString));
        } else {
            run(overPlainHttp(connectionString, HTTP_PORT));
        }
    }

    /** Returns the unchanged client. It uses HTTPS on port 443, whatever port the connection string names. */
    public static ServiceBusAdministrationClient overHttps(String connectionString) {
        return new ServiceBusAdministrationClientBuilder()
                .connectionString(connectionString)
                .buildClient();
    }

    /** Returns a client for the server's HTTP port. */
    public static ServiceBusAdministrationClient overPlainHttp(String connectionString, int port) {
        return new ServiceBusAdministrationClientBuilder()
                .connectionString(connectionString)
                .addPolicy(new PlainHttpPolicy(port))
                .buildClient();
    }

    /** Runs the sample. */
    public static void run(ServiceBusAdministrationClient admin) {
        QueueProperties lunch =
                admin.createQueue("lunch", new CreateQueueOptions().setLockDuration(Duration.ofSeconds(30)));
        System.out.println("Created: " + lunch.getName() + ", locks for " + lunch.getLockDuration());

        lunch = admin.updateQueue(lunch.setMaxDeliveryCount(3));
        System.out.println("Updated: at most " + lunch.getMaxDeliveryCount() + " deliveries");

        for (QueueProperties queue : admin.listQueues()) {
            System.out.println("Listed: " + queue.getName());
        }

        QueueRuntimeProperties now = admin.getQueueRuntimeProperties("lunch");
        System.out.println("Holds: " + now.getActiveMessageCount() + " active messages, "
                + now.getDeadLetterMessageCount() + " dead letters");

        admin.deleteQueue("lunch");
        System.out.println("Deleted: lunch, exists: " + admin.getQueueExists("lunch"));
    }
}
