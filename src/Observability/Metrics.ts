import { Config, Context, Effect, Layer, Metric, Option, Schema } from "effect"
import { Meter } from "./Meter.ts"
import { observeProcess } from "./ProcessMetrics.ts"

const Token = Schema.RedactedFromValue(
  Schema.String.check(Schema.isMinLength(32, { message: "Expected at least 32 characters" }))
)

export const metricsSecrets = ["METRICS_TOKEN"]

export const metricsToken = Config.option(Config.schema(Token, "METRICS_TOKEN"))

export const otlpEndpoint = Config.option(Config.URL("OTEL_EXPORTER_OTLP_ENDPOINT"))

export const Metrics = Context.Reference<Meter | undefined>("openaccounts/Observability/Metrics", {
  defaultValue: () => undefined
})

export const MetricsLayer = Layer.effectContext(Effect.gen(function*() {
  if (Option.isNone(yield* metricsToken) && Option.isNone(yield* otlpEndpoint)) return Context.empty()
  const meter = new Meter()
  yield* observeProcess(meter)
  return Context.make(Metrics, meter).pipe(Context.add(Metric.MetricRegistry, meter.registry))
}))
