import { Duration, Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { FinishedSignIn } from "../../Connections/Connect/ConnectFlow.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import type { Visit } from "../../Management/LinkVisits.ts"
import { linkFailurePage, statusOf } from "../../Pages/Connect/ConnectFailures.ts"
import type { LinkPageContext } from "../../Pages/Connect/ConnectForms.ts"
import { type LinkOutcome, withOutcome } from "../../Pages/Connect/OpenerScript.ts"
import { operatorBranding } from "../../Pages/OperatorBranding.ts"
import { Origins } from "../../Providers/Origins.ts"
import { signInCookie } from "./SignInCookie.ts"
import { acceptsHtml } from "./SignInPages.ts"

type Refused = Extract<FinishedSignIn, { readonly _tag: "Refused" }>

/** Longer than a sign-in and its confirmation together. */
const browserLifetime = Duration.hours(1)

export const connectCookie = signInCookie("connect", browserLifetime)

export const seeOther = (url: string) =>
  HttpServerResponse.redirect(url, { status: 303, headers: { "cache-control": "no-store" } })

export const connectResponses = Effect.gen(function*() {
  const operator = yield* operatorBranding
  const originUrl = yield* Origins

  const targetsOf = ({ link, offers }: Visit): ReadonlyArray<string> =>
    [
      ...offers.flat().flatMap(({ methods, provider: { identity } }) =>
        methods.oauth && identity !== undefined ? [originUrl(identity.authorize)] : []
      ),
      ...link.redirect_url === null ? [] : [link.redirect_url]
    ].map((url) => new URL(url).origin)

  const contextOf = (token: Redacted.Redacted, opener: string | null, visit?: Visit): LinkPageContext => ({
    operator,
    path: `/connect/${Redacted.value(token)}`,
    opener,
    formTargets: visit === undefined ? [] : targetsOf(visit)
  })

  return {
    operator,
    contextOf,

    /** Returns to the operator's site only if the link is for nothing else than the sign-in. */
    refused: Effect.fnUntraced(function*({ back, error }: Refused, visit: Visit) {
      const { opener, providers, token } = back
      const { link } = visit
      const isAll = link.providers.every((id) => providers.includes(id))
      const outcome: LinkOutcome = {
        status: statusOf(error),
        provider: providers.at(-1),
        connectionIds: link.connection_id === null ? [] : [link.connection_id]
      }
      if (isAll && link.redirect_url !== null && opener === null) {
        return seeOther(withOutcome(link.redirect_url, outcome))
      }
      if (!acceptsHtml(yield* HttpServerRequest.HttpServerRequest)) {
        return yield* Effect.fail(error._tag === "ConnectRefused" ? error.invalidInput : error)
      }
      return linkFailurePage(contextOf(token, opener, visit), error, yield* CurrentCallId, {
        visit,
        ...isAll ? { outcome } : {}
      })
    })
  }
})
