/**
 * The architecture rules that a program can check, each with its reason. A rule may be made stricter. Relaxing a rule
 * is a decision that requires a record in {@code docs/adr}.
 *
 * <ul>
 * <li>{@link dev.jitney.architecture.ArrowsTest}: dependencies between modules
 * <li>{@link dev.jitney.architecture.PureCoreTest}: the core without side effects
 * <li>{@link dev.jitney.architecture.LibrariesTest}: libraries and their modules
 * <li>{@link dev.jitney.architecture.TimeAndThreadsTest}: clocks and threads
 * <li>{@link dev.jitney.architecture.PackageShapeTest}: small packages and small circles of dependencies
 * <li>{@link dev.jitney.architecture.HouseStyleTest} and {@link dev.jitney.architecture.TestSourcesTest}: all other
 *     rules
 * </ul>
 */
@NullMarked
package dev.jitney.architecture;

import org.jspecify.annotations.NullMarked;
