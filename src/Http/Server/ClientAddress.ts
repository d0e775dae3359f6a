import { Clock, Config, Context, Duration, Effect, identity, Layer, Option, Result, Schema } from "effect"
import { HttpMiddleware, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { IpInterface, IpNetwork, NetAddress } from "effect/net"
import { isIPv4 } from "node:net"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import { ipOf } from "../../Domain/Request/Network.ts"

const networkOf = (range: string) => Result.map(IpInterface.fromString(range), IpNetwork.fromInterface)

const partsOf = (ranges: string) => ranges.split(",").map((part) => part.trim()).filter((part) => part !== "")

const Ranges = Schema.String.check(Schema.makeFilter((text) => partsOf(text).map(networkOf).every(Result.isSuccess), {
  message: "Expected IP addresses and ranges such as 10.0.0.0/8, separated by commas"
}))

export const trustedProxies = Config.map(
  Config.schema(Ranges, "TRUSTED_PROXIES").pipe(Config.withDefault("")),
  (ranges) => partsOf(ranges).map((range) => Result.getOrThrow(networkOf(range)))
)

const warningInterval = Duration.hours(1)

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>

/**
 * Without `TRUSTED_PROXIES`, the address of the TCP connection. A trusted proxy appends its client to
 * `X-Forwarded-For`. Earlier entries may be forged.
 */
export class ClientAddress extends Context.Service<ClientAddress, {
  /**
   * Provides `CurrentAddress`. Logs, at most once an hour, that `X-Forwarded-For` comes from an address that is not
   * trusted.
   */
  readonly provide: <E, R>(app: App<E, R>) => App<E, R>
  /** True for an hour after such a warning. */
  readonly isProxyUntrusted: Effect.Effect<boolean>
}>()("openaccounts/Http/Server/ClientAddress") {
  static readonly layer = Layer.effect(
    ClientAddress,
    Effect.map(trustedProxies, (proxies) => {
      let warnedAt = Number.NEGATIVE_INFINITY
      const isProxyUntrusted = Effect.map(
        Clock.currentTimeMillis,
        (now) => now - warnedAt < Duration.toMillis(warningInterval)
      )

      const warn = Effect.fnUntraced(function*(peer: NetAddress.IpAddress | undefined) {
        const isTrusted = peer === undefined || proxies.some((network) => IpNetwork.contains(network, peer))
        if (isTrusted || (yield* isProxyUntrusted)) return
        warnedAt = yield* Clock.currentTimeMillis
        yield* Effect.logWarning(
          `Requests with X-Forwarded-For come from ${NetAddress.formatIp(peer)}, which is not in TRUSTED_PROXIES. ` +
            "If it is your proxy, add it: until then all its clients count as one address, and one of them can use " +
            "up the attempts to sign in of all"
        )
      })

      const forwarded: <E, R>(app: App<E, R>) => App<E, R> = proxies.length === 0
        ? identity
        : HttpMiddleware.xForwardedHeaders({ trustedProxies: proxies })

      return ClientAddress.of({
        isProxyUntrusted,
        provide: (app) =>
          forwarded(Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, peerAddress, remoteAddress }) => {
            const served = Effect.provideService(app, CurrentAddress, textOf(Option.getOrUndefined(remoteAddress)))
            return headers["x-forwarded-for"] === undefined
              ? served
              : Effect.andThen(warn(knownIp(peerAddress)), served)
          }))
      })
    })
  )
}

/** Most addresses are of IPv4, and parsing each takes 1 % of the CPU of a read. */
const textOf = (remoteAddress: string | undefined): string | null => {
  const mapped = remoteAddress?.replace(/^::ffff:/, "")
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  const address = knownIp(Option.fromUndefinedOr(remoteAddress))
  return address === undefined ? null : NetAddress.formatIp(address)
}

const knownIp = (address: Option.Option<string>): NetAddress.IpAddress | undefined =>
  Option.getOrUndefined(Option.flatMap(address, ipOf))
