import { Config, Context, Effect, Layer, Metric, Option, Schema } from "effect"
import { observeConnections } from "../Sql/DatabaseMetrics.ts"
import { Meter } from "./Meter.ts"
import { observeProcess } from "./ProcessMetrics.ts"

const Token = Schema.RedactedFromValue(
  Schema.String.check(Schema.isMinLength(32, { message: "Expected at least 32 characters" }))
)

/** The bearer token of `GET /metrics`, `METRICS_TOKEN`; none means that there is no such path. */
export const metricsToken = Config.option(Config.schema(Token, "METRICS_TOKEN"))

/** Where OTLP goes, `OTEL_EXPORTER_OTLP_ENDPOINT`; none means that nothing is exported. */
export const otlpEndpoint = Config.option(Config.URL("OTEL_EXPORTER_OTLP_ENDPOINT"))

/** What everything is measured with. There is none where nobody would look, and then nothing is measured. */
export const Metrics = Context.Reference<Meter | undefined>("openaccounts/Observability/Metrics", {
  defaultValue: () => undefined
})

export const MetricsLayer = Layer.effectContext(Effect.gen(function*() {
  if (Option.isNone(yield* metricsToken) && Option.isNone(yield* otlpEndpoint)) return Context.empty()
  const meter = new Meter()
  yield* observeProcess(meter)
  // Before the database opens its first one.
  yield* observeConnections(meter)
  return Context.make(Metrics, meter).pipe(Context.add(Metric.MetricRegistry, meter.registry))
}))
