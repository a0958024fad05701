package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.antlr.v4.runtime.atn.DecisionState;
import org.antlr.v4.runtime.atn.LL1Analyzer;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The property of the grammar that keeps parsing linear (docs/adr/0009). */
final class GrammarTest {

    @Test
    @DisplayName("FILTER-23: one token decides between alternatives, everywhere in the grammar")
    void oneTokenOfLookaheadIsEnough() {
        LL1Analyzer analyzer = new LL1Analyzer(SqlRuleParser._ATN);
        for (DecisionState decision : SqlRuleParser._ATN.decisionToState) {
            IntervalSet seen = new IntervalSet();
            for (IntervalSet alternative : analyzer.getDecisionLookahead(decision)) {
                String where = SqlRuleParser.ruleNames[decision.ruleIndex] + ", decision " + decision.decision;
                assertThat(alternative).as(where).isNotNull();
                assertThat(seen.and(alternative).isNil())
                        .as(where + ": " + alternative)
                        .isTrue();
                seen.addAll(alternative);
            }
        }
    }
}
