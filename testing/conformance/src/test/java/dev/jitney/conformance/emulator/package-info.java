/** The configuration of the Microsoft emulator, and what programs written for it expect (HTTP reference 4). */
@NullMarked
package dev.jitney.conformance.emulator;

import org.jspecify.annotations.NullMarked;
