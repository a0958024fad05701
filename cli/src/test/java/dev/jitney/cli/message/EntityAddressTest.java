package dev.jitney.cli.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.cli.output.Failure;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityAddressTest {

    @ParameterizedTest
    @DisplayName("Service Bus paths are parsed in any case")
    @CsvSource({
        "orders,orders,,NONE,orders",
        "a/b,a/b,,NONE,a/b",
        "Events/Subscriptions/Billing,Events,Billing,NONE,Events/subscriptions/Billing",
        "a/b/subscriptions/s,a/b,s,NONE,a/b/subscriptions/s",
        "orders/$deadletterqueue,orders,,DEAD_LETTER_QUEUE,orders/$DeadLetterQueue",
        "orders/$Transfer/$DeadLetterQueue,orders,,TRANSFER_DEAD_LETTER_QUEUE,orders/$Transfer/$DeadLetterQueue",
        "t/subscriptions/s/$DeadLetterQueue,t,s,DEAD_LETTER_QUEUE,t/subscriptions/s/$DeadLetterQueue",
    })
    void paths(String path, String entity, String subscription, String subQueue, String written) {
        EntityAddress address = EntityAddress.parse(path);
        assertThat(address.entity()).isEqualTo(entity);
        assertThat(address.subscription()).isEqualTo(subscription);
        assertThat(address.subQueue()).hasToString(subQueue);
        assertThat(address).hasToString(written);
        assertThat(EntityAddress.parse(written)).isEqualTo(address);
    }

    @ParameterizedTest
    @DisplayName("An invalid path is refused")
    @ValueSource(
            strings = {"", " ", "/$DeadLetterQueue", "t/subscriptions/", "/subscriptions/s", "t/subscriptions/a/b"})
    void refused(String path) {
        assertThatThrownBy(() -> EntityAddress.parse(path)).isInstanceOf(Failure.class);
    }

    @ParameterizedTest
    @DisplayName("/dlq and /tdlq replace the names that a shell takes for variables, in input and output")
    @CsvSource({
        "orders/dlq,orders/$DeadLetterQueue,orders/dlq",
        "orders/DLQ,orders/$DeadLetterQueue,orders/dlq",
        "orders/tdlq,orders/$Transfer/$DeadLetterQueue,orders/tdlq",
        "t/subscriptions/s/dlq,t/subscriptions/s/$DeadLetterQueue,t/subscriptions/s/dlq",
        "orders/$DeadLetterQueue,orders/$DeadLetterQueue,orders/dlq",
        "orders,orders,orders",
        "dlq,dlq,dlq",
        "a$b,a$b,'''a$b'''",
    })
    void typed(String text, String written, String forShell) {
        EntityAddress address = EntityAddress.typed(text);
        assertThat(address).hasToString(written);
        assertThat(address.forShell()).isEqualTo(forShell);
    }

    @ParameterizedTest
    @DisplayName("A path that a shell has shortened is refused with the correct one")
    @CsvSource({"orders/,orders/dlq", "orders//,orders/tdlq", "orders/$DeadLetterQueue/dlq,names two"})
    void shortened(String text, String fix) {
        assertThatThrownBy(() -> EntityAddress.typed(text))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(fix);
    }
}
