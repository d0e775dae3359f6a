import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { InvalidInput } from "../../../Api/Errors.ts"
import type { ProviderError } from "../../../Api/Errors/ProviderErrors.ts"
import type { VisitorSignIn } from "../../../Connections/Connect/ConnectFlow.ts"
import type { ConnectRefused } from "../../../Connections/Connect/ConnectRefused.ts"
import { CurrentCallId } from "../../../Domain/Request/CurrentCallId.ts"
import { acceptsHtml } from "../../../Http/Pages/SignInPages.ts"
import { operatorBranding } from "../../../Pages/OperatorBranding.ts"
import { Origins } from "../../../Providers/Origins.ts"
import { linkFailurePage, statusOf } from "./Pages/ConnectFailures.ts"
import type { LinkPageContext } from "./Pages/ConnectForms.ts"
import { type LinkOutcome, withOutcome } from "./Pages/OpenerScript.ts"
import type { Visit } from "./Visit.ts"

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
    contextOf,

    /** Returns to the operator's site only if the link offers nothing besides the sign-in. */
    refused: Effect.fnUntraced(function*(
      { opener, providers, token }: VisitorSignIn,
      error: ConnectRefused | InvalidInput | ProviderError,
      visit: Visit
    ) {
      const { link } = visit
      const isAll = link.providers.every((id) => providers.some((provider) => provider.id === id))
      const outcome: LinkOutcome = {
        status: statusOf(error),
        provider: providers.at(-1)?.id,
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
