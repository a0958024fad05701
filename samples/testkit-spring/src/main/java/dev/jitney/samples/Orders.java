package dev.jitney.samples;

import com.azure.spring.messaging.servicebus.implementation.core.annotation.ServiceBusListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** Reads orders. An order without a customer fails, and is tried again. */
@Component
public class Orders {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @ServiceBusListener(destination = "orders")
    void read(String order, @Header(name = "customer", required = false) String customer) {
        if (customer == null) {
            throw new IllegalArgumentException("no customer");
        }
        seen.add(customer + ": " + order);
    }

    List<String> seen() {
        return seen;
    }
}
