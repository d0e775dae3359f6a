import { Effect } from "effect"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type Answer, type seed, TestServer } from "../support/TestServer.ts"
import { clearRange, sitesGet, sitesList } from "./World.ts"

export const maxRequestBytes = 20_000

export const unknownConnection = "con_00000000000000000000000000"

/** What Google says, in the form in which it says it. */
export const googleError = (code: number, status: string, reason: string) => ({
  error: { code, message: `It is ${reason}`, status, errors: [{ message: reason, domain: "global", reason }] }
})

export const answering = (status: number, body: unknown, headers = {}): Handler => () => ({ status, body, headers })

export const tokenEndpoint = (token: Handler, api: Handler): Handler => (request) =>
  request.url.startsWith("/googleToken") ? token(request) : api(request)

const breakingOff: Handler = () => (response) => response.destroy()

type Seed = Effect.Success<ReturnType<typeof seed>>

interface Row {
  readonly when: string
  readonly status: number
  readonly code: string
  readonly details?: unknown
  readonly provoke: (seeded: Seed) => Effect.Effect<Answer, never, TestServer | LoopbackUpstream>
  /** What the log has beside what the answer says. */
  readonly log?: { readonly provider?: null; readonly target?: null; readonly connection?: "named" }
}

const call = (body: unknown) => ({ readOnly }: Seed) =>
  Effect.flatMap(TestServer, (server) => server.call(readOnly, body))

const upstream = (handler: Handler, body: unknown = sitesList) => (seeded: Seed) =>
  Effect.gen(function*() {
    ;(yield* LoopbackUpstream).handle(handler)
    return yield* call(body)(seeded)
  })

/** One way to meet each row of the specification's table that gsc can meet, and the contract's 413. */
export const rows: ReadonlyArray<Row> = [
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
    when: "the body is not of the right form",
    status: 400,
    code: "invalid_input",
    details: [{ path: ["max-age"], message: "Unknown field" }],
    provoke: call({ ...sitesList, "max-age": 60 }),
    log: { provider: null, target: null }
  },
  {
    when: "the input is not of the right form",
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
    when: "a read-only key calls what writes",
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
        yield* server.admin("DELETE", `/connections/${seeded.connection.id}`)
        return yield* call({ ...sitesList, connection_id: seeded.connection.id })(seeded)
      }),
    log: { connection: "named" }
  },
  {
    when: "the provider refuses the token, and the refreshed one too",
    status: 401,
    code: "credentials_expired",
    provoke: upstream(
      tokenEndpoint(
        answering(200, { access_token: "ya29.another-0123456789", expires_in: 3599 }),
        answering(401, googleError(401, "UNAUTHENTICATED", "authError"))
      )
    ),
    log: { connection: "named" }
  },
  {
    when: "the granted scopes are too small",
    status: 502,
    code: "credentials_rejected",
    details: googleError(403, "PERMISSION_DENIED", "insufficientPermissions"),
    provoke: upstream(answering(403, googleError(403, "PERMISSION_DENIED", "insufficientPermissions"))),
    log: { connection: "named" }
  },
  {
    when: "the provider answers with an error",
    status: 404,
    code: "upstream_error",
    details: googleError(404, "NOT_FOUND", "notFound"),
    provoke: upstream(answering(404, googleError(404, "NOT_FOUND", "notFound")), sitesGet),
    log: { connection: "named" }
  },
  {
    when: "the provider answers with an error that is not JSON",
    status: 500,
    code: "upstream_error",
    details: { body: "<h1>Oh</h1>" },
    provoke: upstream(answering(500, "<h1>Oh</h1>")),
    log: { connection: "named" }
  },
  {
    when: "the provider answers with a redirection",
    status: 502,
    code: "upstream_error",
    details: { body: "" },
    provoke: upstream(answering(302, "", { location: "/elsewhere" })),
    log: { connection: "named" }
  },
  {
    when: "the provider breaks the connection off",
    status: 502,
    code: "upstream_unreachable",
    provoke: upstream(breakingOff),
    log: { connection: "named" }
  },
  {
    when: "the provider's answer is not JSON",
    status: 502,
    code: "upstream_unreachable",
    provoke: upstream(answering(200, "<h1>Hello</h1>")),
    log: { connection: "named" }
  }
]
