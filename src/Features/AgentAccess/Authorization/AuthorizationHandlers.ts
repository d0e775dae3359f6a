import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { RateLimited } from "../../../Api/Errors.ts"
import { AttemptLimits, requestsOf } from "../../../Capacity/AttemptLimits.ts"
import type { MemberId } from "../../../Domain/Ids.ts"
import { CurrentAddress } from "../../../Domain/Request/CurrentAddress.ts"
import { AnonymousBodies } from "../../../Http/Server/AnonymousBodies.ts"
import { refusalPages } from "../Consent/RefusalPages.ts"
import { AgentAccessApi } from "../Contract.ts"
import { Grants } from "../Grants.ts"
import { paths } from "./AuthorizationGroup.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { authorizationUrls } from "./AuthorizationUrls.ts"
import { authorizeQuery, tokenForm } from "./AuthorizeRequest.ts"
import { makeConsent, makeMemberSession } from "./Consent.ts"
import { resourceMetadata, serverMetadata } from "./Metadata.ts"

/** Agents in browsers read these responses from other origins. None depends on a cookie. */
const anyOrigin = { "access-control-allow-origin": "*", "access-control-expose-headers": "x-call-id, retry-after" }

const preflight = (methods: string) => () =>
  Effect.succeed(HttpServerResponse.empty({
    headers: {
      ...anyOrigin,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
      "access-control-max-age": "3600"
    }
  }))

const document = (body: object) => () =>
  Effect.succeed(
    HttpServerResponse.text(JSON.stringify(body), {
      contentType: "application/json",
      headers: { ...anyOrigin, "cache-control": "public, max-age=300" }
    })
  )

const tooManyRequests = ({ details, message }: RateLimited) =>
  HttpServerResponse.text(
    JSON.stringify({ error: "temporarily_unavailable", error_description: message, details }),
    {
      status: 429,
      contentType: "application/json",
      headers: { ...anyOrigin, "retry-after": `${details.retry_after_seconds}` }
    }
  )

interface OfMember {
  readonly params: { readonly uid: string }
  readonly request: HttpServerRequest.HttpServerRequest
}

const isUid = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const AuthorizationHandlers = HttpApiBuilder.group(
  AgentAccessApi,
  "authorization",
  Effect.fn(function*(handlers) {
    const server = yield* AuthorizationServer
    const limits = yield* AttemptLimits
    const bodies = yield* AnonymousBodies
    const grants = yield* Grants
    const urls = yield* authorizationUrls
    const session = yield* makeMemberSession
    const consent = yield* makeConsent
    const { refusedWithLinkPage, requestEndedPage, signInPage } = yield* refusalPages

    const ofAgents = (path: string, limit: "registration" | "token") => () =>
      Effect.gen(function*() {
        yield* limits.take(requestsOf(limit, yield* CurrentAddress))
        const response = yield* bodies.use((body) =>
          server.handle(path, { body: limit === "token" ? tokenForm(body, urls.resource) : body })
        )
        return HttpServerResponse.setHeaders(response, anyOrigin)
      }).pipe(Effect.catchTag("RateLimited", (error) => Effect.succeed(tooManyRequests(error))))

    /** An agent proves the host of its redirects by its document. One that registered itself proves nothing. */
    const mayRedirect = Effect.fnUntraced(function*(clientId: string, memberId: MemberId) {
      if (URL.canParse(clientId)) return true
      const earlier = yield* grants.ofAgent(memberId, { clientId, name: "" })
      return earlier.some(({ agent }) => agent.client_id === clientId)
    })

    const decide = ({ params: { uid } }: OfMember) => isUid(uid) ? consent(uid) : Effect.succeed(requestEndedPage)

    return handlers.handleAll({
      authorize: Effect.fnUntraced(function*({ request }) {
        // Link scanners send HEAD, which must neither begin nor finish a request.
        if (request.method === "HEAD") return HttpServerResponse.empty()
        const [, query = ""] = request.url.split("?", 2)
        // Checked before the library sees the request, so that only members can cause a fetch of a metadata document.
        const member = yield* session(request)
        if (member === undefined) return signInPage(urls.dashboard, `${urls.prefix}${paths.authorize}?${query}`)
        const response = yield* server.handle(`${paths.authorize}?${authorizeQuery(query, urls.resource)}`, {
          memberId: member.memberId
        })
        const { location } = response.headers
        if (location === undefined || location.startsWith(`${urls.prefix}${paths.consent}/`)) return response
        const isTrusted = yield* mayRedirect(new URLSearchParams(query).get("client_id") ?? "", member.memberId)
        return isTrusted ? response : refusedWithLinkPage(location)
      }),

      resume: Effect.fnUntraced(function*({ params: { uid }, request }) {
        if (request.method === "HEAD") return HttpServerResponse.empty()
        if (!isUid(uid)) return requestEndedPage
        const path = `${paths.authorize}/${uid}`
        const member = yield* session(request)
        return member === undefined
          ? signInPage(urls.dashboard, `${urls.prefix}${path}`)
          : yield* server.handle(path, { memberId: member.memberId })
      }),

      consent: decide,
      decide,
      serverMetadata: document(serverMetadata(urls)),
      serverMetadataPreflight: preflight("GET"),
      resourceMetadata: document(resourceMetadata(urls)),
      resourceMetadataPreflight: preflight("GET"),
      mcpMetadata: document(resourceMetadata(urls)),
      mcpMetadataPreflight: preflight("GET"),
      token: ofAgents(paths.token, "token"),
      tokenPreflight: preflight("POST"),
      register: ofAgents(paths.register, "registration"),
      registerPreflight: preflight("POST"),
      revoke: ofAgents(paths.revoke, "token"),
      revokePreflight: preflight("POST")
    })
  })
)
