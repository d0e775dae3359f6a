import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { MethodNotAllowed, type RateLimited } from "../../Api/Errors.ts"
import { AttemptLimits, requestsOf } from "../../Capacity/AttemptLimits.ts"
import type { MemberId } from "../../Domain/Ids.ts"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import { AnonymousBodies } from "../../Http/Server/AnonymousBodies.ts"
import { Grants } from "../../Management/Grants.ts"
import { refusedWithLinkPage, requestEndedPage, signInPage } from "../../Pages/Consent/RefusalPages.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { authorizationUrls, paths } from "./AuthorizationUrls.ts"
import { authorizeQuery } from "./AuthorizeRequest.ts"
import { makeConsent, makeMemberSession } from "./Consent.ts"
import { resourceMetadata, serverMetadata } from "./Metadata.ts"

/** Agents in browsers read these responses from other origins. None depends on a cookie. */
const anyOrigin = { "access-control-allow-origin": "*", "access-control-expose-headers": "x-call-id, retry-after" }

const preflight = (methods: string) =>
  HttpServerResponse.empty({
    headers: {
      ...anyOrigin,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
      "access-control-max-age": "3600"
    }
  })

const allowing = (allow: ReadonlyArray<string>) => new MethodNotAllowed({ allow })

const document = (path: `/${string}`, body: object) =>
  HttpRouter.route("*", path, ({ method }) => {
    if (method === "OPTIONS") return Effect.succeed(preflight("GET"))
    if (method !== "GET" && method !== "HEAD") return Effect.fail(allowing(["GET", "HEAD", "OPTIONS"]))
    return Effect.succeed(
      HttpServerResponse.text(JSON.stringify(body), {
        contentType: "application/json",
        headers: { ...anyOrigin, "cache-control": "public, max-age=300" }
      })
    )
  })

const tooManyRequests = ({ message, retryAfter = "60" }: RateLimited) =>
  HttpServerResponse.text(JSON.stringify({ error: "temporarily_unavailable", error_description: message }), {
    status: 429,
    contentType: "application/json",
    headers: { ...anyOrigin, "retry-after": retryAfter }
  })

const isUid = (text: string): boolean => /^[\w-]{43}$/.test(text)

const lastSegment = ({ url }: HttpServerRequest.HttpServerRequest): string =>
  url.replace(/\?.*$/s, "").replace(/^.*\//s, "")

export const authorizationRoutes = Effect.gen(function*() {
  const server = yield* AuthorizationServer
  const limits = yield* AttemptLimits
  const bodies = yield* AnonymousBodies
  const grants = yield* Grants
  const urls = yield* authorizationUrls
  const session = yield* makeMemberSession
  const consent = yield* makeConsent

  const ofAgents = (path: `/${string}`, limit: "registration" | "token") =>
    HttpRouter.route("*", path, ({ method }) =>
      Effect.gen(function*() {
        if (method === "OPTIONS") return preflight("POST")
        if (method !== "POST") return yield* allowing(["POST", "OPTIONS"])
        yield* limits.take(requestsOf(limit, yield* CurrentAddress))
        const response = yield* bodies.use((body) => server.handle(path, { body }))
        return HttpServerResponse.setHeaders(response, anyOrigin)
      }).pipe(Effect.catchTag("RateLimited", (error) => Effect.succeed(tooManyRequests(error)))))

  /** An agent proves the host of its redirects by its document. One that registered itself proves nothing. */
  const mayRedirect = Effect.fnUntraced(function*(clientId: string, memberId: MemberId) {
    if (URL.canParse(clientId)) return true
    const earlier = yield* grants.ofAgent(memberId, { clientId, name: "" })
    return earlier.some(({ agent }) => agent.client_id === clientId)
  })

  const authorize = HttpRouter.route("*", paths.authorize, (request) =>
    Effect.gen(function*() {
      if (request.method !== "GET") return yield* allowing(["GET"])
      const [, query = ""] = request.url.split("?", 2)
      // Checked before the library sees the request, so that only members can cause a fetch of a metadata document.
      const member = yield* session(request)
      if (member === undefined) return signInPage(urls.dashboard, `${urls.prefix}${paths.authorize}?${query}`)
      const response = yield* server.handle(`${paths.authorize}?${authorizeQuery(query)}`, {
        memberId: member.memberId
      })
      const { location } = response.headers
      if (location === undefined || location.startsWith(`${urls.prefix}${paths.consent}/`)) return response
      const isTrusted = yield* mayRedirect(new URLSearchParams(query).get("client_id") ?? "", member.memberId)
      return isTrusted ? response : refusedWithLinkPage(location)
    }))

  const resume = HttpRouter.route("*", `${paths.authorize}/:uid`, (request) =>
    Effect.gen(function*() {
      if (request.method !== "GET") return yield* allowing(["GET"])
      const uid = lastSegment(request)
      if (!isUid(uid)) return requestEndedPage
      const path = `${paths.authorize}/${uid}`
      const member = yield* session(request)
      return member === undefined
        ? signInPage(urls.dashboard, `${urls.prefix}${path}`)
        : yield* server.handle(path, { memberId: member.memberId })
    }))

  const decide = HttpRouter.route("*", `${paths.consent}/:uid`, (request) =>
    Effect.gen(function*() {
      if (request.method !== "GET" && request.method !== "POST") return yield* allowing(["GET", "POST"])
      const uid = lastSegment(request)
      return isUid(uid) ? yield* consent(uid) : requestEndedPage
    }))

  const protectedResource = "/.well-known/oauth-protected-resource"
  return [
    document("/.well-known/oauth-authorization-server", serverMetadata(urls)),
    document(protectedResource, resourceMetadata(urls)),
    document(`${protectedResource}/mcp`, resourceMetadata(urls)),
    authorize,
    resume,
    decide,
    ofAgents(paths.token, "token"),
    ofAgents(paths.register, "registration"),
    ofAgents(paths.revoke, "token")
  ]
})
