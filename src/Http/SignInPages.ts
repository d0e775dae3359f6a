import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { ApiError } from "../Api/Errors.ts"
import { SignInErrorPages } from "../Api/Middleware.ts"
import type { Connection } from "../Domain/Connection.ts"
import { CurrentCallId } from "../Domain/CurrentCallId.ts"
import type { CallId } from "../Domain/Ids.ts"
import { toApiError } from "./ErrorResponses.ts"
import { htmlPage } from "./HtmlPage.ts"

export const connectedPage = (
  { external_account, id, label }: Connection,
  { client, provider }: { readonly client: string | undefined; readonly provider: string }
) =>
  htmlPage({
    status: 200,
    state: "ok",
    title: `${provider} is connected`,
    paragraphs: [
      "You can close this window.",
      "You can end the access at any time in the security settings of your account at the provider."
    ],
    facts: [
      ...(external_account === null ? [] : [["Account", external_account]] as const),
      ...(client === undefined ? [] : [["For", client]] as const),
      ["Name", label],
      ["Connection", id, "code"]
    ]
  })

const newLink = "Ask the person who sent you the link for a new one: each link works once."

const explain = (error: ApiError) => {
  const [issue] = error.code === "invalid_input" ? error.details ?? [] : []
  switch (issue?.path[0]) {
    case "error":
      return issue.message.includes("access_denied")
        ? {
          state: "off" as const,
          title: "You did not grant access",
          paragraphs: ["No account was connected, and nothing was changed.", `Did you mean to connect it? ${newLink}`]
        }
        : { state: "error" as const, title: "The provider ended the sign-in", paragraphs: [issue.message, newLink] }
    case "state":
      return {
        state: "over" as const,
        title: "This sign-in is over",
        paragraphs: [
          "It was used before, took longer than 10 minutes, or is unknown.",
          `If the account was connected before, nothing is left to do. Otherwise: ${lowerFirst(newLink)}`
        ]
      }
    default:
      return {
        state: "error" as const,
        title: "The account was not connected",
        paragraphs: [
          error.message,
          `${newLink} If it fails again, give them the call id below.`
        ]
      }
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const failedPage = (error: ApiError, callId: CallId) =>
  htmlPage({
    status: error.status,
    ...explain(error),
    facts: [["Error", error.code, "code"], ["Call id", callId, "code"]]
  })

const accepts = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["accept"]?.toLowerCase().includes("text/html") === true

export const SignInErrorPagesLayer = Layer.succeed(
  SignInErrorPages,
  (response) =>
    Effect.catchCause(response, (cause) =>
      Effect.gen(function*() {
        if (!accepts(yield* HttpServerRequest.HttpServerRequest)) return yield* Effect.failCause(cause)
        return failedPage(yield* toApiError(cause), yield* CurrentCallId)
      }))
)
