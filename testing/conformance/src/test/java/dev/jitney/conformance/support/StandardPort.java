package dev.jitney.conformance.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a class whose server listens on port 443 of this machine where that is not permitted or the port is taken, and
 * says so; but not when {@code JITNEY_CI} is true: there it must be possible.
 */
public final class StandardPort implements ExecutionCondition {
    public static final int HTTPS = 443;

    private static final int ATTEMPTS = 300;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String trouble = trouble();
        for (int i = 0; i < ATTEMPTS && trouble != null && trouble.contains("in use"); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)); // another build's test may be about to end
            trouble = trouble();
        }
        if (trouble == null) {
            return ConditionEvaluationResult.enabled("port 443 is free");
        }
        String why = "Expected to listen on 127.0.0.1:443, but: " + trouble
                + ". It needs root, or net.ipv4.ip_unprivileged_port_start=443, and nobody else on that port.";
        if ("true".equals(System.getenv("JITNEY_CI"))) {
            throw new AssertionError(why + " In CI this test must not be skipped.");
        }
        return ConditionEvaluationResult.disabled(why);
    }

    private static @Nullable String trouble() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), HTTPS));
            return null;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
