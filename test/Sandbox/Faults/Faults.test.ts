import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Record } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { gdocs } from "../../../src/Providers/Gdocs/Provider.ts"
import { google } from "../../../src/Providers/Google/IdentityProvider.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import type { Provider } from "../../../src/Providers/Provider.ts"
import type { Access } from "../../../src/Providers/ProviderClient.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { type Fault, type FaultName, faults, findFault, slowSeconds } from "../../../src/Sandbox/Faults/Faults.ts"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import {
  accessToken,
  at,
  call,
  clientsOf,
  newRefreshToken,
  now,
  oauthConnection,
  refreshed,
  sandboxAt,
  sandboxMemory,
  send
} from "../SandboxFixture.ts"

const siteOf = (name: FaultName) => `https://${name}.sandbox.test/`
const getSite = (name: FaultName, token: string) =>
  send("gsc", `/webmasters/v3/sites/${encodeURIComponent(siteOf(name))}`, { token })

describe("The table of faults", () => {
  it("has each resource once", () => {
    const resources = faults.flatMap(({ file, property, site }) => [file, property, site])
    assert.strictEqual(new Set(resources).size, resources.length)
    for (const { name, site } of faults) assert.strictEqual(site, siteOf(name))
  })

  it("is complete in the README", () => {
    const readme = readFileSync(new URL("../../../src/Sandbox/README.md", import.meta.url), "utf8")
    for (const { name, property } of faults) assert.include(readme, `| \`${name}\` | ${property} |`)
  })

  it("has no ordinary resources", () => {
    assert.isTrue(["sc-domain:fernhill.example", "1", ""].every((id) => findFault(id)._tag === "None"))
  })
})

layer(sandboxAt(now))("The provider's response", (it) => {
  const responses: ReadonlyArray<readonly [FaultName, number, string]> = [
    ["refused-token", 401, "Request had invalid authentication credentials."],
    ["revoked-grant", 401, "Request had invalid authentication credentials."],
    ["permission-denied", 403, "The caller does not have permission"],
    ["throttled", 429, "RATE_LIMIT_EXCEEDED"],
    ["throttled-retry-after", 429, "RATE_LIMIT_EXCEEDED"],
    ["server-error", 500, "Internal error encountered."],
    ["html-error", 502, "<!DOCTYPE html>"],
    ["not-json", 200, "this is not JSON"]
  ]
  for (const [name, status, text] of responses) {
    it.effect(`to ${name} is ${status}`, () =>
      Effect.gen(function*() {
        const answer = yield* getSite(name, yield* accessToken("google", scopes.webmasters))
        assert.strictEqual(answer.status, status)
        assert.include(answer.text, text)
        assert.strictEqual(answer.headers.get("retry-after"), name === "throttled-retry-after" ? "30" : null)
      }))
  }

  it.effect("to expired-token is 401, then 200 once with a new token", () =>
    Effect.gen(function*() {
      const refreshToken = newRefreshToken("google", scopes.webmasters)
      const first = yield* refreshed("google", refreshToken)
      const second = yield* refreshed("google", refreshToken)
      const answers = yield* Effect.forEach([first, first, second, second], (token) => getSite("expired-token", token))
      assert.deepStrictEqual(answers.map(({ status }) => status), [401, 401, 200, 401])
    }))

  it.effect("is the same for a domain property", () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.webmasters)
      const { status } = yield* send("gsc", "/webmasters/v3/sites/sc-domain%3Athrottled.sandbox.test", { token })
      assert.strictEqual(status, 429)
    }))

  it.effect("is the same for a resource in the body", () =>
    Effect.gen(function*() {
      const { status } = yield* send("gsc", "/v1/urlInspection/index:inspect", {
        token: yield* accessToken("google", scopes.webmasters),
        json: { siteUrl: siteOf("server-error"), inspectionUrl: `${siteOf("server-error")}a` }
      })
      assert.strictEqual(status, 500)
    }))
})

layer(sandboxAt(now))("The fault slow-answer", (it) => {
  it.effect(`responds correctly after ${slowSeconds} seconds`, () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.webmasters)
      const start = yield* Clock.currentTimeMillis
      const fiber = yield* Effect.forkChild(getSite("slow-answer", token))
      while (fiber.pollUnsafe() === undefined) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust("1 second")
      }
      const { status, text } = yield* Fiber.join(fiber)
      assert.strictEqual(status, 200)
      assert.strictEqual(at(text, "siteUrl"), siteOf("slow-answer"))
      assert.isAtLeast((yield* Clock.currentTimeMillis) - start, slowSeconds * 1000)
    }))
})

