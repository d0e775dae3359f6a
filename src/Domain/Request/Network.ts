import { Option, Result } from "effect"
import { NetAddress } from "effect/net"

/** Leaves out the zone of a link-local address. An IPv4 address that is mapped to IPv6 is an IPv4 address. */
export const ipOf = (address: string): Option.Option<NetAddress.IpAddress> =>
  Option.map(
    Result.getSuccess(NetAddress.ipFromString(address.replace(/%.*$/, ""))),
    (ip) => NetAddress.toCanonical(ip)
  )

const networkOfBits = (ip: NetAddress.Ipv6Address, bits: 48 | 56 | 64): string => {
  const segments = NetAddress.ipv6ToSegments(ip).slice(0, Math.ceil(bits / 16))
  const whole = segments.map((segment, at) => bits < 16 * (at + 1) ? segment & 0xff00 : segment)
  return `${whole.map((segment) => segment.toString(16)).join(":")}::/${bits}`
}

/**
 * An IPv4 address, or the first 64 bits of an IPv6 address: one subscriber holds all addresses of a /64. Other text
 * stays as it is.
 */
export const networkOf = (address: string): string => {
  const ip = Option.getOrUndefined(ipOf(address))
  if (ip === undefined) return address
  return NetAddress.isIpv4Address(ip) ? NetAddress.formatIp(ip) : networkOfBits(ip, 64)
}

/** The /56 and the /48 of an IPv6 address: one subscriber may hold all of either. */
export const widerNetworksOf = (address: string): ReadonlyArray<string> => {
  const ip = Option.getOrUndefined(ipOf(address))
  return ip === undefined || NetAddress.isIpv4Address(ip) ? [] : [networkOfBits(ip, 56), networkOfBits(ip, 48)]
}
