/** Programs for new users, run by the conformance tests. They know the official SDK and nothing of the broker. */
package dev.jitney.samples;
