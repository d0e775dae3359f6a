import { ConfigProvider, Effect, Layer, Tracer } from "effect"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { LoopbackUpstream, type Reply } from "../support/LoopbackUpstream.ts"

export const ClientOnLoopback = ProviderClient.layer.pipe(
  Layer.provideMerge(Upstream.layer),
  Layer.provide(ProviderHttp.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
  Layer.provideMerge(LoopbackUpstream.originsLayer),
  Layer.provideMerge(LoopbackUpstream.layer)
)

/** Answers the requests in turn, and those after the last answer with the first one. */
export const handle = (...replies: readonly [Reply, ...ReadonlyArray<Reply>]) =>
  Effect.map(LoopbackUpstream, (loopback) => {
    loopback.handle(() => replies[loopback.requests.length - 1] ?? replies[0])
    return loopback
  })

/** The spans of an effect that succeeds. */
export const spansOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return Effect.as(Effect.withTracer(effect, tracer), spans)
}
