import type { WebhookFormat } from "../../../Declared/WebhookFormat.ts"

export const standard = "standard"

export const formatTitles: Readonly<Record<WebhookFormat, string>> = {
  standard: "Standard: signed JSON",
  slack: "Slack",
  teams: "Microsoft Teams",
  google_chat: "Google Chat",
  discord: "Discord"
}
