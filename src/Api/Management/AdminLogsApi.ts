import { ManagerRequired } from "../Authentication.ts"
import { getEndpoint, listEndpoint, searchEndpoint } from "../Calls/LogsApi.ts"
import { group } from "../Group.ts"

export class AdminLogsApi extends group("adminLogs", { title: "Management: logs", listener: "admin" })
  .add(
    listEndpoint("listAdminLogs", "List all calls, newest first"),
    searchEndpoint("searchAdminLogs", "List all calls from which redaction removed a secret, newest first"),
    getEndpoint("getAdminLogs", "Get any call with its redacted request and response")
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/logs")
{}
