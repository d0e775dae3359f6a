import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../Api/CoreApi.ts"
import { Metrics } from "../../Observability/Metrics.ts"

export const MetricsHandlers = HttpApiBuilder.group(
  CoreApi,
  "metrics",
  Effect.fn(function*(handlers) {
    const metrics = yield* Metrics

    return handlers.handleAll({ scrape: () => Effect.sync(() => metrics?.prometheus() ?? "") })
  })
)
