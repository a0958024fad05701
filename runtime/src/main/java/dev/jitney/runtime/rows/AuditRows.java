package dev.jitney.runtime.rows;

import dev.jitney.runtime.AuditTrail.Action;
import dev.jitney.runtime.AuditTrail.Entry;
import dev.jitney.runtime.AuditTrail.Result;
import dev.jitney.runtime.store.StoreException;

/** The documents of the audit trail. Their ids are in the keys. */
public final class AuditRows {
    private static final int VERSION = 1;

    private AuditRows() {}

    /** Returns the document of an entry. */
    public static byte[] toBytes(Entry entry) {
        Action action = entry.action();
        return new RowOutput(256)
                .u8(VERSION)
                .i64(entry.timeMs())
                .u8(number(entry.result()))
                .text(action.name())
                .text(action.key())
                .text(action.client())
                .text(action.namespace())
                .text(action.entity())
                .text(action.rule())
                .text(entry.details())
                .toBytes();
    }

    /** Returns the entry in a document. */
    public static Entry read(long id, byte[] document) throws StoreException {
        RowInput in = new RowInput(document, VERSION, "audit");
        long timeMs = in.i64();
        Result result = result(in);
        Action action = new Action(in.text(), in.text(), in.text(), in.text(), in.text(), in.text());
        Entry entry = new Entry(id, timeMs, result, action, in.text());
        in.end();
        return entry;
    }

    private static int number(Result result) {
        return switch (result) {
            case DONE -> 0;
            case REFUSED -> 1;
            case LEFT_OUT -> 2;
        };
    }

    private static Result result(RowInput in) throws StoreException {
        int number = in.u8();
        return switch (number) {
            case 0 -> Result.DONE;
            case 1 -> Result.REFUSED;
            case 2 -> Result.LEFT_OUT;
            default -> throw in.corrupt("the result " + number);
        };
    }
}
