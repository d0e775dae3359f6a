import { Effect, Option, Redacted, Result } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type ApiError, Forbidden, InvalidInput } from "../../../Api/Errors.ts"
import { LinkNotFound } from "../../../Api/ManagementErrors.ts"
import { ConnectRefused } from "../../../Connections/Connect/ConnectRefused.ts"
import { CurrentCallId } from "../../../Domain/Request/CurrentCallId.ts"
import { connectCookie } from "../../../Http/Pages/SignInCookie.ts"
import { acceptsHtml } from "../../../Http/Pages/SignInPages.ts"
import { AnonymousBodies } from "../../../Http/Server/AnonymousBodies.ts"
import { toApiError } from "../../../Http/Server/ErrorResponses.ts"
import { ownBaseUrl } from "../../../Settings.ts"
import type { OpenedLink } from "../ConnectLinks.ts"
import { ConnectLinksApi } from "../Contract.ts"
import type { LinkPageError } from "./ConnectPagesGroup.ts"
import { connectResponses, seeOther } from "./ConnectResponses.ts"
import { type LinkAction, LinkVisits } from "./LinkVisits.ts"
import { type ConfirmedAgain, confirmPage, tickedIn } from "./Pages/ConfirmPage.ts"
import { type CheckAttempt, checkFailedPage, linkFailurePage } from "./Pages/ConnectFailures.ts"
import type { LinkPageContext } from "./Pages/ConnectForms.ts"
import { connectedByLinkPage, linkPage } from "./Pages/ConnectPages.ts"
import { outcomeOf, withOutcome } from "./Pages/OpenerScript.ts"
import type { Pending } from "./PendingConnections.ts"
import type { Visit } from "./Visit.ts"

const Request = HttpServerRequest.HttpServerRequest

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest) => new URLSearchParams(url.split("?", 2)[1] ?? "")

const makeIsForeign = Effect.map(ownBaseUrl, (baseUrl) => {
  const own = new URL(baseUrl).origin
  return ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
    const { origin, "sec-fetch-site": site } = headers
    if (site !== undefined) return site !== "same-origin"
    // Without a referrer, forms send the origin "null" even to their own site.
    return origin !== undefined && origin !== "null" && origin !== own
  }
})

type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  LinkPageError | ConnectRefused,
  HttpServerRequest.HttpServerRequest
>

interface OfLink {
  readonly params: { readonly token: string }
  readonly request: HttpServerRequest.HttpServerRequest
}

