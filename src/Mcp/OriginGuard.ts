import { Forbidden } from "../Api/Errors.ts"

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/

/**
 * Refuses requests that the page of another site has made a browser send. On a loopback address every loopback origin
 * is accepted, and a `Host` that is no loopback name is refused, because such a page can have it resolved to this
 * service. Behind a proxy, `Host` is the proxy's matter.
 */
export const makeOriginGuard = (baseUrl: string): (
  headers: Readonly<Record<string, string | undefined>>
) => Forbidden | undefined => {
  const own = new URL(baseUrl)
  const isLocal = loopback.test(own.host)
  const isOwn = (origin: string) => origin === own.origin || isLocal && loopback.test(URL.parse(origin)?.host ?? "")

  return ({ host, origin }) => {
    if (origin !== undefined && !isOwn(origin)) {
      return new Forbidden({ message: "A page of another origin cannot use this interface." })
    }
    if (isLocal && host !== undefined && !loopback.test(host.toLowerCase())) {
      return new Forbidden({ message: `The header Host must name this service: ${own.host}.` })
    }
    return undefined
  }
}
