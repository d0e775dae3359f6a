import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { InternalError } from "./Errors.ts"
import { Listener } from "./Listener.ts"
import { operation } from "./Responses.ts"

const Ok = Schema.Struct({ ok: Schema.Literal(true) })

export const Ready = Schema.Struct({
  ...Ok.fields,
  degraded: Schema.optionalKey(
    Schema.Array(Schema.Literals(["encryption_keys", "clickhouse"])).annotate({
      description: "What does not work, although the service does. `encryption_keys`: stored connections need a key " +
        "that is not configured. The log, `oa doctor` and `GET /admin/v1/status` name it. `clickhouse`: ClickHouse does " +
        "not answer. Older calls cannot be read, and the copy of the log waits."
    })
  ),
  warnings: Schema.optionalKey(
    Schema.Array(Schema.Literal("untrusted_proxy")).annotate({
      description: "`untrusted_proxy`: within the last hour `X-Forwarded-For` came from outside `TRUSTED_PROXIES`."
    })
  )
})

export class HealthApi extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("healthz", "/healthz", { success: Ok }).annotate(Listener, "both").annotateMerge(
      operation("checkHealth", "Check that the process is up")
    ),
    HttpApiEndpoint.get("readyz", "/readyz", { success: Ready, error: InternalError.schema })
      .annotateMerge(operation("checkReadiness", "Check that the database answers and accepts writes"))
  )
  .annotateMerge(OpenApi.annotations({ title: "Health" }))
{}
