import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CallFilter, LoggedCall } from "../../Domain/Calls/Call.ts"
import { Cursor, pagesOfEntries } from "../../Domain/Page.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ManagerRequired } from "../Authentication.ts"
import { LoggedCallDetail, searchEndpoint } from "../Calls/LogsApi.ts"
import { CallNotFound, InvalidInput } from "../Errors.ts"
import { Unavailable } from "../Errors/RequestErrors.ts"
import { group } from "../Group.ts"
import { ListFormat } from "../ListFormat.ts"
import { operation } from "../Responses.ts"

export class AdminLogsApi extends group("adminLogs", { title: "Management: logs", listener: "admin" })
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pagesOfEntries(LoggedCall), ...CallFilter, ...ListFormat },
      success: Schema.Struct({ calls: Schema.Array(LoggedCall), cursor: Cursor }),
      error: [InvalidInput.schema, Unavailable.schema]
    }).annotateMerge(operation("listAdminLogs", "List all calls, newest first")),
    searchEndpoint("searchAdminLogs", "List all calls from which redaction removed a secret, newest first"),
    HttpApiEndpoint.get("get", "/:call_id", {
      params: { call_id: Lookup },
      success: LoggedCallDetail,
      error: [CallNotFound.schema, Unavailable.schema]
    }).annotateMerge(operation("getAdminLogs", "Get any call with its redacted request and response"))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/logs")
{}
