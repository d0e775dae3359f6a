import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AuditEntry, AuditFilter } from "../../Domain/Audit.ts"
import { Cursor, PageRequest } from "../../Domain/Page.ts"
import { ManagerRequired } from "../Authentication.ts"
import { InvalidInput } from "../Errors.ts"
import { Listener } from "../Listener.ts"
import { ListFormat } from "../ListFormat.ts"
import { ErrorResponses } from "../Middleware.ts"
import { operation } from "../Responses.ts"

export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...PageRequest, ...AuditFilter, ...ListFormat },
      success: Schema.Struct({ entries: Schema.Array(AuditEntry), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotateMerge(
      operation(
        "listAudit",
        "List who changed members, clients, keys, connections and webhooks, and refused admin tokens, newest first"
      )
    )
  )
  .middleware(ManagerRequired)
  .middleware(ErrorResponses)
  .prefix("/admin/v1/audit")
  .annotate(Listener, "admin")
  .annotateMerge(OpenApi.annotations({ title: "Management: audit" }))
{}
