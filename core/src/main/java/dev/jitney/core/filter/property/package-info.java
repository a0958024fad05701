/**
 * The properties of a message as filters read them and as actions change them.
 *
 * <p>Read in this order: {@link dev.jitney.core.filter.property.PropertyName},
 * {@link dev.jitney.core.filter.property.SystemProperty}, {@link dev.jitney.core.filter.property.MessageProperties} with
 * {@link dev.jitney.core.filter.property.EncodedMessageProperties},
 * {@link dev.jitney.core.filter.property.PropertyChange} with {@code ChangedProperties} (the properties during an
 * action).
 */
@NullMarked
package dev.jitney.core.filter.property;

import org.jspecify.annotations.NullMarked;
