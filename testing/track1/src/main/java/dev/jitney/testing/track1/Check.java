package dev.jitney.testing.track1;

import com.microsoft.azure.servicebus.primitives.ServiceBusException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The assertions of checks. A failed assertion ends the check with an error that contains both values. */
final class Check {

    private Check() {}

    /** A call of the SDK. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    static void same(@Nullable Object expected, @Nullable Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("Expected " + what + " to be " + expected + ", but it is " + actual + ".");
        }
    }

    static void that(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("Expected " + what + ".");
        }
    }

    static void sameElements(List<?> expected, List<?> actual, String what) {
        if (!expected.equals(actual)) {
            throw new AssertionError("Expected " + what + " to be " + expected.size() + " elements: " + expected
                    + ", but got " + actual.size() + " elements: " + actual);
        }
    }

    /** Checks that a call fails with exactly this exception and this text in its message. */
    static void fails(Class<? extends ServiceBusException> type, boolean transientError, String detail, Call call)
            throws Exception {
        try {
            call.run();
        } catch (ServiceBusException e) {
            if (e.getClass() != type
                    || e.getIsTransient() != transientError
                    || !String.valueOf(e.getMessage()).contains(detail)) {
                throw new AssertionError(
                        "Expected " + type.getSimpleName() + (transientError ? ", transient," : "") + " with '" + detail
                                + "', but got another one.",
                        e);
            }
            return;
        }
        throw new AssertionError("Expected " + type.getSimpleName() + ", but the call succeeded.");
    }
}
