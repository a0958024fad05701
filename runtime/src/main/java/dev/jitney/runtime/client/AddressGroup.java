package dev.jitney.runtime.client;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * The clients that count together: those with one IPv4 address, or with one prefix of 64 bits of IPv6, because a network gives one
 * customer all addresses of such a prefix (RFC 6177).
 *
 * @param isIpv6 whether it is a prefix of IPv6
 * @param bits the address or the prefix
 */
public record AddressGroup(boolean isIpv6, long bits) {
    private static final int PREFIX_BYTES = 8;

    /** Returns the group of an address. An IPv4 address inside IPv6 counts as the IPv4 address. */
    public static AddressGroup of(InetAddress address) {
        byte[] bytes = address.getAddress(); // Java converts IPv4 addresses inside IPv6 already
        boolean isIpv6 = address instanceof Inet6Address;
        long bits = 0;
        for (int i = 0; i < bytes.length && i < PREFIX_BYTES; i++) {
            bits = bits << Byte.SIZE | Byte.toUnsignedInt(bytes[i]);
        }
        return new AddressGroup(isIpv6, bits);
    }
}
