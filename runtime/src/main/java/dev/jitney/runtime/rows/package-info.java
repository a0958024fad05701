/**
 * How applied records look on disk: {@link dev.jitney.runtime.rows.RowKeys}, {@link dev.jitney.runtime.rows.MessageRows},
 * {@link dev.jitney.runtime.rows.EntityRows} and the ports of the core on top of a store,
 * {@link dev.jitney.runtime.rows.StoreRowWriter} and {@link dev.jitney.runtime.rows.StoreRowReader}. Formats are tables in
 * {@code docs/formats.md}; every value starts with a version.
 */
@NullMarked
package dev.jitney.runtime.rows;

import org.jspecify.annotations.NullMarked;
