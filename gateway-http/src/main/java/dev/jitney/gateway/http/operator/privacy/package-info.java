/**
 * Values of bodies that only readers with the right to Manage may see, and the audit of reads.
 *
 * <p>Read in this order: {@code BodyPrivacy} has the settings of the server, {@code BodyAccess} is what one request may see, and
 * {@code MaskedText} hides values in a text.
 */
@NullMarked
package dev.jitney.gateway.http.operator.privacy;

import org.jspecify.annotations.NullMarked;
