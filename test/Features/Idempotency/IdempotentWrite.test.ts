import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { type ProviderCallError, RateLimited } from "../../../src/Api/Errors.ts"
import { CredentialsExpired, UpstreamUnreachable } from "../../../src/Api/Errors/ProviderErrors.ts"
import { StoredResponse } from "../../../src/Calls/CallResult.ts"
import { CallResponse } from "../../../src/Calls/Response/CallResponse.ts"
import { CallId, MemberId } from "../../../src/Domain/Ids.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { Idempotency } from "../../../src/Features/Idempotency/Idempotency.ts"
import { hashBody, makeIdempotentWrites } from "../../../src/Features/Idempotency/IdempotentWrite.ts"
import { toTransportError } from "../../../src/Outbound/TransportError.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import type { ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { Embedded } from "../../Sql/StorageFixture.ts"
import { testAccess } from "../../support/TestAccess.ts"

const tooManyCalls = new RateLimited({
  message: "Too many calls.",
  details: { limited_by: "member_share", retry_after_seconds: 5 }
})

const unreachable = (code: string) =>
  new UpstreamUnreachable(toTransportError(Object.assign(new Error(), { code }), "sheets.example"))

const client: ProviderClient["Service"] = { call: ({ access }) => Effect.as(access.secret, JsonText.stringify({})) }

const repeatAfter = Effect.fnUntraced(function*(
  secrets: ReadonlyArray<Effect.Effect<Redacted.Redacted, ProviderCallError>>,
  provider = client
) {
  const endpoint = gsheets.endpoints.find(({ writes }) => writes)
  if (endpoint === undefined) return assert.fail("no endpoint")
  const { claim } = makeIdempotentWrites(yield* Idempotency)
  const use = {
    memberId: MemberId.make(yield* newId("mem")),
    key: yield* newId("key"),
    bodyHash: hashBody({}),
    callId: CallId.make(yield* newId("call"))
  }
  const write = yield* claim(use)
  if (write instanceof StoredResponse) return assert.fail("the key was used")
  const send = write.sent.watch(provider.call)
  const exit = yield* Effect.exit(
    Effect.forEach(
      secrets,
      (secret) => send({ provider: gsheets, endpoint, input: {}, access: testAccess({ secret, renew: () => secret }) })
    )
  )
  yield* write.settle(
    Exit.map(exit, () => ({ response: new CallResponse({}, JsonText.trusted("{}")), facts: {} })),
    null
  )
  return yield* Effect.match(claim({ ...use, callId: CallId.make(yield* newId("call")) }), {
    onFailure: ({ code }) => code,
    onSuccess: (claimed) => claimed instanceof StoredResponse ? claimed.status : "free"
  })
})

const token = Effect.succeed(Redacted.make("ya29.token"))

layer(Embedded)("The Idempotency-Key of a write", (it) => {
  it.effect.each([
    { what: "the provider refused the connection", error: unreachable("ECONNREFUSED"), outcome: "free" },
    { what: "the provider's name does not resolve", error: unreachable("ENOTFOUND"), outcome: "free" },
    { what: "the connection broke", error: unreachable("ECONNRESET"), outcome: "outcome_unknown" },
    { what: "the network timed out", error: unreachable("ETIMEDOUT"), outcome: "outcome_unknown" },
    { what: "another client could not send", error: new UpstreamUnreachable({ wasSent: false }), outcome: "free" },
    { what: "another client may have sent", error: new UpstreamUnreachable(), outcome: "outcome_unknown" },
    { what: "the member's share is used up", error: tooManyCalls, outcome: "free" }
  ])("is $outcome when $what", ({ error, outcome }) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* repeatAfter([token], { call: () => Effect.fail(error) }), outcome)
    }))

  it.effect("is free when nothing was sent, and has an unknown outcome when an earlier request of the call was sent", () =>
    Effect.gen(function*() {
      const refused = Effect.fail(unreachable("ECONNREFUSED"))
      assert.strictEqual(yield* repeatAfter([refused]), "free")
      assert.strictEqual(yield* repeatAfter([token, refused]), "outcome_unknown")
      assert.strictEqual(yield* repeatAfter([token, Effect.fail(new CredentialsExpired())]), 401)
      assert.strictEqual(yield* repeatAfter([token, token]), 200)
    }))

  it.effect("has an unknown outcome after a defect during a request", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* repeatAfter([token], { call: () => Effect.die("defect") }), "outcome_unknown")
    }))
})
