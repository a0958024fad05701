package dev.jitney.conformance.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class of tests in which {@link TestBroker#sdk} connects through a WebSocket over TLS. The broker provides the
 * port and the certificate.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OverWebSocket {}
