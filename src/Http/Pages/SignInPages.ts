import { Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { ApiError } from "../../Api/Errors.ts"
import { SignInErrorPages } from "../../Api/Middleware.ts"
import type { ConnectRefused } from "../../Connections/Connect/ConnectRefused.ts"
import type { Connection } from "../../Domain/Connection.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { type HtmlPage, htmlPage } from "../../Pages/Html/HtmlPage.ts"
import { support } from "../../Pages/Html/HtmlParts.ts"
import { type OperatorBranding, operatorBranding } from "../../Pages/OperatorBranding.ts"
import { toApiError } from "../Server/ErrorResponses.ts"

type Frame = OperatorBranding["frame"]

export const connectedPage = (
  frame: Frame,
  { external_account, id, label }: Connection,
  { client, provider }: { readonly client: string | undefined; readonly provider: string }
) =>
  htmlPage({
    ...frame,
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

const newLink =
  "Begin again where you began, or ask the person who sent you a link for a new one: each link works once."

export type Explanation = Pick<HtmlPage, "state" | "title" | "paragraphs" | "parts">

const explain = (error: ApiError): Explanation =>
  error.code === "link_over" || error.code === "link_not_found"
    ? { state: "over", title: "This link has ended", paragraphs: [error.message] }
    : {
      state: "error",
      title: "The account was not connected",
      paragraphs: [error.message, `${newLink} If it fails again, give them the details for support.`]
    }

const explainRefusal = ({ invalidInput, message, reason }: ConnectRefused): Explanation => {
  switch (reason) {
    case "denied":
      return {
        state: "off",
        title: "You did not grant access",
        paragraphs: ["No account was connected, and nothing was changed.", `Did you mean to connect it? ${newLink}`]
      }
    case "provider_error":
      return { state: "error", title: "The provider ended the sign-in", paragraphs: [message, newLink] }
    case "sign_in_over":
      return {
        state: "over",
        title: "This sign-in has ended",
        paragraphs: [
          "It was used before, took longer than 10 minutes, began in another browser, or is unknown.",
          `If the account was connected before, nothing is left to do. Otherwise: ${lowerFirst(newLink)}`
        ]
      }
    default:
      return explain(invalidInput)
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const failedPage = (frame: Frame, explained: Explanation, error: ApiError, callId: CallId) =>
  htmlPage({
    ...frame,
    status: error.status,
    retryAfter: error.retryAfter,
    ...explained,
    parts: [
      ...explained.parts ?? [],
      support([
        ["Error", error.code, "code"],
        ["Call id", callId, "code"],
        ...error.check === undefined ? [] : [["Check", error.check.id, "code"]] as const
      ])
    ]
  })

export const acceptsHtml = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["accept"]?.toLowerCase().includes("text/html") === true

export const signInRefused = (frame: Frame) =>
  Effect.fnUntraced(function*(refused: ConnectRefused) {
    const error = refused.invalidInput
    if (!acceptsHtml(yield* HttpServerRequest.HttpServerRequest)) return yield* error
    return failedPage(frame, explainRefusal(refused), error, yield* CurrentCallId)
  })

/** Gives browsers a page for an error. */
export const withPages =
  (frame: Frame, explainError: (error: ApiError) => Explanation) =>
  <E, R>(response: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.catchCause(response, (cause) =>
      Effect.gen(function*() {
        if (!acceptsHtml(yield* HttpServerRequest.HttpServerRequest)) return yield* Effect.failCause(cause)
        const error = yield* toApiError(cause)
        return failedPage(frame, explainError(error), error, yield* CurrentCallId)
      }))

export const SignInErrorPagesLayer = Layer.effect(
  SignInErrorPages,
  Effect.map(operatorBranding, ({ frame }) => withPages(frame, explain))
)
