package dev.jitney.core;

import dev.jitney.core.filter.Compilation;
import dev.jitney.core.filter.CompiledFilter;
import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/** The filter of a search, in the SQL language of rules with tests of the body. Immutable; any thread may use it. */
public final class SearchFilter {
    private final CompiledFilter compiled;

    private SearchFilter(CompiledFilter compiled) {
        this.compiled = compiled;
    }

    /**
     * The result of a compilation.
     *
     * @param filter the filter, or null if it was refused
     * @param rejection the refusal with the place of the mistake, or null
     */
    public record Result(
            @Nullable SearchFilter filter, @Nullable Rejection rejection) {}

    /** Compiles a condition, or refuses it. */
    public static Result compile(String condition) {
        Compilation<CompiledFilter> compilation = FilterLanguage.compileSearch(condition);
        Rejection refusal = compilation.rejection();
        return refusal == null ? new Result(new SearchFilter(compilation.get()), null) : new Result(null, refusal);
    }

    /** Returns the filter for decisions. */
    public CompiledFilter compiled() {
        return compiled;
    }
}
