import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { ConfigProvider, Effect, Layer, Option, References } from "effect"
import { HttpMiddleware } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { LogFormat } from "../../Observability/LogFormat.ts"
import { MetricsLayer, otlpEndpoint } from "../../Observability/Metrics.ts"
import { RedactingLoggers } from "./RedactingLogger.ts"
import { RedactingTracer } from "./RedactingTracer.ts"

const exporterDefaults = ConfigProvider.layerAdd(ConfigProvider.fromUnknown({
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp"
}))

const untracedPaths = ["/connect/callback", "/auth/oidc", "/oauth/", "/dashboard?next="]

const OtlpExport = Layer.unwrap(Effect.gen(function*() {
  if (Option.isNone(yield* otlpEndpoint)) return Layer.succeed(References.TracerEnabled, false)
  return RedactingTracer.pipe(
    Layer.provideMerge(Otlp.layerFromConfig({ resource: { serviceName: "openaccounts" } })),
    Layer.provide(exporterDefaults),
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(NodeHttpClient.layerUndici),
    // URLs of callbacks and consents contain authorization codes and ids. Redirects contain states.
    Layer.merge(
      Layer.succeed(
        HttpMiddleware.TracerDisabledWhen,
        ({ url }) => untracedPaths.some((path) => url.startsWith(path))
      )
    ),
    Layer.merge(Layer.succeed(HttpMiddleware.TracerHeaderFilter, (name) => name === "x-call-id"))
  )
}))

export const Observability = RedactingLoggers.pipe(
  Layer.provideMerge(OtlpExport),
  Layer.provideMerge(MetricsLayer),
  Layer.provideMerge(LogFormat)
)
