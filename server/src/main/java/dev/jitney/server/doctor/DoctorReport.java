package dev.jitney.server.doctor;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jitney.model.ClientText;
import java.util.List;
import java.util.Locale;

/** The findings of a run, as text for people or as JSON. */
public final class DoctorReport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<Finding> findings;

    public DoctorReport(List<Finding> findings) {
        this.findings = List.copyOf(findings);
    }

    /** Returns the number of findings of a level. */
    public long count(Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    /** Returns whether there is a warning or a fault. */
    public boolean hasTrouble() {
        return count(Level.WARNING) + count(Level.FAULT) > 0;
    }

    /** Returns one line for each finding, an indented line with its fix, and a line with the counts. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-8s %-14s %s%n",
                    finding.level().word(),
                    finding.check(),
                    ClientText.oneLine(finding.reason())));
            if (!finding.fix().isEmpty()) {
                text.append(String.format(Locale.ROOT, "%23s Fix: %s%n", "", ClientText.oneLine(finding.fix())));
            }
        }
        return text.append(String.format(
                        Locale.ROOT,
                        "%d ok, %d advice, %d warnings, %d faults%n",
                        count(Level.OK),
                        count(Level.ADVICE),
                        count(Level.WARNING),
                        count(Level.FAULT)))
                .toString();
    }

    /** Returns the same as one line of JSON. */
    public String json() {
        ObjectNode report = MAPPER.createObjectNode();
        ArrayNode list = report.putArray("findings");
        for (Finding finding : findings) {
            list.addObject()
                    .put("level", finding.level().word())
                    .put("check", finding.check())
                    .put("reason", finding.reason())
                    .put("fix", finding.fix());
        }
        report.put("ok", count(Level.OK));
        report.put("advice", count(Level.ADVICE));
        report.put("warnings", count(Level.WARNING));
        report.put("faults", count(Level.FAULT));
        return report.toString();
    }
}
