package dev.jitney.codec;

/**
 * A check of the order of the sections of one message: sections before the body in any order and once each, then one kind of
 * body, and the footer before or after it. The specification orders all of them (AMQP 1.0 part 3, 3.2), but uamqp writes
 * delivery annotations after the properties, and the footer before the body (wire reference 4.1).
 */
final class SectionOrder {
    private int seen;
    private int body;
    private boolean ended;

    /**
     * Checks the next section.
     *
     * @throws MessageFormatException if the section is not allowed here
     */
    void next(int section) throws MessageFormatException {
        boolean repeated = (seen & bit(section)) != 0;
        seen |= bit(section);
        if (section < Codes.DATA) {
            check(body == 0 && !ended && !repeated, section);
        } else if (section == Codes.FOOTER) {
            check(!repeated, section);
            ended = body != 0;
        } else {
            if (body != 0 && body != section) {
                throw MessageFormatException.decodeError("Expected one kind of body, but got two.");
            }
            check(!ended && !(repeated && section == Codes.AMQP_VALUE), section);
            body = section;
        }
    }

    private static int bit(int section) {
        return 1 << section - Codes.HEADER;
    }

    private static void check(boolean fits, int section) throws MessageFormatException {
        if (!fits) {
            throw MessageFormatException.decodeError(String.format(
                    "Expected each section of a message once and the body after the properties, but section 0x%02x"
                            + " is out of place.",
                    section));
        }
    }
}
