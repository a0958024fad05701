/**
 * Runs the programs under python/: the official Python SDK as Debian has it, and Qpid Proton as a plain AMQP client.
 * Start with {@link dev.jitney.conformance.python.PythonSdkTest}.
 */
@NullMarked
package dev.jitney.conformance.python;

import org.jspecify.annotations.NullMarked;
