import { Option } from "effect"
import type { ApiError } from "../../../../Api/Errors.ts"
import type { ConnectRefused } from "../../../../Connections/Connect/ConnectRefused.ts"
import type { CallId } from "../../../../Domain/Ids.ts"
import { type HtmlPage, htmlPage } from "../../../../Pages/Html/HtmlPage.ts"
import { actions, type Fact, type Html, html, linkButton, notice, support } from "../../../../Pages/Html/HtmlParts.ts"
import { productOf } from "../../../../Providers/Provider.ts"
import type { LinkOption, Visit } from "../Visit.ts"
import { addressToInvite, apiKeyForm, finishForm, invitationForm, type LinkPageContext } from "./ConnectForms.ts"
import { type LinkOutcome, type LinkStatus, openerScript, outcomeData } from "./OpenerScript.ts"

type Content = Pick<HtmlPage, "state" | "title" | "paragraphs" | "parts">

const tryAgain = ({ opener, path }: LinkPageContext): Html =>
  linkButton("Try again", opener === null ? path : `${path}?opener=${encodeURIComponent(opener)}`, "primary")

const askForAnother = "If it fails again, send the details for support to the person who sent you the link."

type Failure = ApiError | ConnectRefused

export const statusOf = (error: Failure): LinkStatus =>
  error._tag === "ConnectRefused" && error.reason === "denied" ? "denied" : "failed"

const sentence = (message: string): string => `${message}.`.replace(/\.\.$/, ".")

const messageOf = (error: ApiError): string => {
  switch (error.code) {
    case "invalid_input":
      return sentence(error.details?.[0]?.message ?? error.message)
    case "upstream_unreachable":
      return "The provider does not answer at the moment. Try again in a minute."
    case "upstream_error":
    case "credentials_rejected":
    case "credentials_expired":
      return "The provider did not accept the sign-in. Try again."
    case "internal_error":
      return "The service could not finish this. Try again in a minute."
    default:
      return error.message
  }
}

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
        title: error.isUsedUp ? "This link is used up" : "This link has ended",
        paragraphs: [error.message, "Accounts that it connected stay connected."]
      }
    case "internal_error":
      // The account may be connected.
      return {
        title: "This could not be finished",
        paragraphs: [messageOf(error), askForAnother],
        parts: [tryAgain(context)]
      }
    case "rate_limited":
      return { state: "error", title: "Too many attempts", paragraphs: [error.message], parts: [tryAgain(context)] }
    default:
      return notConnected(messageOf(error), context)
  }
}

const explainRefusal = ({ message, reason }: ConnectRefused, context: LinkPageContext): Content => {
  const parts = [tryAgain(context)]
  switch (reason) {
    case "denied":
      return {
        state: "off",
        title: "You did not grant access",
        paragraphs: ["The account was not connected, and nothing was changed. Did you mean to connect it?"],
        parts
      }
    case "confirmation_over":
      return {
        state: "over",
        title: "This confirmation has ended",
        paragraphs: [sentence(message), "If the account was connected, nothing is left to do."],
        parts: [tryAgain({ ...context, opener: null })]
      }
    case "scope_missing":
      return { state: "error", title: "Not everything was allowed", paragraphs: [sentence(message)], parts }
    case "opener_unknown":
      return {
        state: "error",
        title: "This site cannot open the page",
        paragraphs: [
          sentence(message),
          "The person who runs that site has to allow it in the settings of this service."
        ]
      }
    case "provider_error":
      return notConnected("The provider ended the sign-in. Try again in a minute.", context)
    case "sign_in_over":
      return notConnected(sentence(message), context)
  }
}

const reference = (error: ApiError, callId: CallId): ReadonlyArray<Fact> => [
  ...error.code === "invalid_input" || messageOf(error) === error.message ? [] : [["Answer", error.message] as const],
  ["Error", error.code, "code"],
  ["Call id", callId, "code"],
  ...error.check === undefined ? [] : [["Check", error.check.id, "code"] as const]
]

/** `visit` shows what the person can still do. `outcome` is for the window's opener. */
export const linkFailurePage = (
  context: LinkPageContext,
  failure: Failure,
  callId: CallId,
  { outcome, visit }: { readonly visit?: Visit | undefined; readonly outcome?: LinkOutcome } = {}
) => {
  const isRefusal = failure._tag === "ConnectRefused"
  const error = isRefusal ? failure.invalidInput : failure
  const { parts = [], ...content } = isRefusal ? explainRefusal(failure, context) : explain(failure, context)
  const { opener, operator } = context
  const isOver = error.code === "link_over"
  const ways = [
    ...parts,
    ...visit === undefined || (isOver && visit.link.connected.length === 0)
      ? []
      : finishForm(context, visit, isOver ? "primary" : undefined)
  ]
  const isReported = opener !== null && outcome !== undefined
  return htmlPage({
    ...operator.frame,
    formTargets: context.formTargets,
    ...content,
    status: error.status,
    retryAfter: error.retryAfter,
    parts: [
      ...ways.length === 0 ? [] : [actions(ways)],
      support(reference(error, callId)),
      ...isReported ? [outcomeData(opener, outcome)] : []
    ],
    ...isReported ? { script: openerScript } : {}
  })
}

export type CheckAttempt =
  | { readonly method: "api_key" }
  | { readonly method: "service_account"; readonly resource: string }

export const checkFailedPage = (
  context: LinkPageContext,
  option: LinkOption,
  attempt: CheckAttempt,
  { callId, error }: { readonly error: ApiError; readonly callId: CallId }
) => {
  const { serviceAccount } = option.methods
  const isKey = attempt.method === "api_key"
  return htmlPage({
    ...context.operator.frame,
    formTargets: context.formTargets,
    status: error.status,
    retryAfter: error.retryAfter,
    state: "error",
    title: isKey ? "The API key does not work yet" : `${productOf(option.provider)} cannot be read yet`,
    parts: [
      notice(checkHint(error, isKey), "bad"),
      ...isKey
        ? apiKeyForm(context, option)
        : Option.isSome(serviceAccount)
        ? [...addressToInvite(context, serviceAccount.value), ...invitationForm(context, option, attempt.resource)]
        : [],
      html`<p class="meta"><a href="${context.path}">Connect in another way</a></p>`,
      support(reference(error, callId))
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
