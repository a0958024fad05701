/** Sample programs for new users, run by the conformance tests. They depend only on the official SDK. */
package dev.jitney.samples;
