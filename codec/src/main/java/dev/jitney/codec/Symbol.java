package dev.jitney.codec;

/**
 * A symbol to be written (AMQP 1.0 part 1, 1.6.21). Symbols that are read come as text.
 *
 * @param name ASCII
 */
public record Symbol(String name) {}
