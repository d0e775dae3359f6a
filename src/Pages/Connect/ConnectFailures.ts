import { Option } from "effect"
import type { ApiError } from "../../Api/Errors.ts"
import type { ConnectRefused } from "../../Connections/Connect/ConnectRefused.ts"
import type { CallId } from "../../Domain/Ids.ts"
import type { LinkOption } from "../../Management/LinkVisits.ts"
import { type HtmlPage, htmlPage } from "../Html/HtmlPage.ts"
import { type Html, html, linkButton, notice } from "../Html/HtmlParts.ts"
import { apiKeyForm, invitationForm, type LinkPageContext, productOf } from "./ConnectForms.ts"
import { type LinkStatus, openerScript, outcomeData } from "./OpenerScript.ts"

type Content = Pick<HtmlPage, "state" | "title" | "paragraphs" | "parts">

const tryAgain = ({ opener, path }: LinkPageContext): Html =>
  linkButton("Try again", opener === null ? path : `${path}?opener=${encodeURIComponent(opener)}`, "primary")

const askForAnother = "If it fails again, send the call id below to the person who sent you the link."

type Failure = ApiError | ConnectRefused

export const statusOf = (error: Failure): LinkStatus =>
  error._tag === "ConnectRefused" && error.reason === "denied" ? "denied" : "failed"

const sentence = (message: string): string => `${message}.`.replace(/\.\.$/, ".")

const messageOf = (error: ApiError): string =>
  error.code === "invalid_input" ? sentence(error.details?.[0]?.message ?? error.message) : error.message

const notConnected = (message: string, context: LinkPageContext): Content => ({
  state: "error",
  title: "The account was not connected",
  paragraphs: [message, askForAnother],
  parts: [tryAgain(context)]
})

const explain = (error: ApiError, context: LinkPageContext): Content => {
  switch (error.code) {
    case "link_not_found":
      return {
        state: "over",
        title: "This link is unknown",
        paragraphs: [
          "Check that it is complete: it may have been cut off in a message. Otherwise ask the person who sent it for a " +
          "new one."
        ]
      }
    case "link_over":
      return {
        state: "over",
        title: error.isUsedUp ? "This link is used up" : "This link is over",
        paragraphs: [error.message, "Accounts that it connected stay connected."]
      }
    case "rate_limited":
      return { state: "error", title: "Too many attempts", paragraphs: [error.message], parts: [tryAgain(context)] }
    default:
      return notConnected(messageOf(error), context)
  }
}

const explainRefusal = ({ message, reason }: ConnectRefused, context: LinkPageContext): Content => {
  switch (reason) {
    case "denied":
      return {
        state: "off",
        title: "You did not grant access",
        paragraphs: ["No account was connected, and nothing was changed. Did you mean to connect it?"],
        parts: [tryAgain(context)]
      }
    case "confirmation_over":
      return {
        state: "over",
        title: "This confirmation is over",
        paragraphs: [sentence(message), "If the account was connected, nothing is left to do."],
        parts: [tryAgain({ ...context, opener: null })]
      }
    case "scope_missing":
      return {
        state: "error",
        title: "Not everything was allowed",
        paragraphs: [sentence(message)],
        parts: [tryAgain(context)]
      }
    case "opener_unknown":
      return {
        state: "error",
        title: "This site cannot open the page",
        paragraphs: [
          sentence(message),
          "The person who runs that site has to allow it in the settings of this service."
        ]
      }
    default:
      return notConnected(sentence(message), context)
  }
}

const reference = (error: ApiError, callId: CallId) =>
  [["Error", error.code, "code"], ["Call id", callId, "code"]] as const

export const linkFailurePage = (
  context: LinkPageContext,
  failure: Failure,
  callId: CallId,
  provider?: string
) => {
  const isRefusal = failure._tag === "ConnectRefused"
  const error = isRefusal ? failure.invalidInput : failure
  const { parts = [], ...content } = isRefusal ? explainRefusal(failure, context) : explain(failure, context)
  const outcome = context.opener === null || provider === undefined ? [] : [
    outcomeData(context.opener, { status: statusOf(failure), provider, connectionId: null })
  ]
  return htmlPage({
    ...context.operator.frame,
    ...content,
    status: error.status,
    parts: [...parts, ...outcome],
    facts: reference(error, callId),
    ...outcome.length === 0 ? {} : { script: openerScript }
  })
}

export type CheckAttempt =
  | { readonly method: "api_key" }
  | { readonly method: "service_account"; readonly resource: string }

export const checkFailedPage = (
  context: LinkPageContext,
  offer: LinkOption,
  attempt: CheckAttempt,
  error: ApiError,
  callId: CallId
) => {
  const { serviceAccount } = offer.methods
  const isKey = attempt.method === "api_key"
  return htmlPage({
    ...context.operator.frame,
    formTargets: context.formTargets,
    status: error.status,
    state: "error",
    title: isKey ? "The API key does not work yet" : `${productOf(offer.provider)} cannot be read yet`,
    parts: [
      notice(checkHint(error, isKey), "bad"),
      ...isKey
        ? apiKeyForm(context, offer)
        : Option.isSome(serviceAccount)
        ? invitationForm(context, offer, serviceAccount.value, attempt.resource)
        : [],
      html`<p class="meta"><a href="${context.path}">Connect in another way</a></p>`
    ],
    facts: [
      ...error.code === "invalid_input" ? [] : [["Answer", error.message] as const],
      ...reference(error, callId)
    ]
  })
}

const checkHint = (error: ApiError, isKey: boolean): string => {
  if (error.code === "invalid_input") return messageOf(error)
  if (error.code === "upstream_unreachable") return "The provider does not answer. Try again in a minute."
  return isKey
    ? "The key was refused. Copy it again, completely."
    : "The address has no access to this yet. Check the invitation, wait a minute, and check again."
}
