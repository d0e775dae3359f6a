import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { MissingKey } from "../../Domain/ReEncryption.ts"
import { ManagerRequired } from "../Authentication.ts"
import { group } from "../Group.ts"
import { operation } from "../Responses.ts"

const Status = Schema.Struct({
  provider_mode: Schema.Literals(["live", "sandbox"]),
  features: Schema.Record(Schema.String, Schema.Boolean).annotate({
    description: "Each feature, and whether this service has it (`FEATURES_OFF`)."
  }),
  encryption: Schema.Struct({
    key_id: Schema.String.annotate({ description: "The first key, which encrypts." }),
    missing: Schema.Array(MissingKey).annotate({
      description: "Keys that stored data needs and this instance does not have. Calls on those connections fail."
    })
  })
}).annotate({ identifier: "Status" })

export class StatusApi extends group("status", { title: "Management: status", listener: "admin" })
  .add(
    HttpApiEndpoint.get("read", "/", { success: Status })
      .annotateMerge(operation("readStatus", "How this instance is set up, and which encryption keys it lacks"))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/status")
{}
