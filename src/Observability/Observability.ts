import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { ConfigProvider, Effect, Layer, Option, References } from "effect"
import { HttpMiddleware } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { LogFormat, RedactingLoggers } from "./LogFormat.ts"
import { MetricsLayer, otlpEndpoint } from "./Metrics.ts"
import { RedactingTracer } from "./Span.ts"

/** What OpenTelemetry's own variables (`OTEL_TRACES_EXPORTER` and so on) say where they say nothing. */
const allSignals = ConfigProvider.layerAdd(ConfigProvider.fromUnknown({
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp"
}))

/** Traces, metrics and logs over OTLP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise tracing costs nothing. */
const Export = Layer.unwrap(Effect.gen(function*() {
  if (Option.isNone(yield* otlpEndpoint)) return Layer.succeed(References.TracerEnabled, false)
  return RedactingTracer.pipe(
    Layer.provideMerge(Otlp.layerFromConfig({ resource: { serviceName: "openaccounts" } })),
    Layer.provide(allSignals),
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(NodeHttpClient.layerUndici),
    // Its query carries an authorization code.
    Layer.merge(Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => url.startsWith("/connect/callback"))),
    Layer.merge(Layer.succeed(HttpMiddleware.TracerHeaderFilter, (name) => name === "x-call-id"))
  )
}))

export const Observability = RedactingLoggers.pipe(
  Layer.provideMerge(Export),
  Layer.provideMerge(MetricsLayer),
  Layer.provideMerge(LogFormat)
)
