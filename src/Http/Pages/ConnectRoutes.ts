import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { type ApiError, Forbidden, InvalidInput, RouteNotFound } from "../../Api/Errors.ts"
import { LinkNotFound } from "../../Api/ManagementErrors.ts"
import { ConnectRefused } from "../../Connections/Connect/ConnectRefused.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { type LinkAction, LinkVisits } from "../../Management/LinkVisits.ts"
import { type CheckAttempt, checkFailedPage, linkFailurePage } from "../../Pages/Connect/ConnectFailures.ts"
import { confirmPage, connectedByLinkPage, linkPage } from "../../Pages/Connect/ConnectPages.ts"
import { withOutcome } from "../../Pages/Connect/OpenerScript.ts"
import { logoPath } from "../../Pages/OperatorBranding.ts"
import { ownBaseUrl } from "../../Settings.ts"
import { AnonymousBodies } from "../Server/AnonymousBodies.ts"
import { toApiError } from "../Server/ErrorResponses.ts"
import { connectCookie, connectResponses, seeOther } from "./ConnectResponses.ts"
import { acceptsHtml } from "./SignInPages.ts"

const Request = HttpServerRequest.HttpServerRequest

const tokenOf = ({ token = "" }: Readonly<Record<string, string | undefined>>) =>
  Redacted.make(token, { label: "connect link" })

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest) => new URLSearchParams(url.split("?", 2)[1] ?? "")

const newBrowser = () => Redacted.make(randomBytes(32).toString("base64url"), { label: "connect browser" })

const isBrowser = (value: Redacted.Redacted | undefined): value is Redacted.Redacted =>
  value !== undefined && /^[\w-]{43}$/.test(Redacted.value(value))

const makeIsForeign = Effect.map(ownBaseUrl, (baseUrl) => {
  const own = new URL(baseUrl).origin
  return ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
    const { origin, "sec-fetch-site": site } = headers
    if (site !== undefined) return site !== "same-origin"
    // Without a referrer, forms send the origin "null" even to their own site.
    return origin !== undefined && origin !== "null" && origin !== own
  }
})

export const ConnectRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const visits = yield* LinkVisits
  const bodies = yield* AnonymousBodies
  const { operator, contextOf } = yield* connectResponses
  const cookie = yield* connectCookie
  const isForeign = yield* makeIsForeign

  const route = <R>(
    method: "GET" | "POST",
    path: `/connect/${string}`,
    handle: (token: Redacted.Redacted, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      ApiError | ConnectRefused,
      R
    >
  ) =>
    router.add(
      method,
      path,
      Effect.gen(function*() {
        const request = yield* Request
        const token = tokenOf(yield* HttpRouter.params)
        const opener = queryOf(request).get("opener")
        const show = (failure: ApiError | ConnectRefused) =>
          Effect.map(CurrentCallId, (id) => linkFailurePage(contextOf(token, opener), failure, id))
        return yield* handle(token, request).pipe(
          Effect.catchTag(
            "ConnectRefused",
            (refused) => acceptsHtml(request) ? show(refused) : Effect.fail(refused.invalidInput)
          ),
          Effect.catchCause((cause) =>
            acceptsHtml(request) ? Effect.flatMap(toApiError(cause), show) : Effect.failCause(cause)
          )
        )
      })
    )

  const requireOwnPage = (request: HttpServerRequest.HttpServerRequest) =>
    isForeign(request)
      ? Effect.fail(new Forbidden({ message: "Another site cannot connect accounts for its visitors." }))
      : Effect.void

  const requireBrowser = Effect.flatMap(
    cookie.value,
    (browser) =>
      isBrowser(browser) ? Effect.succeed(browser) : Effect.fail(
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
          const offer = visit.offers.find(({ provider }) => provider.id === step.provider)
          if (
            !acceptsHtml(request) || offer === undefined || error.code === "rate_limited" || error.code === "link_over"
          ) {
            return yield* Effect.fail(error)
          }
          return checkFailedPage(contextOf(step.token, step.opener, visit), offer, attempt, error, yield* CurrentCallId)
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
        return yield* new InvalidInput({
          details: [{ path: ["method"], message: "Expected oauth, api_key or service_account" }]
        })
    }
  })

  yield* route("GET", "/connect/:token", (token, request) =>
    Effect.gen(function*() {
      const opener = yield* visits.requireOpener(queryOf(request).get("opener"))
      const visit = yield* visits.open(token, yield* cookie.value)
      const { offers, pending } = visit
      const context = contextOf(token, opener, visit)
      const offer = Option.flatMap(pending, ({ provider }) =>
        Option.fromUndefinedOr(offers.find((offer) =>
          offer.provider.id === provider && !offer.isConnected
        )))
      return Option.isSome(pending) && Option.isSome(offer)
        ? confirmPage(context, visit, offer.value, pending.value)
        : linkPage(context, visit)
    }))

  const action = <R>(
    path: `/connect/${string}`,
    act: (token: Redacted.Redacted, form: URLSearchParams) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      ApiError | ConnectRefused,
      R
    >
  ) =>
    route("POST", path, (token, request) =>
      Effect.andThen(
        requireOwnPage(request),
        bodies.use((body) => act(token, new URLSearchParams(Buffer.from(body).toString("utf8"))))
      ))

  yield* action(
    "/connect/:token",
    Effect.fnUntraced(function*(token, form) {
      const opener = yield* visits.requireOpener(form.get("opener"))
      const known = yield* cookie.value
      const browser = isBrowser(known) ? known : newBrowser()
      const response = yield* start({ token, browser, opener, provider: form.get("provider") ?? "" }, form)
      return cookie.set(response, browser)
    })
  )

  yield* action(
    "/connect/:token/confirm",
    Effect.fnUntraced(function*(token, form) {
      const { connection, link, opener } = yield* visits.confirm(
        token,
        yield* requireBrowser,
        form.get("pending") ?? ""
      )
      const { id: connectionId, provider } = connection
      if (link.redirect_url !== null && opener === null) {
        return seeOther(withOutcome(link.redirect_url, { status: "connected", provider, connectionId }))
      }
      const query = opener === null ? "" : `?opener=${encodeURIComponent(opener)}`
      return seeOther(`${contextOf(token, null).path}/connected/${provider}${query}`)
    })
  )

  yield* action(
    "/connect/:token/cancel",
    Effect.fnUntraced(function*(token, form) {
      const opener = yield* visits.cancel(token, yield* requireBrowser, form.get("pending") ?? "")
      const { path } = contextOf(token, null)
      return seeOther(opener === null ? path : `${path}?opener=${encodeURIComponent(opener)}`)
    })
  )

  yield* route("GET", "/connect/:token/connected/:provider", (token, request) =>
    Effect.gen(function*() {
      const browser = yield* cookie.value
      if (!isBrowser(browser)) return yield* new LinkNotFound()
      const { provider = "" } = yield* HttpRouter.params
      const opener = yield* visits.requireOpener(queryOf(request).get("opener"))
      const { connection, link, provider: connected } = yield* visits.connected(token, browser, provider)
      return connectedByLinkPage(contextOf(token, opener), {
        connection,
        provider: connected,
        clientName: link.clientName,
        redirectUrl: link.redirect_url,
        moreToConnect: link.status === "open"
      })
    }))

  yield* router.add(
    "GET",
    logoPath,
    Option.isSome(operator.logo) ? operator.logo.value : Effect.fail(new RouteNotFound())
  )
}))
