/**
 * The rules of the house that a machine can judge, each with its reason. A rule may be tightened; loosening one is a
 * decision to be written down in {@code docs/adr}.
 *
 * <p>{@link dev.jitney.architecture.ArrowsTest} holds the modules apart, {@link dev.jitney.architecture.PureCoreTest}
 * keeps the core a function, {@link dev.jitney.architecture.LibrariesTest} keeps libraries where they belong,
 * {@link dev.jitney.architecture.TimeAndThreadsTest} says where clocks and threads may be,
 * {@link dev.jitney.architecture.PackageShapeTest} keeps packages small and circles short,
 * {@link dev.jitney.architecture.HouseStyleTest} and {@link dev.jitney.architecture.TestSourcesTest} the rest.
 */
@NullMarked
package dev.jitney.architecture;

import org.jspecify.annotations.NullMarked;
