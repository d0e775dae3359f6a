import { Clock, Config, Context, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IpInterface, IpNetwork, NetAddress } from "effect/net"
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

/**
 * Without `TRUSTED_PROXIES`, the address of the TCP connection. A trusted proxy appends its client to
 * `X-Forwarded-For`. Earlier entries may be forged.
 */
export class ClientAddress extends Context.Service<ClientAddress, {
  readonly of: (request: HttpServerRequest.HttpServerRequest) => string | null
  /** Logs, at most once an hour, that `X-Forwarded-For` comes from an address that is not trusted. */
  readonly warn: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void>
  /** True for an hour after such a warning. */
  readonly isProxyUntrusted: Effect.Effect<boolean>
}>()("openaccounts/Http/Server/ClientAddress") {
  static readonly layer = Layer.effect(
    ClientAddress,
    Effect.map(trustedProxies, (proxies) => {
      const isTrusted = (address: NetAddress.IpAddress) =>
        proxies.some((network) => IpNetwork.contains(network, address))

      let warnedAt = Number.NEGATIVE_INFINITY
      const isProxyUntrusted = Effect.map(
        Clock.currentTimeMillis,
        (now) => now - warnedAt < Duration.toMillis(warningInterval)
      )

      return ClientAddress.of({
        isProxyUntrusted,

        warn: Effect.fnUntraced(function*(request) {
          if (request.headers["x-forwarded-for"] === undefined) return
          const peer = peerOf(request)
          if (peer === undefined || isTrusted(peer) || (yield* isProxyUntrusted)) return
          warnedAt = yield* Clock.currentTimeMillis
          yield* Effect.logWarning(
            `Requests with X-Forwarded-For come from ${NetAddress.formatIp(peer)}, which is not in TRUSTED_PROXIES. ` +
              "If it is your proxy, add it: until then all its clients count as one address, and one of them can use " +
              "up the attempts to sign in of all"
          )
        }),

        of: (request) => {
          const peer = peerOf(request)
          if (peer === undefined) return null
          let address = peer
          for (const hop of (request.headers["x-forwarded-for"] ?? "").split(",").toReversed()) {
            const client = isTrusted(address) ? Option.getOrUndefined(parseHop(hop)) : undefined
            if (client === undefined) break
            address = client
          }
          return NetAddress.formatIp(address)
        }
      })
    })
  )
}

const peerOf = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): NetAddress.IpAddress | undefined =>
  Option.getOrUndefined(Option.flatMap(remoteAddress, ipOf))

/** An entry of `X-Forwarded-For`. Some proxies write a port. */
const parseHop = (text: string): Option.Option<NetAddress.IpAddress> =>
  ipOf(text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1"))
