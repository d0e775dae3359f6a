import { Effect } from "effect"
import type { Answer } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type Seed, TestServer } from "../support/TestServer.ts"
import { clearRange, sitesGet, sitesList } from "./Fixture.ts"

export const maxRequestBytes = 20_000

export const unknownConnection = "con_00000000000000000000000000"

export const googleError = (code: number, status: string, reason: string) => ({
  error: { code, message: `It is ${reason}`, status, errors: [{ message: reason, domain: "global", reason }] }
})

export const replyWith = (status: number, body: unknown, headers = {}): Handler => () => ({ status, body, headers })

export const tokenEndpoint = (token: Handler, api: Handler): Handler => (request) =>
  request.url.startsWith("/googleToken") ? token(request) : api(request)

const dropConnection: Handler = () => (response) => response.destroy()

interface ErrorCase {
  readonly when: string
  readonly status: number
  readonly code: string
  readonly details?: unknown
  readonly provoke: (seeded: Seed) => Effect.Effect<Answer, never, TestServer | LoopbackUpstream>
  readonly log?: { readonly provider?: null; readonly target?: null; readonly connection?: "named" }
}

const call = (body: unknown) => ({ readOnly }: Seed) =>
  Effect.flatMap(TestServer, (server) => server.call(readOnly, body))

const upstream = (handler: Handler, body: unknown = sitesList) => (seeded: Seed) =>
  Effect.gen(function*() {
    ;(yield* LoopbackUpstream).handle(handler)
    return yield* call(body)(seeded)
  })

export const errorCases: ReadonlyArray<ErrorCase> = [
  {
    when: "the body is not JSON",
    status: 400,
    code: "invalid_json",
    provoke: ({ readOnly }) =>
      Effect.flatMap(
        TestServer,
        (server) => server.request("POST", "/v1/call", { key: readOnly, rawBody: "{\"provider\":" })
      ),
    log: { provider: null, target: null }
  },
  {
    when: "the body is larger than the service accepts",
    status: 413,
    code: "payload_too_large",
    provoke: call({ ...sitesList, input: { query: { quotaUser: "x".repeat(maxRequestBytes) } } }),
    log: { provider: null, target: null }
  },
  {
    when: "the body has an unknown field",
    status: 400,
    code: "invalid_input",
    details: [{
      path: ["max-age"],
      message:
        "Unknown field: the nearest are `max_age`, `format`, `provider`; fields of the operation belong in `input`"
    }],
    provoke: call({ ...sitesList, "max-age": 60 }),
    log: {}
  },
  {
    when: "the input lacks a field",
    status: 400,
    code: "invalid_input",
    details: [{ path: ["input", "path"], message: "Required" }],
    provoke: call({ provider: "gsc", endpoint: "sites.get" })
  },
  {
    when: "the provider is unknown",
    status: 404,
    code: "provider_not_found",
    provoke: call({ provider: "GSC", endpoint: "sites.list" })
  },
  {
    when: "the endpoint is unknown",
    status: 404,
    code: "endpoint_not_found",
    provoke: call({ provider: "gsc", endpoint: "sites.delete" })
  },
  {
    when: "the tool is unknown",
    status: 404,
    code: "tool_not_found",
    provoke: call({ provider: "gsc", tool: "sites.list" })
  },
  {
    when: "the named connection is unknown",
    status: 404,
    code: "connection_not_found",
    provoke: call({ ...sitesList, connection_id: unknownConnection })
  },
  {
    when: "no connection of the provider is visible",
    status: 404,
    code: "connection_not_found",
    provoke: call({ provider: "ga4", endpoint: "accountSummaries.list" })
  },
  {
    when: "a read-only key calls an endpoint that writes",
    status: 403,
    code: "read_only",
    provoke: call(clearRange)
  },
  {
    when: "the named connection is revoked",
    status: 409,
    code: "connection_inactive",
    provoke: (seeded) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        yield* Effect.orDie(server.admin.managedConnections.revoke({ params: { id: seeded.connection.id } }))
        return yield* call({ ...sitesList, connection_id: seeded.connection.id })(seeded)
      }),
    log: { connection: "named" }
  },
  {
    when: "a key calls for a resource outside of those that it allows",
    status: 404,
    code: "resource_not_found",
    provoke: (seeded) =>
      Effect.gen(function*() {
        const { admin } = yield* TestServer
        const { key } = yield* Effect.orDie(admin.keys.create({
          payload: { member_id: seeded.member.id, name: "bound", resources: ["gsc:https://acme.com/"] }
        }))
        return yield* call(sitesGet)({ ...seeded, readOnly: key })
      }),
    details: { resource: "gsc:sc-domain:example.com" },
    log: { connection: "named" }
  },
  {
    when: "the provider refuses the token, and the refreshed one too",
    status: 401,
    code: "credentials_expired",
    provoke: upstream(
      tokenEndpoint(
        replyWith(200, { access_token: "ya29.another-0123456789", expires_in: 3599 }),
        replyWith(401, googleError(401, "UNAUTHENTICATED", "authError"))
      )
    ),
    log: { connection: "named" }
  },
  {
    when: "the granted scopes do not suffice",
    status: 502,
    code: "credentials_rejected",
    details: googleError(403, "PERMISSION_DENIED", "insufficientPermissions"),
    provoke: upstream(replyWith(403, googleError(403, "PERMISSION_DENIED", "insufficientPermissions"))),
    log: { connection: "named" }
  },
  {
    when: "the provider answers with an error",
    status: 404,
    code: "upstream_error",
    details: googleError(404, "NOT_FOUND", "notFound"),
    provoke: upstream(replyWith(404, googleError(404, "NOT_FOUND", "notFound")), sitesGet),
    log: { connection: "named" }
  },
  {
    when: "the provider answers with an error that is not JSON",
    status: 500,
    code: "upstream_error",
    details: { body: "<h1>Oh</h1>" },
    provoke: upstream(replyWith(500, "<h1>Oh</h1>")),
    log: { connection: "named" }
  },
  {
    when: "the provider answers with a redirect",
    status: 502,
    code: "upstream_error",
    details: { body: "" },
    provoke: upstream(replyWith(302, "", { location: "/elsewhere" })),
    log: { connection: "named" }
  },
  {
    when: "the provider closes the connection without an answer",
    status: 502,
    code: "upstream_unreachable",
    provoke: upstream(dropConnection),
    log: { connection: "named" }
  },
  {
    when: "the provider's answer is not JSON",
    status: 502,
    code: "upstream_unreachable",
    provoke: upstream(replyWith(200, "<h1>Hello</h1>")),
    log: { connection: "named" }
  }
]