export const ConnectRoutes = HttpApiBuilder.group(
  ConnectLinksApi,
  "connectPages",
  Effect.fn(function*(handlers) {
    const visits = yield* LinkVisits
    const bodies = yield* AnonymousBodies
    const { contextOf } = yield* connectResponses
    const cookie = yield* connectCookie
    const isForeign = yield* makeIsForeign

    const page = <Of extends OfLink>(
      handle: (token: Redacted.Redacted, of: Of) => Answer
    ) =>
    (of: Of) => {
      const { params, request } = of
      const token = Redacted.make(params.token, { label: "connect link" })
      const opener = queryOf(request).get("opener")
      const show = Effect.fnUntraced(function*(failure: ApiError | ConnectRefused) {
        const isOver = failure._tag === "LinkOver"
        const visit = isOver ? Option.getOrUndefined(yield* Effect.option(visits.find(token, undefined))) : undefined
        return linkFailurePage(contextOf(token, opener, visit), failure, yield* CurrentCallId, { visit })
      })
      return handle(token, of).pipe(
        Effect.catchTag(
          "ConnectRefused",
          (refused) => acceptsHtml(request) ? show(refused) : Effect.fail(refused.invalidInput)
        ),
        Effect.catchCause((cause) =>
          acceptsHtml(request) ? Effect.flatMap(toApiError(cause), show) : Effect.failCause(cause)
        )
      )
    }

    const pathOf = (token: Redacted.Redacted, opener: string | null, below = "") => {
      const path = `${contextOf(token, null).path}${below}`
      return opener === null ? path : `${path}?opener=${encodeURIComponent(opener)}`
    }

    const finish = (token: Redacted.Redacted, link: OpenedLink, opener: string | null) =>
      seeOther(
        link.redirect_url !== null && opener === null
          ? withOutcome(link.redirect_url, outcomeOf(link))
          : pathOf(token, opener, "/connected")
      )

    const requireOwnPage = (request: HttpServerRequest.HttpServerRequest) =>
      isForeign(request)
        ? Effect.fail(new Forbidden({ message: "Another site cannot connect accounts for its visitors." }))
        : Effect.void

    const requireBrowser = Effect.flatMap(
      cookie.value,
      (browser) =>
        browser !== undefined ? Effect.succeed(browser) : Effect.fail(
          new ConnectRefused({
            reason: "confirmation_over",
            message: "This confirmation was started in another browser or has expired"
          })
        )
    )

    const check = Effect.fnUntraced(function*(step: LinkAction, attempt: CheckAttempt, form: URLSearchParams) {
      const checked = attempt.method === "api_key"
        ? visits.giveApiKey(step, (form.get("api_key") ?? "").trim())
        : visits.invite(step, attempt.resource)
      return yield* Effect.matchEffect(checked, {
        onSuccess: () => Effect.succeed(seeOther(contextOf(step.token, null).path)),
        onFailure: (error) =>
          Effect.gen(function*() {
            const request = yield* Request
            const visit = yield* visits.open(step.token, undefined)
            const option = visit.options.find(({ provider }) => provider.id === step.provider)
            if (
              !acceptsHtml(request) || option === undefined || error.code === "rate_limited" ||
              error.code === "link_over"
            ) {
              return yield* Effect.fail(error)
            }
            const context = contextOf(step.token, step.opener, visit)
            return checkFailedPage(context, option, attempt, { error, callId: yield* CurrentCallId })
          })
      })
    })

    const start = Effect.fnUntraced(function*(step: LinkAction, form: URLSearchParams) {
      const method = form.get("method") ?? "oauth"
      switch (method) {
        case "oauth":
          return seeOther(yield* visits.signIn(step))
        case "api_key":
          return yield* check(step, { method }, form)
        case "service_account":
          return yield* check(step, { method, resource: form.get("resource") ?? "" }, form)
        default:
          return yield* InvalidInput.at("method", "Expected oauth, api_key or service_account")
      }
    })

    const action = (act: (token: Redacted.Redacted, form: URLSearchParams) => Answer) =>
      page((token, { request }) =>
        Effect.andThen(
          requireOwnPage(request),
          bodies.use((body) => act(token, new URLSearchParams(Buffer.from(body).toString("utf8"))))
        )
      )

    const confirmation = Effect.fnUntraced(function*(
      context: LinkPageContext,
      visit: Visit,
      pending: Pending,
      again?: ConfirmedAgain
    ) {
      const offered = yield* visits.offered(visit, pending, yield* requireBrowser)
      return confirmPage(context, { visit, pending, reachable: offered, again })
    })

    return handlers.handleAll({
      open: page(Effect.fnUntraced(function*(token, { request }) {
        const opener = yield* visits.requireOpener(queryOf(request).get("opener"))
        const visit = yield* visits.open(token, yield* cookie.value)
        const context = contextOf(token, opener, visit)
        const pending = Option.filter(
          visit.pending,
          ({ providers }) => visit.offers.flat().some(({ provider }) => providers.includes(provider.id))
        )
        return Option.isSome(pending) ? yield* confirmation(context, visit, pending.value) : linkPage(context, visit)
      })),

      start: action(Effect.fnUntraced(function*(token, form) {
        const opener = yield* visits.requireOpener(form.get("opener"))
        const browser = yield* cookie.ownOrNew
        const response = yield* start({ token, browser, opener, provider: form.get("provider") ?? "" }, form)
        return cookie.set(response, browser)
      })),

      confirm: action(Effect.fnUntraced(function*(token, form) {
        const browser = yield* requireBrowser
        const ticked = tickedIn(form)
        const id = form.get("pending") ?? ""
        const confirmed = yield* Effect.result(visits.confirm(token, browser, id, ticked))
        if (Result.isFailure(confirmed)) {
          const { failure } = confirmed
          const visit = failure._tag === "InvalidInput" && acceptsHtml(yield* Request)
            ? yield* visits.open(token, browser)
            : undefined
          if (failure._tag !== "InvalidInput" || visit === undefined || Option.isNone(visit.pending)) {
            return yield* Effect.fail(failure)
          }
          const context = contextOf(token, visit.pending.value.opener, visit)
          return yield* confirmation(context, visit, visit.pending.value, { error: failure, ticked })
        }
        const { link, opener } = confirmed.success
        return link.status === "open" ? seeOther(pathOf(token, opener)) : finish(token, link, opener)
      })),

      finish: action(Effect.fnUntraced(function*(token, form) {
        const opener = yield* visits.requireOpener(form.get("opener"))
        const { link } = yield* visits.find(token, undefined)
        return finish(token, link, opener)
      })),

      cancel: action(Effect.fnUntraced(function*(token, form) {
        const opener = yield* visits.cancel(token, yield* requireBrowser, form.get("pending") ?? "")
        return seeOther(pathOf(token, opener))
      })),

      connected: page(Effect.fnUntraced(function*(token, { request }) {
        const opener = yield* visits.requireOpener(queryOf(request).get("opener"))
        const visit = yield* visits.find(token, yield* cookie.value)
        if (visit.connected.length === 0) return yield* new LinkNotFound()
        return connectedByLinkPage(contextOf(token, opener, visit), visit)
      }))
    })
  })
)
