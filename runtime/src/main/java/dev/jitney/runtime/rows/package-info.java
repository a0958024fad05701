/**
 * The format of rows on disk. {@link dev.jitney.runtime.rows.RowKeys}, {@link dev.jitney.runtime.rows.MessageRows} and
 * {@link dev.jitney.runtime.rows.EntityRows} encode keys and values. {@link dev.jitney.runtime.rows.StoreRowWriter} and
 * {@link dev.jitney.runtime.rows.StoreRowReader} implement the ports of the core on top of a store. The tables in
 * {@code docs/formats.md} specify the formats; every value starts with a version. {@link
 * dev.jitney.runtime.rows.StoredEntities} lists and removes entities in a store that no broker uses.
 */
@NullMarked
package dev.jitney.runtime.rows;

import org.jspecify.annotations.NullMarked;
