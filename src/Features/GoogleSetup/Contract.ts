import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { ManagerRequired } from "../../Api/Authentication.ts"
import { group, served } from "../../Api/Group.ts"
import { IsTest } from "../../Api/Right.ts"

const CheckStatus = Schema.Literals(["ok", "wrong", "unknown", "todo"]).annotate({
  description: "`todo` is not set up yet. `unknown` is what no answer of Google has shown."
})

export const GoogleCheck = Schema.Struct({
  id: Schema.String.annotate({ description: "Such as `redirect_uri` or `api_enabled.gsc`." }),
  status: CheckStatus,
  found: Schema.NullOr(Schema.String).annotate({ description: "What the settings and Google's answers say." }),
  fix: Schema.NullOr(Schema.String).annotate({ description: "What to do." }),
  url: Schema.NullOr(Schema.String).annotate({ description: "Where to do it." })
}).annotate({ identifier: "GoogleCheck" })
export type GoogleCheck = typeof GoogleCheck.Type

export class GoogleSetupGroup extends group("googleSetup", { title: "Management: Google", listener: "admin" })
  .add(
    HttpApiEndpoint.get("check", "/check", { success: Schema.Struct({ checks: Schema.Array(GoogleCheck) }) })
      .annotate(IsTest, true)
      .annotateMerge(OpenApi.annotations({
        identifier: "checkGoogle",
        summary: "Check the project at Google, the first thing to do first",
        description: "Asks Google at most 30 harmless questions within 20 seconds. Changes no connection."
      }))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/google")
{}

export class GoogleSetupApi extends served([GoogleSetupGroup]) {}