const outcomes: Readonly<Record<Exclude<FaultName, "slow-answer">, string>> = {
  "expired-token": "200",
  "refused-token": "CredentialsExpired 401",
  "revoked-grant": "CredentialsExpired 401",
  "permission-denied": "UpstreamError 403",
  throttled: "UpstreamError 429",
  "throttled-retry-after": "UpstreamError 429 retry 30",
  "server-error": "UpstreamError 500",
  "html-error": "UpstreamError 502",
  "cut-off-answer": "UpstreamUnreachable 502",
  "not-json": "UpstreamUnreachable 502"
}

/** Site search responds to all errors with 400. */
const siteSearchOutcomes: typeof outcomes = {
  ...outcomes,
  "permission-denied": "UpstreamError 400",
  throttled: "UpstreamError 400",
  "throttled-retry-after": "UpstreamError 400 retry 30"
}

interface Reader {
  readonly provider: Provider
  readonly scope: string
  readonly outcomes: typeof outcomes
  readonly read: (fault: Fault) => readonly [endpoint: string, input: object]
}

const readers: ReadonlyArray<Reader> = [
  {
    provider: gsc,
    scope: scopes.webmasters,
    outcomes,
    read: ({ site }) => ["sites.get", { path: { siteUrl: site } }]
  },
  {
    provider: ga4,
    scope: scopes.analytics,
    outcomes,
    read: ({ property }) => ["properties.getMetadata", { path: { property } }]
  },
  {
    provider: sitesearch,
    scope: scopes.webmasterRead,
    outcomes: siteSearchOutcomes,
    read: ({ site }) => ["GetFeeds", { query: { siteUrl: site } }]
  },
  {
    provider: gsheets,
    scope: scopes.spreadsheets,
    outcomes,
    read: ({ file }) => ["values.get", { path: { spreadsheetId: file, range: "A1" } }]
  },
  {
    provider: gdocs,
    scope: scopes.documents,
    outcomes,
    read: ({ file }) => ["documents.get", { path: { documentId: file } }]
  }
]

// In real time: the client waits between retries.
layer(clientsOf(sandboxMemory), { excludeTestServices: true })("The service's client", (it) => {
  for (const { outcomes, provider, read, scope } of readers) {
    for (const fault of faults.filter(({ name }) => name !== "slow-answer")) {
      const outcome = Record.toEntries(outcomes).find(([name]) => name === fault.name)?.[1] ?? ""
      it.effect(`maps ${provider.id} ${fault.name} to ${outcome}`, () =>
        Effect.gen(function*() {
          const connection = yield* oauthConnection(provider.identity ?? google, scope)
          const answered = yield* call(provider, ...read(fault), connection.access).pipe(
            Effect.as("200"),
            Effect.catch((error) =>
              Effect.succeed(
                `${error._tag} ${error.status}${error.retryAfter === undefined ? "" : ` retry ${error.retryAfter}`}`
              )
            )
          )
          assert.strictEqual(answered, outcome)
          assert.strictEqual(connection.isExpired(), outcome.startsWith("CredentialsExpired"))
        }))
    }
  }

  it.effect("rejects the credentials of a service account on permission-denied and refused-token", () =>
    Effect.gen(function*() {
      const { access } = yield* oauthConnection(google, scopes.webmasters)
      const robot: Access = { ...access, authType: "service_account" }
      for (const name of ["permission-denied", "refused-token"] as const) {
        const error = yield* Effect.flip(call(gsc, "sites.get", { path: { siteUrl: siteOf(name) } }, robot))
        assert.strictEqual(error._tag, "CredentialsRejected")
      }
    }))
})

// In real time, of which the default would take 30 seconds.
layer(clientsOf(sandboxAt(now), { UPSTREAM_TIMEOUT: "3 seconds" }))(
  "The fault slow-answer through the service's client",
  (it) => {
    it.effect("ends after UPSTREAM_TIMEOUT", () =>
      Effect.gen(function*() {
        const { access } = yield* oauthConnection(google, scopes.webmasters)
        const startedAt = performance.now()
        const error = yield* Effect.flip(
          call(gsc, "sites.get", { path: { siteUrl: siteOf("slow-answer") } }, access)
        )
        assert.strictEqual(error._tag, "UpstreamUnreachable")
        assert.isAtLeast(performance.now() - startedAt, 2900)
      }))
  }
)
