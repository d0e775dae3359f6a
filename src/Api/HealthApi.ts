import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/unstable/httpapi"
import { ErrorBody } from "./ErrorBody.ts"
import { InternalError } from "./Errors.ts"

const Ok = Schema.Struct({ ok: Schema.Literal(true) })

export class HealthApi extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("healthz", "/healthz", { success: Ok }).annotate(OpenApi.Summary, "The process is up"),
    HttpApiEndpoint.get("readyz", "/readyz", { success: Ok, error: InternalError.schema })
      .annotate(OpenApi.Summary, "The database answers")
  )
  .middleware(ErrorBody)
  .annotateMerge(OpenApi.annotations({ title: "Health" }))
{}
