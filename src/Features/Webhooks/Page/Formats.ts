import { type WebhookFormat, webhookFormats } from "../../../Declared/WebhookFormat.ts"

export const standard = "standard"

export const formatTitles: Readonly<Record<WebhookFormat, string>> = {
  standard: "Standard: signed JSON",
  slack: "Slack",
  teams: "Microsoft Teams",
  google_chat: "Google Chat",
  discord: "Discord"
}

/** A newer service may answer a format that this page does not know. */
export const titleOf = (name: string): string => {
  const format = webhookFormats.find((each) => each === name)
  return format === undefined ? name : formatTitles[format]
}
