import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
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
