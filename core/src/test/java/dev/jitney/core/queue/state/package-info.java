/**
 * The rules of a queue as tests: {@link dev.jitney.core.queue.state.QueueFixture} runs decisions and records as production does,
 * one test class per chapter of the semantics cites its requirement ids, and
 * {@link dev.jitney.core.queue.state.RandomCommandsTest} compares with {@link dev.jitney.core.queue.state.ReferenceQueue}.
 */
@NullMarked
package dev.jitney.core.queue.state;

import org.jspecify.annotations.NullMarked;
