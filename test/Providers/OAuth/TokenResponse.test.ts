import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { ProviderError } from "../../../src/Api/Errors.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { failureOf } from "../../../src/Providers/OAuth/TokenResponse.ts"
import { fixture } from "../../support/Fixtures.ts"
import { recordedTraffic } from "../../support/OutsideFolder.ts"

const codeOf = (purpose: "refresh" | "code" | "service_account", status: number, body: unknown) => {
  const json = body === undefined ? undefined : JsonText.stringify(body)
  return failureOf({ host: "example.com", purpose, secrets: [] }, {
    status,
    headers: {},
    text: json?.text ?? "<html>",
    json
  }).code
}

describe("the error for a refusal at the token endpoint", () => {
  type Code = ProviderError["code"]
  const table: ReadonlyArray<readonly [status: number, body: unknown, refresh: Code, code: Code, account: Code]> = [
    [400, { error: "invalid_grant" }, "credentials_expired", "upstream_error", "credentials_rejected"],
    [
      400,
      { error: "invalid_grant", error_subtype: "invalid_rapt" },
      "credentials_expired",
      "upstream_error",
      "credentials_rejected"
    ],
    [401, { error: "invalid_client" }, "credentials_rejected", "credentials_rejected", "credentials_rejected"],
    [401, { error: "unauthorized_client" }, "credentials_rejected", "credentials_rejected", "credentials_rejected"],
    [401, { error: "deleted_client" }, "credentials_rejected", "credentials_rejected", "credentials_rejected"],
    [400, { error: "admin_policy_enforced" }, "credentials_rejected", "credentials_rejected", "credentials_rejected"],
    [401, { error: "disabled_client" }, "upstream_error", "upstream_error", "credentials_rejected"],
    [403, { error: "access_denied" }, "upstream_error", "upstream_error", "credentials_rejected"],
    [403, { error: "org_internal" }, "upstream_error", "upstream_error", "credentials_rejected"],
    [400, { error: "invalid_scope" }, "upstream_error", "upstream_error", "credentials_rejected"],
    [400, { error: "invalid_request" }, "upstream_error", "upstream_error", "credentials_rejected"],
    [403, { error: "rate_limit_exceeded" }, "upstream_error", "upstream_error", "upstream_error"],
    [400, { error: "temporarily_unavailable" }, "upstream_error", "upstream_error", "upstream_error"],
    [429, { error: "invalid_client" }, "upstream_error", "upstream_error", "upstream_error"],
    [500, { error: "internal_failure" }, "upstream_error", "upstream_error", "upstream_error"],
    [403, { error: { code: 403, message: "…" } }, "upstream_error", "upstream_error", "upstream_error"],
    [404, undefined, "upstream_error", "upstream_error", "upstream_error"]
  ]
  for (const [status, body, ...expected] of table) {
    it(`${status} ${JSON.stringify(body) ?? "HTML"}: ${expected.join(", ")}`, () => {
      assert.deepStrictEqual(
        [codeOf("refresh", status, body), codeOf("code", status, body), codeOf("service_account", status, body)],
        expected
      )
    })
  }

  const Recording = Schema.Struct({ response: Schema.Struct({ status: Schema.Int, body: Schema.Unknown }) })
  for (
    const [file, expected] of [
      ["google-oauth/plausible__invalid_grant-bad-request.json", "credentials_expired"],
      ["google-oauth/probe__invalid_client-401.json", "credentials_rejected"]
    ] as const
  ) {
    it.skipIf(recordedTraffic.isAbsent)(`as recorded in ${file}${recordedTraffic.absence}`, () => {
      const { response } = Schema.decodeUnknownSync(Recording)(fixture(file))
      assert.strictEqual(codeOf("refresh", response.status, response.body), expected)
    })
  }
})
