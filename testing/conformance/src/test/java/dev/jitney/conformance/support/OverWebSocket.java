package dev.jitney.conformance.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a class of tests: {@link TestBroker#sdk} connects through a WebSocket inside TLS, whose port and certificate the
 * broker has for the purpose.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OverWebSocket {}
