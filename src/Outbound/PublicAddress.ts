import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { isBlockedPort } from "./BlockedPorts.ts"

/** https://www.iana.org/assignments/iana-ipv4-special-registry, without exceptions, and multicast. */
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4"
].map(IpNetwork.fromStringUnsafe)

/** Global unicast. Loopback, mapped (`::ffff:0:0/96`), NAT64, local and multicast addresses lie outside. */
const globalIpv6 = IpNetwork.fromStringUnsafe("2000::/3")

/** https://www.iana.org/assignments/iana-ipv6-special-registry: Teredo and others, documentation, 6to4. */
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(IpNetwork.fromStringUnsafe)

export const isPublicAddress = (address: NetAddress.IpAddress): boolean => {
  const isIn = (network: IpNetwork.IpNetwork) => IpNetwork.contains(network, address)
  return NetAddress.isIpv4Address(address)
    ? !specialIpv4.some(isIn)
    : isIn(globalIpv6) && !specialIpv6.some(isIn)
}

const literalOf = ({ hostname }: URL) =>
  Option.getOrUndefined(Result.getSuccess(NetAddress.ipFromString(hostname.replace(/^\[(.*)\]$/u, "$1"))))

const isLoopbackName = ({ hostname }: URL): boolean => /(?:^|\.)localhost\.?$/u.test(hostname)

/**
 * Fails with the reason if the text of the URL excludes a public address. Numeric spellings such as `2130706433` count
 * as the address that they mean. Ports of other protocols are refused too. `allowPrivate` accepts every port, private
 * addresses and `http`.
 */
export const parsePublicUrl = (text: string, allowPrivate = false): Result.Result<URL, string> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/u.test(url.protocol)) return Result.fail("Expected an https URL")
  if (url.username !== "" || url.password !== "") return Result.fail("Must not contain a user name or password")
  if (url.hash !== "") return Result.fail("Must not contain a fragment")
  if (allowPrivate) return Result.succeed(url)
  if (url.protocol !== "https:") return Result.fail("Expected an https URL")
  if (isBlockedPort(url)) return Result.fail(`Port ${url.port} belongs to another protocol than HTTP`)
  const literal = literalOf(url)
  return isLoopbackName(url) || literal !== undefined && !isPublicAddress(literal)
    ? Result.fail(`${url.hostname} is not a public address`)
    : Result.succeed(url)
}
