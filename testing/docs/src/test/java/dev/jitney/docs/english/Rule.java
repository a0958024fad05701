package dev.jitney.docs.english;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A rule of {@code docs/contributing/writing.md} that a program can check. */
enum Rule {
    /** A sentence begins with the clause that is its subject, or a Javadoc comment begins with a clause instead of a noun or verb. */
    NOUN_CLAUSE {
        @Override
        List<String> faults(TextKind kind, List<String> sentences) {
            boolean javadoc = kind == TextKind.JAVADOC;
            List<String> read = javadoc ? sentences.subList(0, Math.min(1, sentences.size())) : sentences;
            Pattern start = javadoc ? CLAUSE_OF_JAVADOC : CLAUSE;
            return read.stream()
                    .filter(sentence -> start.matcher(sentence).find() && !sentence.endsWith("?"))
                    .toList();
        }
    },

    /** A word has a private meaning, or belongs to people and not to programs. */
    PRIVATE_WORD {
        @Override
        List<String> faults(TextKind kind, List<String> sentences) {
            return matches(PRIVATE, sentences);
        }
    },

    /** A sentence has more than 40 words. */
    LONG_SENTENCE {
        @Override
        List<String> faults(TextKind kind, List<String> sentences) {
            return sentences.stream()
                    .filter(sentence -> Arrays.stream(sentence.split(" "))
                                    .filter(word -> WORD.matcher(word).find())
                                    .count()
                            > WORDS_MAX)
                    .toList();
        }
    },

    /** A word has its British spelling. */
    BRITISH_SPELLING {
        @Override
        List<String> faults(TextKind kind, List<String> sentences) {
            return matches(BRITISH, sentences);
        }
    };

    private static final int WORDS_MAX = 40;
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]");

    private static final Pattern CLAUSE =
            Pattern.compile("^[\"'(]*(?:What|Whatever|Whether|How|Who|Whoever|Whose|Whom|Those)\\b");
    private static final Pattern CLAUSE_OF_JAVADOC = Pattern.compile(
            "^[\"'(]*(?:What|Whatever|Whether|How|Who|Whoever|Whose|Whom|Those|Why|Which|Where|When)\\b");

    private static final Pattern PRIVATE = words(
            // words with a private meaning, and the word to use
            "octets?", // byte
            "strangers?", // unauthenticated client
            "anew", // again
            "afresh", // again
            "nevertheless", // anyway, still
            "goes on",
            "go on",
            "going on",
            "went on", // continues
            "gone on",
            "lets? go", // releases
            "letting go",
            "let no client",
            "dealt out",
            "deals out",
            "given out", // delivered, issued
            "gives out",
            "giving out",
            "thrown away", // deleted, discarded
            "throws away",
            "throw away",
            "made new",
            "says nothing",
            "say nothing",
            "with a word", // with a message, with a reason
            "lingering",
            "lingers?",
            "patient",
            "spared?",
            "spares",
            // personified programs
            "is told",
            "are told",
            "was told",
            "be told",
            "tells",
            "tell",
            "told",
            "telling", // reports, prints, shows
            "hears?",
            "heard",
            "met a bug",
            "has its say",
            "have their say",
            "looks? after",
            "minds",
            "remembers?", // keeps
            "remembered",
            "forgets?", // drops
            "forgotten",
            "forgot",
            "forgetting",
            "learns?", // reads, receives
            "learned",
            "asks", // requests, reads, calls
            "asked",
            "asking",
            "wants", // requests, needs
            "wanted",
            "trusts", // accepts
            "believes?",
            "believed",
            "hurts?",
            "suffers?",
            "dies", // ends
            "died",
            "dying",
            "nobody", // no client, no caller
            "somebody",
            "whoever",
            "everybody",
            "anybody",
            "by itself goes",
            "by and by",
            "in its turn",
            "at once both");

    private static final Pattern BRITISH = words(
            "(?:mis)?behaviours?",
            "colou?red?ing",
            "colours?",
            "coloured",
            "favou?rs? of the",
            "favours?",
            "favourites?",
            "honours?",
            "honoured",
            "labours?",
            "neighbours?",
            "neighbouring",
            "licences?",
            "defences?",
            "offences?",
            "centres?",
            "centred",
            "metres?",
            "catalogues?",
            "analys(?:e|es|ed|ing)",
            "artefacts?",
            "programmes?",
            "grey",
            "whilst",
            "amongst",
            "judgements?",
            "acknowledgements?",
            "practise[sd]?",
            "learnt",
            "spelt",
            "fulfils?",
            "cancelled",
            "cancelling",
            "labelled",
            "labelling",
            "modelled",
            "modelling",
            "travell?ed",
            "signalled",
            "signalling",
            "totalled",
            "levelled",
            "(?:un)?(?:authori|canoni|capitali|characteri|customi|emphasi|equali|finali|generali|initiali|locali|maximi|minimi"
                    + "|neutrali|normali|optimi|organi|parametri|penali|prioriti|randomi|recogni|reali|seriali|deseriali|speciali"
                    + "|standardi|summari|synchroni|tokeni|utili|visuali)s(?:e|es|ed|er|ers|ing|ation|ations)");

    /** The sentences, or words of sentences, that break this rule. */
    abstract List<String> faults(TextKind kind, List<String> sentences);

    private static Pattern words(String... words) {
        return Pattern.compile("(?i)(?<![\\p{L}-])(?:" + String.join("|", words) + ")(?![\\p{L}-])");
    }

    private static List<String> matches(Pattern words, List<String> sentences) {
        List<String> found = new ArrayList<>();
        for (String sentence : sentences) {
            Matcher matcher = words.matcher(sentence);
            while (matcher.find()) {
                found.add("\"" + matcher.group() + "\" in: " + sentence);
            }
        }
        return found;
    }
}
