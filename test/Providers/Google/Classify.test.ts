import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { AuthType } from "../../../src/Domain/Connection.ts"
import { classifyGoogle } from "../../../src/Providers/Google/Classify.ts"
import type { Verdict } from "../../../src/Providers/Provider.ts"
import { fixture } from "../../support/Fixtures.ts"
import { recordedTraffic } from "../../support/OutsideFolder.ts"

const info = (reason: string) => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "googleapis.com"
})

const newer = (code: number, status: string, ...details: ReadonlyArray<unknown>) => ({
  error: { code, status, message: "…", ...(details.length === 0 ? {} : { details }) }
})

const older = (code: number, reason: string, more: object = {}) => ({
  error: { code, message: "…", errors: [{ message: "…", domain: "usageLimits", reason }], ...more }
})

const denied = (...details: ReadonlyArray<unknown>) => newer(403, "PERMISSION_DENIED", ...details)

const table: ReadonlyArray<readonly [what: string, status: number, body: unknown, oauth: Verdict, account: Verdict]> = [
  ["data", 200, { rows: [] }, "ok", "ok"],
  ["an empty object", 200, {}, "ok", "ok"],
  ["a redirect", 302, undefined, "error", "error"],
  ["an invalid argument", 400, newer(400, "INVALID_ARGUMENT"), "error", "error"],
  ["an Office file", 400, newer(400, "FAILED_PRECONDITION"), "error", "error"],
  ["an invalid key", 400, newer(400, "INVALID_ARGUMENT", info("API_KEY_INVALID")), "error", "error"],
  ["an invalid token", 401, newer(401, "UNAUTHENTICATED"), "unauthorized", "unauthorized"],
  [
    "an expired token",
    401,
    newer(401, "UNAUTHENTICATED", info("ACCESS_TOKEN_EXPIRED")),
    "unauthorized",
    "unauthorized"
  ],
  [
    "a disabled account",
    401,
    newer(401, "UNAUTHENTICATED", info("ACCOUNT_STATE_INVALID")),
    "unauthorized",
    "unauthorized"
  ],
  ["an older invalid token", 401, older(401, "authError"), "unauthorized", "unauthorized"],
  ["a 401 without JSON", 401, undefined, "unauthorized", "unauthorized"],
  ["too few scopes", 403, denied(info("ACCESS_TOKEN_SCOPE_INSUFFICIENT")), "rejected", "rejected"],
  ["too few scopes, the older way", 403, older(403, "insufficientPermissions"), "rejected", "rejected"],
  ["a resource that is not shared", 403, denied(), "error", "rejected"],
  ["another account's property", 403, older(403, "forbidden"), "error", "rejected"],
  ["an API that is not enabled", 403, denied(info("SERVICE_DISABLED")), "error", "rejected"],
  [
    "an API that is not enabled, the older way",
    403,
    older(403, "accessNotConfigured", { status: "PERMISSION_DENIED" }),
    "error",
    "rejected"
  ],
  ["an administrator's block", 403, denied(info("USER_BLOCKED_BY_ADMIN")), "error", "rejected"],
  ["a suspended project", 403, denied(info("CONSUMER_SUSPENDED")), "error", "rejected"],
  ["throttling", 403, older(403, "rateLimitExceeded"), "error", "error"],
  ["a user's throttling", 403, older(403, "userRateLimitExceeded"), "error", "error"],
  ["a spent quota", 403, older(403, "quotaExceeded"), "error", "error"],
  ["a spent daily quota", 403, older(403, "dailyLimitExceeded"), "error", "error"],
  ["a full drive", 403, older(403, "storageQuotaExceeded"), "error", "error"],
  [
    "throttling that calls itself a denial",
    403,
    older(403, "rateLimitExceeded", { status: "PERMISSION_DENIED" }),
    "error",
    "error"
  ],
  ["throttling, the newer way", 403, denied(info("RATE_LIMIT_EXCEEDED")), "error", "error"],
  ["a 403 without JSON", 403, undefined, "error", "error"],
  ["a 403 of another form", 403, { error: "access_denied" }, "error", "error"],
  ["a missing resource", 404, newer(404, "NOT_FOUND"), "error", "error"],
  ["a conflict", 409, newer(409, "ABORTED"), "error", "error"],
  ["a 429", 429, newer(429, "RESOURCE_EXHAUSTED", info("RATE_LIMIT_EXCEEDED")), "error", "error"],
  ["a cancelled call", 499, newer(499, "CANCELLED"), "error", "error"],
  ["a backend's failure", 500, older(500, "backendError"), "error", "error"],
  ["an outage", 503, newer(503, "UNAVAILABLE"), "error", "error"],
  ["a timeout", 504, newer(504, "DEADLINE_EXCEEDED"), "error", "error"]
]

describe("Error classification for Google", () => {
  for (const [what, status, body, oauth, account] of table) {
    const verdict = (authType: AuthType) => classifyGoogle({ status, body: () => body, authType })
    it(`${what} is ${oauth} for a user and ${account} for a service account`, () => {
      assert.strictEqual(verdict("oauth"), oauth)
      assert.strictEqual(verdict("service_account"), account)
    })
  }

  const recordings: ReadonlyArray<readonly [file: `${string}/${string}.json`, oauth: Verdict, account: Verdict]> = [
    ["google-errors/docs__batchUpdate-400-no-request-set.json", "error", "error"],
    ["google-errors/gargle__sheets-spreadsheets-get-nonexistent-range_400.json", "error", "error"],
    ["google-errors/gargle__sheets-spreadsheets-get-nonexistent-sheet-id_404.json", "error", "error"],
    ["google-errors/gargle__sheets-spreadsheets-get-quota-exceeded-readgroup_429.json", "error", "error"],
    ["google-errors/gargle__sheets-spreadsheets-get-service-disabled_403.json", "error", "rejected"],
    ["google-errors/gargle__fitness-get-wrong-scope_403.json", "rejected", "rejected"],
    ["google-errors/gargle__tokeninfo-stale_400.json", "error", "error"]
  ]
  for (const [file, oauth, account] of recordings) {
    it.skipIf(recordedTraffic.isAbsent)(`classifies the recording ${file}${recordedTraffic.absence}`, () => {
      const { response: { body, status } } = Schema.decodeUnknownSync(Recording)(fixture(file))
      assert.strictEqual(classifyGoogle({ status, body: () => body, authType: "oauth" }), oauth)
      assert.strictEqual(classifyGoogle({ status, body: () => body, authType: "service_account" }), account)
    })
  }
})

const Recording = Schema.Struct({ response: Schema.Struct({ status: Schema.Int, body: Schema.Unknown }) })
