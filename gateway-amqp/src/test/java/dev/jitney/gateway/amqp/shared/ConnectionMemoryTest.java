package dev.jitney.gateway.amqp.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("QUOTA-8: the memory of a connection")
class ConnectionMemoryTest {
    private static final int MIB = 1 << 20;

    private final ClientMemory clients = new ClientMemory(16 * MIB);
    private final MemoryAccount other = account();
    private final ConnectionMemory memory =
            new ConnectionMemory(ConnectionLimits.defaults(), clients, account(), transport());
    private final List<String> happened = new ArrayList<>();

    private MemoryAccount account() {
        MemoryAccount account = clients.open(new MemoryAccount.Owner() {
            @Override
            public void end(String why) {
                throw new AssertionError(why);
            }

            @Override
            public void resume() {
                memory.runWaiting();
            }
        });
        account.authenticated("ns");
        return account;
    }

    private static Transport transport() {
        return (Transport) Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> null);
    }

    private void request(int mib) {
        memory.whenRoom((long) mib * MIB, () -> happened.add("worked"), () -> happened.add("late"));
    }

    @Test
    @DisplayName(
            "a request waits at most 20 seconds for the memory of its answer, so that its connection is not stopped for hours")
    void late() {
        other.hold(MemoryPurpose.STATE, 8 * MIB);
        request(9);
        memory.tick(0, 1_000);
        memory.tick(0, 21_000);
        assertThat(happened).isEmpty();
        memory.tick(0, 21_001);
        assertThat(happened).containsExactly("late");
        other.hold(MemoryPurpose.STATE, -8 * MIB);
        memory.tick(0, 60_000);
        assertThat(happened).containsExactly("late");
    }

    @Test
    @DisplayName("a request that waits runs when other connections give memory back")
    void inTime() {
        other.hold(MemoryPurpose.STATE, 8 * MIB);
        request(9);
        memory.tick(0, 1_000);
        other.hold(MemoryPurpose.STATE, -8 * MIB);
        memory.tick(0, 2_000);
        assertThat(happened).containsExactly("worked");
        memory.tick(0, 60_000);
        assertThat(happened).containsExactly("worked");
    }
}
