package dev.jitney.cli.top;

import dev.jitney.cli.output.Failure;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The columns to sort entities by: the largest first, equal ones by path. */
enum Order {
    ACTIVE(EntityLoad::active),
    IN(load -> orZero(load.incomingRate())),
    OUT(load -> orZero(load.outgoingRate())),
    OLDEST(load -> orZero(load.oldestSeconds())),
    DEAD(EntityLoad::deadLetter),
    SCHEDULED(EntityLoad::scheduled),
    RECEIVERS(load -> load.receivers() == null ? 0 : load.receivers()),
    PATH(load -> 0);

    private final ToDoubleFunction<EntityLoad> value;

    Order(ToDoubleFunction<EntityLoad> value) {
        this.value = value;
    }

    /** Parses the value of {@code --sort}. */
    static Order parse(String text) {
        for (Order order : values()) {
            if (order.word().equals(text.toLowerCase(Locale.ROOT))) {
                return order;
            }
        }
        String words = Arrays.stream(values()).map(Order::word).collect(Collectors.joining(", "));
        throw Failure.badOption("--sort: Expected one of " + words + ", but got '" + text + "'.");
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    Order next() {
        return values()[(ordinal() + 1) % values().length];
    }

    Comparator<EntityLoad> comparator() {
        return Comparator.comparingDouble(value)
                .reversed()
                .thenComparing(load -> load.path().toLowerCase(Locale.ROOT))
                .thenComparing(EntityLoad::key);
    }

    private static double orZero(@Nullable Double value) {
        return value == null ? 0 : value;
    }
}
