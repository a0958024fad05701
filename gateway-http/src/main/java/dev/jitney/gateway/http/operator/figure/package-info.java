/**
 * The figures of entities over time, for operators.
 *
 * <p>{@code FigureHistory} takes samples of all entities ({@code AllEntities}). {@code EntityHistory} holds those of one entity in two
 * {@code FigureSeries} of {@code FigureSample}, and {@code FlowRates} are made from them.
 */
@NullMarked
package dev.jitney.gateway.http.operator.figure;

import org.jspecify.annotations.NullMarked;
