import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { Metrics } from "../../Observability/Metrics.ts"

export const MetricsHandlers = HttpApiBuilder.group(
  Api,
  "metrics",
  Effect.fn(function*(handlers) {
    const metrics = yield* Metrics

    return handlers.handleAll({ scrape: () => Effect.sync(() => metrics?.prometheus() ?? "") })
  })
)
