import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { apiError } from "../../Api/ApiError.ts"
import { ManagerRequired, SessionRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { ClientNotFound } from "../../Api/ManagementErrors.ts"
import { JsonRequestBody, VisitorShare } from "../../Api/Middleware.ts"
import { operation } from "../../Api/Responses.ts"
import { Cursor, pagesOfEntries } from "../../Domain/Page.ts"
import { AlertChange, AlertChoices, AlertTest, MailDelivery } from "./Alerts.ts"
import { alertFormats } from "./Declared.ts"

export class StopLinkNotFound extends apiError("StopLinkNotFound", {
  code: "link_not_found",
  status: 404,
  when: "There is no such link to stop mail"
}) {}

export class AlertsGroup extends group("alerts", { title: "Alerts by e-mail", listener: "both" })
  .add(
    HttpApiEndpoint.get("get", "/alerts", { success: AlertChoices })
      .annotateMerge(operation("getAlerts", "Get what the signed-in member gets by e-mail")),
    HttpApiEndpoint.put("set", "/alerts", {
      payload: AlertChange,
      success: AlertChoices,
      error: ClientNotFound.schema
    }).middleware(JsonRequestBody).annotateMerge(
      operation("setAlerts", "Choose what the signed-in member gets by e-mail", {
        events: ["connection.expired"],
        digest_client_ids: null
      })
    ),
    HttpApiEndpoint.post("test", "/alerts/test", { success: AlertTest })
      .annotateMerge(operation("testAlerts", "Send the signed-in member a sample by e-mail"))
  )
  .middleware(SessionRequired)
  .prefix("/auth")
{}

export const Sample = Schema.Struct({
  title: Schema.String,
  facts: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
  link: Schema.Struct({ text: Schema.String, url: Schema.String }),
  body: Schema.Json.annotate({ description: "What is posted." })
}).annotate({ identifier: "AlertSample" })

export class ManagedAlertsGroup extends group("managedAlerts", { title: "Management: alerts", listener: "admin" })
  .add(
    HttpApiEndpoint.get("sample", "/alerts/samples/:format", {
      params: { format: Schema.Literals(alertFormats) },
      success: Sample,
      error: InvalidInput.schema
    }).annotateMerge(operation("getAlertSample", "Get the text that a test sends to a webhook of a format")),
    HttpApiEndpoint.get("mailDeliveries", "/mail-deliveries", {
      query: pagesOfEntries(MailDelivery),
      success: Schema.Struct({ mail_deliveries: Schema.Array(MailDelivery), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotateMerge(operation("listMailDeliveries", "List the mail of the last 90 days, newest first"))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1")
{}

const ofLink = { params: { id: Schema.String, token: Schema.String }, error: StopLinkNotFound.schema }

export class StopPagesGroup extends HttpApiGroup.make("stopPages")
  .add(
    HttpApiEndpoint.get("open", "/alerts/stop/:id/:token", ofLink),
    HttpApiEndpoint.post("stop", "/alerts/stop/:id/:token", ofLink)
  )
  .middleware(VisitorShare)
  .annotate(OpenApi.Exclude, true)
{}

export const alertsGroups = [AlertsGroup, ManagedAlertsGroup, StopPagesGroup] as const

export class AlertsApi extends served(alertsGroups) {}
