import { Option, Result } from "effect"
import { NetAddress } from "effect/net"

/**
 * An IPv4 address, or the first 64 bits of an IPv6 address: one subscriber holds all addresses of a /64. Other text
 * stays as it is.
 */
export const networkOf = (address: string): string => {
  const parsed = Option.getOrUndefined(Result.getSuccess(NetAddress.ipFromString(address.replace(/%.*$/, ""))))
  if (parsed === undefined) return address
  const ip = NetAddress.toCanonical(parsed)
  return NetAddress.isIpv4Address(ip)
    ? NetAddress.formatIp(ip)
    : `${NetAddress.ipv6ToSegments(ip).slice(0, 4).map((segment) => segment.toString(16)).join(":")}::/64`
}
