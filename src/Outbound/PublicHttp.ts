import { Client } from "@effect/platform-node/Undici"
import { Data, Duration, Effect, Result } from "effect"
import { Dns, NetAddress } from "effect/net"
import type { LookupFunction } from "node:net"
import { isPublicAddress, parsePublicUrl } from "./PublicAddress.ts"
import { type ReadBytes, readUpTo } from "./ReadUpTo.ts"
import { toTransportError } from "./TransportError.ts"

export interface PublicRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeout: Duration.Duration
  readonly maxBytes: number
}

export interface PublicResponse extends ReadBytes {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** `message` has the host and the failure, but no path, header or secret. */
export class PublicRequestFailed extends Data.TaggedError("PublicRequestFailed")<{ readonly message: string }> {}

export interface PublicHttp {
  readonly exchange: (request: PublicRequest) => Effect.Effect<PublicResponse, PublicRequestFailed>
}

/**
 * Requests to URLs that others wrote: `https` to public addresses only, unless `allowPrivate`. Each request resolves
 * the name once and connects to one of its addresses. If any of them is not public, it makes no connection.
 * Follows no redirect.
 */
export const makePublicHttp = Effect.fnUntraced(function* makePublicHttp(
  { allowPrivate }: { readonly allowPrivate: boolean }
): Effect.fn.Return<PublicHttp, never, Dns.Dns> {
  const dns = yield* Dns.Dns

  const resolve = Effect.fnUntraced(function* resolve({ hostname }: URL) {
    const addresses = yield* Effect.mapError(
      dns.lookup(hostname),
      () => new PublicRequestFailed({ message: `${hostname} could not be found: its name does not resolve.` })
    )
    const hidden = addresses.find((address) => !isPublicAddress(address))
    if (hidden !== undefined && !allowPrivate) {
      return yield* new PublicRequestFailed({
        message: `${hostname} resolves to ${NetAddress.formatIp(hidden)}, which is not a public address.`
      })
    }
    return addresses
  })

  return {
    exchange: ({ body, headers, maxBytes, method, timeout, url: text }) =>
      Effect.gen(function*() {
        const url = yield* Effect.mapError(
          Effect.fromResult(parsePublicUrl(text, allowPrivate)),
          (message) => new PublicRequestFailed({ message: `The URL is refused: ${message}.` })
        )
        const lookup = isNumeric(url) ? undefined : pinned(yield* resolve(url))
        return yield* Effect.acquireUseRelease(
          Effect.sync(() =>
            new Client(url.origin, {
              connect: { timeout: Duration.toMillis(timeout), ...(lookup === undefined ? {} : { lookup }) },
              headersTimeout: 0,
              bodyTimeout: 0,
              allowH2: false
            })
          ),
          (client) =>
            Effect.tryPromise({
              try: async (signal) => {
                const response = await client.request({
                  method,
                  path: url.pathname + url.search,
                  headers,
                  body: body ?? null,
                  signal
                })
                return {
                  status: response.statusCode,
                  headers: response.headers,
                  ...await readUpTo(response.body, maxBytes)
                }
              },
              catch: (cause) => new PublicRequestFailed({ message: toTransportError(cause, url.host).message })
            }),
          (client) => Effect.promise(() => client.destroy())
        )
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () =>
            Effect.fail(
              new PublicRequestFailed({
                message: `${URL.parse(text)?.host} did not answer within ${Duration.format(timeout)}.`
              })
            )
        })
      )
  }
})

const isNumeric = ({ hostname }: URL): boolean =>
  hostname.startsWith("[") || Result.isSuccess(NetAddress.ipFromString(hostname))

const pinned = (addresses: ReadonlyArray<NetAddress.IpAddress>): LookupFunction => {
  const [first, ...rest] = addresses.map((address) => ({
    address: NetAddress.formatIp(address),
    family: NetAddress.isIpv4Address(address) ? 4 : 6
  }))
  return (hostname, { all }, callback) => {
    if (first === undefined) return callback(new Error(`${hostname} has no address`), "")
    if (all === true) callback(null, [first, ...rest])
    else callback(null, first.address, first.family)
  }
}
