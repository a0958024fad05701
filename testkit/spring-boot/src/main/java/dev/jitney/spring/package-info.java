/**
 * A Service Bus broker for tests of Spring Boot applications. {@link dev.jitney.spring.AutoConfigureJitney} starts one in the
 * Java machine of the test. A field with a {@code JitneyContainer} and {@code @ServiceConnection} uses a container; {@link
 * dev.jitney.spring.JitneyConnectionDetails} are its details.
 */
@NullMarked
package dev.jitney.spring;

import org.jspecify.annotations.NullMarked;
