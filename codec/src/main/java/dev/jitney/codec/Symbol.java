package dev.jitney.codec;

/**
 * A symbol to write (AMQP 1.0 part 1, 1.6.21). Symbols that are read become strings.
 *
 * @param name ASCII
 */
public record Symbol(String name) {}
