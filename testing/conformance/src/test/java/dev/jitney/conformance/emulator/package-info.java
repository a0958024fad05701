/**
 * Tests of the configuration format of the Microsoft emulator, and of programs written for the emulator (HTTP reference
 * 4).
 */
@NullMarked
package dev.jitney.conformance.emulator;

import org.jspecify.annotations.NullMarked;
