package dev.jitney.testing.track1;

import com.microsoft.azure.servicebus.management.ManagementClient;

/** A check that {@link Track1Checks} runs by its name. */
@FunctionalInterface
interface NamedCheck {
    void run(ManagementClient client) throws Exception;
}
