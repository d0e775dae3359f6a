import { formatNamed, textOfFacts } from "./AlertFormat.ts"

/** https://docs.slack.dev/messaging/formatting-message-text: these three characters alone are escaped. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Incoming webhooks, and workflows that begin with a webhook, whose variables are `title`, `detail` and `link`. */
export const slack = formatNamed("slack", {
  payload: ({ facts, link, title }, url) =>
    url.pathname.startsWith("/triggers/")
      ? { title, detail: textOfFacts(facts), link: link.url }
      : {
        text: escaped(title),
        blocks: [
          { type: "header", text: { type: "plain_text", text: title, emoji: false } },
          {
            type: "section",
            fields: facts.map(({ name, value }) => ({
              type: "mrkdwn",
              text: `*${name}*\n${escaped(value)}`,
              verbatim: true
            }))
          },
          {
            type: "actions",
            elements: [{ type: "button", text: { type: "plain_text", text: link.text }, url: link.url }]
          }
        ]
      }
})
