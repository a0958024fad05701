package dev.jitney.conformance.admin;

import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An extension that creates the namespace {@code team} at run time before each test, and deletes it after the test if
 * it still exists.
 */
final class TeamNamespace implements BeforeEachCallback, AfterEachCallback {
    static final String NAME = "team";

    private static final String RULE = "team-root";
    private static final String KEY = "key-of-the-team-which-is-long-enough-to-be-good";
    private static final int PATIENCE_SECONDS = 30;

    private final TestBroker broker;

    TeamNamespace(TestBroker broker) {
        this.broker = broker;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        AccessRule rule = new AccessRule(RULE, Set.of(AccessRight.values()), KEY, null);
        served().createNamespace(NAME, TierProfile.STANDARD, List.of(rule))
                .toCompletableFuture()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        if (served().namespaces().size() > 1) {
            delete();
        }
    }

    void delete() throws Exception {
        served().deleteNamespace(NAME).toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns the connection string of the server with the key of the namespace. */
    String connectionString() {
        return broker.connectionString()
                .replaceFirst("SharedAccessKeyName=[^;]*", "SharedAccessKeyName=" + RULE)
                .replaceFirst("SharedAccessKey=[^;]*", "SharedAccessKey=" + KEY);
    }

    Broker served() {
        return broker.server().broker();
    }
}
