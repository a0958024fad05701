package dev.jitney.runtime.rows;

import dev.jitney.model.TierProfile;
import dev.jitney.runtime.store.StoreException;
import java.util.Objects;

/**
 * A namespace created at run time ({@code docs/formats.md}), which no configuration names. Its {@link NamespaceRow} has
 * the data that every namespace has.
 *
 * @param name in the case of its creation
 * @param tier requested at its creation
 * @param leaving true while it is being deleted: it is no longer served, and its row is deleted with the last of its
 *     entities
 */
public record MadeNamespaceRow(String name, TierProfile tier, boolean leaving) {
    private static final int VERSION = 1;

    public MadeNamespaceRow {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(tier, "tier");
    }

    /** Returns the same row, marked as being deleted. */
    public MadeNamespaceRow leave() {
        return new MadeNamespaceRow(name, tier, true);
    }

    byte[] toBytes() {
        return new RowOutput(64)
                .u8(VERSION)
                .text(name)
                .u8(number(tier))
                .u8(leaving ? 1 : 0)
                .toBytes();
    }

    static MadeNamespaceRow read(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "namespace created at run time");
        String name = in.text();
        int tier = in.u8();
        int leaving = in.u8();
        in.end();
        if (tier < 1 || tier > TierProfile.values().length || leaving > 1) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected a tier and a state in the row of namespace '" + name + "', but got " + tier + " and "
                            + leaving + ".");
        }
        return new MadeNamespaceRow(name, tier(tier), leaving == 1);
    }

    /** Returns the permanent number of a tier, independent of the order of the constants. */
    private static int number(TierProfile tier) {
        return switch (tier) {
            case BASIC -> 1;
            case STANDARD -> 2;
            case PREMIUM -> 3;
        };
    }

    private static TierProfile tier(int number) {
        return number == 1 ? TierProfile.BASIC : number == 2 ? TierProfile.STANDARD : TierProfile.PREMIUM;
    }
}
