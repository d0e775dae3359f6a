import { Schema } from "effect"
import { alertFormats } from "../Features/Alerts/Declared.ts"

export const webhookFormats = ["standard", ...alertFormats] as const

export const WebhookFormat = Schema.Literals(webhookFormats)
export type WebhookFormat = typeof WebhookFormat.Type
