/**
 * Tables and plots of results. Read {@code Report} first; {@code Markdown}, {@code BarChart} and {@code LineChart}
 * draw.
 */
@NullMarked
package dev.jitney.comparison.report;

import org.jspecify.annotations.NullMarked;
