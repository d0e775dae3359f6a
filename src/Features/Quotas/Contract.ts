import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CallerRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { operation } from "../../Api/Responses.ts"
import { ConnectionId } from "../../Domain/Ids.ts"
import { Lookup, Timestamp } from "../../Domain/Validation/Fields.ts"

export const QuotaUse = Schema.Struct({
  name: Schema.String,
  provider: Schema.String,
  connection_id: Schema.NullOr(ConnectionId).annotate({
    description: "`null` for the quota of a project, which connections share."
  }),
  resource: Schema.NullOr(Schema.String),
  window_seconds: Schema.Int.annotate({ description: "0 for a limit of requests under way." }),
  limit: Schema.Int,
  used: Schema.Int.annotate({ description: "Units taken in the window, over all instances." }),
  remaining: Schema.Int,
  resets_at: Timestamp.annotate({ description: "When all units that are taken have come back." }),
  source: Schema.Literals(["declared", "reported"]).annotate({
    description: "`reported` if the provider has said how much is left."
  })
}).annotate({ identifier: "Quota" })
export type QuotaUse = typeof QuotaUse.Type

export class QuotasGroup extends group("quotas", { title: "Quotas", listener: "both" })
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { provider: Lookup.pipe(Schema.optionalKey), connection_id: Lookup.pipe(Schema.optionalKey) },
      success: Schema.Struct({ quotas: Schema.Array(QuotaUse) }),
      error: InvalidInput.schema
    }).annotateMerge(
      operation("listQuotas", "List the provider quotas that calls have used on connections that the key can see")
    )
  )
  .middleware(CallerRequired)
  .prefix("/v1/quotas")
{}

export class QuotasApi extends served([QuotasGroup]) {}
