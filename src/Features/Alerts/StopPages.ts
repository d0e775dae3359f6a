import { Effect, Option, Redacted } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type HtmlPage, htmlPage } from "../../Pages/Html/HtmlPage.ts"
import { actions, button, form, linkButton } from "../../Pages/Html/HtmlParts.ts"
import { operatorBranding } from "../../Pages/OperatorBranding.ts"
import { hashToken } from "../../Secrets/IssuedSecrets.ts"
import { ownDashboardUrl } from "../../Settings.ts"
import { AlertsApi } from "./Contract.ts"
import { Choices } from "./Mail/Choices.ts"
import { topicOf } from "./Mail/Compose.ts"
import { MailQueue } from "./Mail/MailQueue.ts"
import { settingsUrlOf } from "./Mail/Settings.ts"

interface StopLink {
  readonly params: { readonly id: string; readonly token: string }
}

/** The page of the link in each mail. Opening it changes nothing, because mail programs open links by themselves. */
export const StopPages = HttpApiBuilder.group(
  AlertsApi,
  "stopPages",
  Effect.fn(function*(handlers) {
    const choices = yield* Choices
    const queue = yield* MailQueue
    const { frame } = yield* operatorBranding
    const settings = linkButton("Open the settings", settingsUrlOf(yield* ownDashboardUrl))
    const page = (parts: Omit<HtmlPage, "status">, status = 200) => htmlPage({ ...frame, ...parts, status })

    const find = ({ id, token }: StopLink["params"]) => queue.ofStopLink(id, hashToken(Redacted.make(token)))

    const unknown = page({
      title: "This link is too old",
      paragraphs: ["Nothing was changed. Your settings say which mail you get."],
      parts: [actions([settings])]
    }, 404)

    return handlers
      .handle("open", ({ params }) =>
        Effect.map(
          find(params),
          Option.match({
            onNone: () => unknown,
            onSome: ({ type }) =>
              page({
                title: "Stop this mail?",
                paragraphs: [`You get no more mail about ${topicOf(type)}.`],
                parts: [form("", {}, [actions([button({ text: "Stop it", kind: "primary" })])])]
              })
          })
        ))
      .handle("stop", ({ params }) =>
        Effect.flatMap(
          find(params),
          Option.match({
            onNone: () => Effect.succeed(unknown),
            onSome: ({ memberId, type }) =>
              Effect.as(
                choices.stop(memberId, type),
                page({
                  title: "It is stopped",
                  paragraphs: [`You get no more mail about ${topicOf(type)}. Your settings can turn it on again.`],
                  parts: [actions([settings])]
                })
              )
          })
        ))
  })
)
