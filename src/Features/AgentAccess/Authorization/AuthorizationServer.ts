import { Context, Effect, Layer, Option } from "effect"
import { Cookies, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AsyncLocalStorage } from "node:async_hooks"
import type { RequestListener } from "node:http"
import type { ErrorOut } from "oidc-provider"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { maxConsentRequests, OAuthTokens } from "../../../Auth/OAuthTokens.ts"
import type { MemberId } from "../../../Domain/Ids.ts"
import { incomingMessageOf } from "../../../Http/Server/RequestBody.ts"
import { generateGrantToken } from "../../../Secrets/IssuedSecrets.ts"
import { refusalPages } from "../Consent/RefusalPages.ts"
import { Grants } from "../Grants.ts"
import { authorizationUrls } from "./AuthorizationUrls.ts"
import { ClientDocuments } from "./ClientDocuments.ts"
import { type CurrentRequest, makeAdapter, type Run } from "./Library/Adapter.ts"
import { exchange, replaceTokenIds, withHelp } from "./Library/LibraryBends.ts"
import { cookieNames, libraryConfiguration } from "./Library/LibraryConfiguration.ts"
import { OAuthClients } from "./OAuthClients.ts"

interface ServedRequest extends CurrentRequest {
  readonly run: Run
  shownError?: ErrorOut
}

export class AuthorizationServer extends Context.Service<AuthorizationServer, {
  /**
   * `url` is the path and query that the library should see. `body` is that of the current request. A request for
   * consent counts for the member.
   */
  readonly handle: (
    url: string,
    options?: { readonly body?: Uint8Array; readonly memberId?: MemberId }
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
}>()("openaccounts/Features/AgentAccess/Authorization/AuthorizationServer") {
  static readonly layer = Layer.effect(
    AuthorizationServer,
    Effect.gen(function*() {
      const grants = yield* Grants
      const members = yield* MemberRepo
      const tokens = yield* OAuthTokens
      const clients = yield* OAuthClients
      const documents = yield* ClientDocuments
      const urls = yield* authorizationUrls
      const pages = yield* refusalPages
      const requests = new AsyncLocalStorage<ServedRequest>()

      const run: Run = (effect) => {
        const current = requests.getStore()
        return current === undefined ? Effect.runPromise(effect) : current.run(effect)
      }

      const isMember = (id: string) => Effect.map(members.find(id), Option.isSome)

      const load = Effect.promise(async (): Promise<RequestListener> => {
        const { default: Provider, errors } = await import("oidc-provider")
        const provider = new Provider(
          urls.issuer,
          libraryConfiguration({
            urls,
            errors,
            run,
            isMember,
            adapter: makeAdapter({
              tokens,
              clients,
              grants,
              errors,
              run,
              current: () => requests.getStore(),
              resource: urls.resource
            }),
            mayFetch: documents.mayFetch,
            fetchDocument: async (url) => {
              const document = await run(documents.fetch(String(url)))
              if (Option.isNone(document)) throw new Error("The document could not be fetched")
              return new Response(document.value)
            },
            renderError: (_, out) => {
              const current = requests.getStore()
              if (current !== undefined) current.shownError = out
            }
          })
        )
        // Lets the library take the issuer's address from the headers that `exchange` sets.
        provider.proxy = true
        provider.on("server_error", (_, error) => void run(Effect.logError("The authorization server failed", error)))
        replaceTokenIds(provider, {
          access: () => generateGrantToken("access"),
          refresh: () => requests.getStore()?.successor ?? generateGrantToken("refresh")
        })
        return provider.callback()
      })
      const listener = yield* Effect.cached(load)

      return AuthorizationServer.of({
        handle: Effect.fn("AuthorizationServer.handle")(function*(url, { body, memberId } = {}) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const message = incomingMessageOf(request)
          const handleRequest = yield* listener
          const services = yield* Effect.context<never>()
          const current: ServedRequest = { memberId, run: (effect) => Effect.runPromiseWith(services)(effect) }
          const { host, isSecure, prefix } = urls
          const { cookies, headers, status, text } = yield* Effect.promise(() =>
            requests.run(current, () => exchange(handleRequest, { message, body, url, prefix, host, isSecure }))
          )
          if (current.hasTooManyRequests === true) return pages.tooManyRequestsPage(maxConsentRequests)
          if (current.shownError !== undefined) return pages.refusedPage(status, current.shownError)
          const { "content-length": _, "content-type": contentType, ...others } = headers
          const response = HttpServerResponse.text(withHelp(text), {
            status,
            headers: others,
            ...(contentType === undefined ? {} : { contentType })
          })
          return HttpServerResponse.mergeCookies(
            response,
            Cookies.remove(Cookies.fromSetCookie(cookies), cookieNames(urls).session)
          )
        })
      })
    })
  ).pipe(
    Layer.provide([ClientDocuments.layer, Grants.layer, OAuthClients.layer, OAuthTokens.layer])
  )
}
