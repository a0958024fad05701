package dev.jitney.testkit.junit;

import dev.jitney.testkit.JitneyBroker;
import org.jspecify.annotations.Nullable;

/**
 * The broker that the tests of this Java machine share. It starts with its first user. A broker whose time a test has changed is
 * retired: later users get a new one, and it closes with its last user. Thread-safe.
 */
final class SharedBroker implements AutoCloseable {
    private @Nullable Lease current;

    /** A broker with the number of its users; guarded by the shared broker. */
    private static final class Lease {
        private final JitneyBroker broker = JitneyBroker.start();
        private int users;
    }

    /** The use of a broker by one namespace. */
    interface Use {
        JitneyBroker broker();

        /** Ends the use. */
        void end();
    }

    /** Begins a use, and starts a broker if there is none that can be used. */
    synchronized Use begin() {
        Lease lease = current;
        if (lease == null || lease.broker.clock().isChanged()) {
            if (lease != null && lease.users == 0) {
                lease.broker.close();
            }
            // Otherwise the last user of the broker closes it.
            lease = new Lease();
            current = lease;
        }
        lease.users++;
        Lease used = lease;
        return new Use() {
            @Override
            public JitneyBroker broker() {
                return used.broker;
            }

            @Override
            public void end() {
                SharedBroker.this.end(used);
            }
        };
    }

    private void end(Lease lease) {
        synchronized (this) {
            lease.users--;
            if (lease.users > 0 || current == lease && !lease.broker.clock().isChanged()) {
                return;
            }
            if (current == lease) {
                current = null;
            }
        }
        lease.broker.close();
    }

    /** Closes the current broker. Those that are retired close with their last user. */
    @Override
    public void close() {
        Lease last;
        synchronized (this) {
            last = current;
            current = null;
        }
        if (last != null) {
            last.broker.close();
        }
    }
}
