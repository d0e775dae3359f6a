import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { RequestCounts } from "../../Capacity/RequestCounts.ts"
import type { Feature } from "../Feature.ts"
import { mailCheck } from "./Checks.ts"
import { AlertsApi, alertsGroups } from "./Contract.ts"
import { AddFormats } from "./Formats/AddFormats.ts"
import { AlertsHandlers, ManagedAlertsHandlers } from "./Handlers.ts"
import { Choices } from "./Mail/Choices.ts"
import { Mailer } from "./Mail/Mailer.ts"
import { MailOutbox } from "./Mail/MailOutbox.ts"
import { MailQueue } from "./Mail/MailQueue.ts"
import { MailSender } from "./Mail/MailSender.ts"
import { mailSettings } from "./Mail/Settings.ts"
import { createAlerts } from "./Migration.ts"
import { Notices, ServeNotices } from "./Notices/Notices.ts"
import { StopPages } from "./StopPages.ts"

/** News that people read: in the chats of their teams, and by e-mail. */
export const alerts: Feature = {
  name: "alerts",
  needs: ["webhooks"],
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(AlertsApi).pipe(Layer.provide([AlertsHandlers, ManagedAlertsHandlers, StopPages])),
    ServeNotices,
    MailSender
  ).pipe(Layer.provide([Choices.layer, Mailer.layer, MailQueue.layer, Notices.layer, RequestCounts.layer])),
  owns: {
    storage: Layer.merge(AddFormats, MailOutbox).pipe(Layer.provide([Choices.layer, Mailer.layer, MailQueue.layer])),
    groups: alertsGroups,
    migrations: { "0018_create_alerts": createAlerts },
    settings: [mailSettings],
    settingNames: ["SMTP_URL", "MAIL_FROM"],
    checks: [mailCheck]
  }
}
