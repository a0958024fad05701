/**
 * The entities there are: {@code EntityRows} and {@code Fragments} follow their rows, {@code Rules} the rules of subscriptions,
 * {@code Routes} says where messages may come to, and {@code IdleDeletion} which entities may go unused.
 *
 * <p>The packages {@code answer} and {@code batch} depend on it.
 */
@NullMarked
package dev.jitney.simulation.model.entity;

import org.jspecify.annotations.NullMarked;
