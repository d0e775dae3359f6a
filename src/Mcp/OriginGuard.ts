import { Forbidden } from "../Api/Errors.ts"

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/

/**
 * Refuses requests that the page of another site has made a browser send. On a loopback address also those whose name
 * of this service is not a loopback name, which such a page can have resolved to it. Behind a proxy, `Host` is the
 * proxy's matter.
 */
export const makeOriginGuard = (baseUrl: string): (
  headers: Readonly<Record<string, string | undefined>>
) => Forbidden | undefined => {
  const { host: ownHost, origin: ownOrigin, port, protocol } = new URL(baseUrl)
  const isLocal = loopback.test(ownHost)

  const isOwn = (origin: string): boolean => {
    if (origin === ownOrigin) return true
    const url = URL.parse(origin)
    return isLocal && url !== null && url.protocol === protocol && url.port === port && loopback.test(url.host)
  }

  return ({ host, origin }) => {
    if (origin !== undefined && !isOwn(origin)) {
      return new Forbidden({ message: "A page of another origin cannot use agents' access." })
    }
    if (isLocal && host !== undefined && !loopback.test(host.toLowerCase())) {
      return new Forbidden({ message: `The header Host must name this service: ${ownHost}.` })
    }
    return undefined
  }
}
