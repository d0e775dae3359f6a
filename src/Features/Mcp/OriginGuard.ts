import { Forbidden } from "../../Api/Errors.ts"

const loopback = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/

/**
 * Refuses requests that pages of other sites cause. On a loopback `BASE_URL`, any loopback origin is accepted, and
 * `Host` must be a loopback name, against DNS rebinding. Behind a proxy, the proxy checks `Host`.
 */
export const makeOriginGuard = (baseUrl: string): (
  headers: Readonly<Record<string, string | undefined>>
) => Forbidden | undefined => {
  const own = new URL(baseUrl)
  const isLocal = loopback.test(own.host)
  const isOwn = (origin: string) => origin === own.origin || isLocal && loopback.test(URL.parse(origin)?.host ?? "")

  return ({ host, origin }) => {
    if (origin !== undefined && !isOwn(origin)) {
      return new Forbidden({ message: "Cross-origin requests are not allowed." })
    }
    if (isLocal && host !== undefined && !loopback.test(host.toLowerCase())) {
      return new Forbidden({ message: `The header Host must name this service: ${own.host}.` })
    }
    return undefined
  }
}
