import { formatNamed } from "./AlertFormat.ts"

/** Office 365 connectors, which Microsoft has ended. */
const isConnector = ({ hostname }: URL): boolean =>
  hostname === "webhook.office.com" || hostname.endsWith(".webhook.office.com")

/** Workflows of the kind "Post to a channel when a webhook request is received". */
export const teams = formatNamed("teams", {
  refusal: (url) =>
    isConnector(url)
      ? "Microsoft has ended these connectors. Make a workflow in Teams: \"Post to a channel when a webhook request is " +
        "received\""
      : undefined,
  payload: ({ facts, link, title }) => ({
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [
          { type: "TextBlock", text: title, weight: "Bolder", size: "Medium", wrap: true },
          { type: "FactSet", facts: facts.map(({ name, value }) => ({ title: name, value })) }
        ],
        actions: [{ type: "Action.OpenUrl", title: link.text, url: link.url }]
      }
    }]
  })
})
