import { Clock, Config, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BlockList, isIP } from "node:net"

const prefixLength = { 4: 32, 6: 128 } as const

const versionOf = (address: string): 4 | 6 | undefined => {
  const version = isIP(address)
  return version === 4 || version === 6 ? version : undefined
}

const partsOf = (ranges: string) => ranges.split(",").map((part) => part.trim()).filter((part) => part !== "")

const isRange = (text: string): boolean => {
  const [address = "", prefix, ...rest] = text.split("/")
  const version = versionOf(address)
  return version !== undefined && rest.length === 0 &&
    (prefix === undefined || /^\d{1,3}$/.test(prefix) && Number(prefix) <= prefixLength[version])
}

const Ranges = Schema.String.check(Schema.makeFilter((text) => partsOf(text).every(isRange), {
  message: "Expected IP addresses and ranges such as 10.0.0.0/8, separated by commas"
}))

const trustedProxies = Config.map(
  Config.schema(Ranges, "TRUSTED_PROXIES").pipe(Config.withDefault("")),
  (ranges) => {
    const list = new BlockList()
    for (const range of partsOf(ranges)) {
      const [address = "", prefix] = range.split("/")
      const version = versionOf(address) ?? 4
      list.addSubnet(address, prefix === undefined ? prefixLength[version] : Number(prefix), `ipv${version}`)
    }
    return list
  }
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
      const isTrusted = (address: string) => proxies.check(address, `ipv${versionOf(address) ?? 4}`)

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
          if (peer === null || isTrusted(peer) || (yield* isProxyUntrusted)) return
          warnedAt = yield* Clock.currentTimeMillis
          yield* Effect.logWarning(
            `Requests with X-Forwarded-For come from ${peer}, which is not in TRUSTED_PROXIES. If it is your proxy, ` +
              "add it: until then all its clients count as one address, and one of them can use up the attempts to " +
              "sign in of all"
          )
        }),

        of: (request) => {
          let address = peerOf(request)
          if (address === null || !isTrusted(address)) return address
          for (const hop of (request.headers["x-forwarded-for"] ?? "").split(",").toReversed()) {
            const client = Option.getOrUndefined(parseAddress(hop))
            if (client === undefined) return address
            address = client
            if (!isTrusted(address)) return address
          }
          return address
        }
      })
    })
  )
}

const peerOf = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string | null =>
  Option.getOrNull(Option.flatMap(remoteAddress, parseAddress))

const parseAddress = (text: string): Option.Option<string> => {
  const bare = text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1")
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, "").toLowerCase()
  return isIP(address) === 0 ? Option.none() : Option.some(address)
}
