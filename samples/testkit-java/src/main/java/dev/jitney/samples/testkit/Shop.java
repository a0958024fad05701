package dev.jitney.samples.testkit;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusErrorContext;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessageContext;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The application that the tests are about: it receives orders from the queue "orders", and sends each drink to the topic "drinks".
 * An order without a customer fails. For a gift it also schedules a reminder, for an hour later.
 */
public final class Shop implements AutoCloseable {
    private final Clock clock;
    private final ServiceBusSenderClient drinks;
    private final ServiceBusSenderClient reminders;
    private final ServiceBusProcessorClient orders;
    private final Set<String> customers = ConcurrentHashMap.newKeySet();

    public Shop(String connectionString, Clock clock) {
        this.clock = clock;
        ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(connectionString);
        drinks = client.sender().topicName("drinks").buildClient();
        reminders = client.sender().queueName("reminders").buildClient();
        orders = client.processor()
                .queueName("orders")
                .maxConcurrentCalls(1)
                .processMessage(this::process)
                .processError(Shop::log)
                .buildProcessorClient();
        orders.start();
    }

    /** Returns the customers whose orders were processed. */
    public Set<String> customers() {
        return customers;
    }

    private void process(ServiceBusReceivedMessageContext context) {
        Object customer = context.getMessage().getApplicationProperties().get("customer");
        if (customer == null) {
            throw new IllegalArgumentException("This order has no customer.");
        }
        ServiceBusMessage drink = new ServiceBusMessage(context.getMessage().getBody());
        drink.getApplicationProperties().put("cups", context.getMessage().getApplicationProperties().get("cups"));
        drinks.sendMessage(drink);
        if ("gift".equals(context.getMessage().getSubject())) {
            OffsetDateTime inAnHour = clock.instant().plus(Duration.ofHours(1)).atOffset(ZoneOffset.UTC);
            reminders.scheduleMessage(new ServiceBusMessage("Thank " + customer), inAnHour);
        }
        customers.add(customer.toString());
    }

    private static void log(ServiceBusErrorContext context) {
        System.err.println("The shop: " + context.getException().getMessage());
    }

    @Override
    public void close() {
        orders.close();
        drinks.close();
        reminders.close();
    }
}
