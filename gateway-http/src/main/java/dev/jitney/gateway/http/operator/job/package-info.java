/**
 * Jobs: acts on many messages that run on the server, with a count first, a rate, a canary and a result. They survive a restart.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.operator.job.Jobs} has the jobs of all namespaces and runs some of them at a
 * time. {@code JobRequests} serves the requests. A {@code Job} is what was ordered ({@code JobOrder}) and how far it is
 * ({@code JobProgress}); {@code JobRun} counts and changes its messages, those of its {@code JobSelection} within {@code JobBounds}, and {@code
 * CanaryCheck} looks for messages that came back dead. {@code Purge} deletes whole queues.
 */
@NullMarked
package dev.jitney.gateway.http.operator.job;

import org.jspecify.annotations.NullMarked;
