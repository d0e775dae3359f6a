import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { MetricsTokenRequired } from "./Authentication.ts"
import { operation } from "./Responses.ts"

const Exposition = Schema.String.annotate({ description: "The Prometheus text format." }).pipe(
  HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

export class MetricsApi extends HttpApiGroup.make("metrics")
  .add(
    HttpApiEndpoint.get("scrape", "/metrics", { success: Exposition })
      .middleware(MetricsTokenRequired)
      .annotateMerge(operation("scrapeMetrics", "Metrics for Prometheus"))
  )
  .annotateMerge(OpenApi.annotations({ title: "Metrics" }))
{}
