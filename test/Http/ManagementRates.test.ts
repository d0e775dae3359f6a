import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, assertLimited, errorIn } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { signedIn } from "../support/SignedIn.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const times = <A>(count: number, effect: Effect.Effect<A>) =>
  Effect.all(Array.from({ length: count }, () => effect), { concurrency: 20 })

const assertOverShare = (answer: Answer | undefined, message: RegExp) => {
  if (answer === undefined) return assert.fail("no request was refused")
  assertLimited(answer, "member_share")
  assert.match(errorIn(answer).message, message)
}

const refused = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status === 429)

layer(TestServer.layer, { excludeTestServices: true })("A member's session", (it) => {
  it.effect("makes at most 100 live keys, and one more after a revocation", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const ada = yield* signedIn()
      const make = ada.request("POST", "/admin/v1/keys", { body: { member_id: ada.member.id, name: "x" } })
      const answers = yield* times(105, make)
      assert.lengthOf(answers.filter(({ status }) => status === 201), 100)
      assertOverShare(refused(answers)[0], /has 100 live keys. Revoke one/)
      yield* admin.keys.create({ payload: { member_id: ada.member.id, name: "by the operator" } })
      for (const { json } of answers.filter(({ status }) => status === 201).slice(0, 2)) {
        assert.strictEqual((yield* ada.request("DELETE", `/admin/v1/keys/${Object(json).id}`)).status, 200)
      }
      assert.strictEqual((yield* make).status, 201)
    }))

  it.effect("makes at most 100 open links", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed()
      const ada = yield* signedIn({ client_ids: [client.id] })
      const make = ada.request("POST", "/admin/v1/connect-links", { body: { connection_id: connection.id } })
      const answers = yield* times(105, make)
      const made = answers.filter(({ status }) => status === 201)
      assert.lengthOf(made, 100)
      assertOverShare(refused(answers)[0], /has 100 open links. End one/)
      assert.strictEqual(
        (yield* ada.request("DELETE", `/admin/v1/connect-links/${Object(made[0]?.json).id}`)).status,
        200
      )
      assert.strictEqual((yield* make).status, 201)
    }))

  it.effect("tests connections at most 20 times a minute, and the audit has each test", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { client, connection } = yield* seed()
      const ada = yield* signedIn({ client_ids: [client.id] })
      const before = upstream.requests.length
      const answers = yield* times(25, ada.request("POST", `/admin/v1/connections/${connection.id}/test`))
      assert.lengthOf(refused(answers), 5)
      assertOverShare(refused(answers)[0], /Too many connection tests: at most 20 a minute/)
      assert.strictEqual(upstream.requests.length - before, 20)
      const { entries } = yield* admin.audit.list({ query: { subject: connection.id, action: "connection.tested" } })
      assert.lengthOf(entries, 20)
      assert.deepInclude(entries[0], { details: { ok: true }, actor: { type: "member", member_id: ada.member.id } })
    }))

  it.effect("is limited alone: another member and the operator go on", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const ada = yield* signedIn()
      const grace = yield* signedIn()
      const answers = yield* times(605, ada.request("GET", "/admin/v1/keys"))
      assertOverShare(refused(answers)[0], /Too many management requests: at most 600 a minute/)
      assert.strictEqual((yield* grace.request("GET", "/admin/v1/keys")).status, 200)
      yield* admin.keys.list({ query: {} })
    }))
})
