/**
 * The test kit for JUnit 5 and 6.
 *
 * <p>Read in this order: {@link dev.jitney.testkit.junit.JitneyExtension} and
 * {@link dev.jitney.testkit.junit.JitneyConnectionString}. Inside: {@code TestNamespaces} decides which tests share a namespace, and
 * {@code SharedBroker} keeps the broker of the Java machine.
 */
@NullMarked
package dev.jitney.testkit.junit;

import org.jspecify.annotations.NullMarked;
