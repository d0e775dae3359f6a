import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AuditEntry, AuditFilter } from "../../Declared/Audit.ts"
import { Cursor, pagesOfEntries } from "../../Domain/Page.ts"
import { ManagerRequired } from "../Authentication.ts"
import { InvalidInput } from "../Errors.ts"
import { group } from "../Group.ts"
import { ListFormat } from "../ListFormat.ts"
import { operation } from "../Responses.ts"

export class AuditApi extends group("audit", { title: "Management: audit", listener: "admin" })
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pagesOfEntries(AuditEntry), ...AuditFilter, ...ListFormat },
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
  .prefix("/admin/v1/audit")
{}
