package dev.jitney.cli.message;

import dev.jitney.cli.value.TypedValues;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An application property in an option: {@code kind=coffee}, or with a type {@code cups:int=2}.
 *
 * @param value of an AMQP type
 */
public record PropertyOption(String name, Object value) {

    /** The parser of the option. */
    public static final class Converter implements ITypeConverter<PropertyOption> {
        @Override
        public PropertyOption convert(String text) {
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw new TypeConversionException(
                        "Expected NAME=TEXT or NAME:TYPE=VALUE, for example cups:int=2, but got '" + text + "'.");
            }
            String name = text.substring(0, equals);
            int colon = name.lastIndexOf(':');
            try {
                return colon <= 0
                        ? new PropertyOption(name, text.substring(equals + 1))
                        : new PropertyOption(
                                name.substring(0, colon),
                                TypedValues.parse(name.substring(colon + 1), text.substring(equals + 1)));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(name + ": " + e.getMessage());
            }
        }
    }
}
