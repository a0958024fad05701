/** Replaces one class of Apache Ratis, its checksum (docs/adr/0029). */
@NullMarked
package org.apache.ratis.util;

import org.jspecify.annotations.NullMarked;
