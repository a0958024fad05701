/**
 * The figures of entities over time, for operators.
 *
 * <p>{@code FigureHistory} takes samples of all entities ({@code AllEntities}). {@code EntityHistory} holds those of one entity in two
 * {@code FigureSeries} of {@code FigureSample}, and {@code FlowRates} are made from them.
 *
 * <p>{@code FigureOperations} answers the requests: {@code HistoryPage}, {@code Overview} by {@code SharedPasses}, {@code ClientsPage} with the clients that
 * another gateway reports, and {@code FigureStreams} with live figures over {@code HttpStream}.
 */
@NullMarked
package dev.jitney.gateway.http.operator.figure;

import org.jspecify.annotations.NullMarked;
