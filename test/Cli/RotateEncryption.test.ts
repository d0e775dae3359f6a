import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ConnectionId } from "../../src/Domain/Ids.ts"
import type { RotatedBatch } from "../../src/Domain/ReEncryption.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { oaWith } from "./RunCli.ts"

const cursor = "con_01m7z789t9e688gezg8zqgswzs"
const lost = {
  connection_id: ConnectionId.make("con_01m7z78cxqe90bvf3e0zk4j012"),
  encryption_key_id: "k0",
  reason: "con_01m7z78cxqe90bvf3e0zk4j012 is sealed under key \"k0\", not in ENCRYPTION_KEYS"
}
const batch = (given: Partial<RotatedBatch>): RotatedBatch => ({
  key_id: "k2",
  rotated: 0,
  remaining: 0,
  failed: [],
  cursor: null,
  ...given
})

/** `oa keys rotate-encryption` against a service that answers with these batches, one after the other. */
const rotated = Effect.fnUntraced(
  function*(
    batches: ReadonlyArray<RotatedBatch>,
    options: { readonly json?: boolean; readonly terminal?: boolean } = {}
  ) {
    const service = yield* LoopbackUpstream
    service.handle(() => ({ body: batches[service.requests.length - 1] }))
    const ran = yield* oaWith(["keys", "rotate-encryption", ...(options.json ? ["--json"] : [])], {
      terminal: options.terminal ?? false,
      settings: { OA_URL: service.url, ADMIN_TOKEN: "admin", NO_COLOR: "1" }
    })
    return { ...ran, requests: service.requests.map(({ method, url }) => `${method} ${url}`) }
  }
)

layer(LoopbackUpstream.layer)("oa keys rotate-encryption", (it) => {
  it.effect("goes through all batches, shows how far it is, and says when the old key may go", () =>
    Effect.gen(function*() {
      const ran = yield* rotated([batch({ rotated: 200, remaining: 42, cursor }), batch({ rotated: 42 })], {
        terminal: true
      })
      assert.deepStrictEqual(ran.requests, [
        "POST /admin/v1/encryption/rotate?limit=200",
        `POST /admin/v1/encryption/rotate?limit=200&cursor=${cursor}`
      ])
      assert.include(ran.stderr, "Re-encrypted 200 of 242 …")
      assert.strictEqual(
        ran.stdout,
        "242 re-encrypted under key \"k2\".\nNo other key is in use any more: it may leave ENCRYPTION_KEYS.\n"
      )
      assert.strictEqual(ran.exitCode, 0)
    }))

  it.effect("names what could not be opened, and ends as incomplete", () =>
    Effect.gen(function*() {
      const batches = [batch({ rotated: 3, remaining: 3, failed: [lost], cursor }), batch({ rotated: 2, remaining: 1 })]
      const human = yield* rotated(batches)
      assert.include(human.stdout, "5 re-encrypted")
      assert.match(human.stdout, new RegExp(`^${lost.connection_id} +k0 `, "m"))
      assert.include(human.stdout, "1 could not be opened.")
      assert.strictEqual(human.exitCode, 5)
      const json = yield* rotated(batches, { json: true })
      assert.deepStrictEqual(JSON.parse(json.stdout), { key_id: "k2", rotated: 5, remaining: 1, failed: [lost] })
      assert.strictEqual(json.exitCode, 5)
    }))

  it.effect("shows the first of many that could not be opened, with --json all of them", () =>
    Effect.gen(function*() {
      const failed = Array.from({ length: 30 }, () => lost)
      const human = yield* rotated([batch({ remaining: 30, failed })])
      assert.lengthOf(human.stdout.match(/^con_/gm) ?? [], 20)
      assert.include(human.stdout, "… and 10 more")
      const json = yield* rotated([batch({ remaining: 30, failed })], { json: true })
      assert.lengthOf(JSON.parse(json.stdout).failed, 30)
    }))

  it.effect("takes what was stored meanwhile along, as long as that does any good", () =>
    Effect.gen(function*() {
      const done = yield* rotated([batch({ rotated: 10, remaining: 2 }), batch({ rotated: 2 })])
      assert.include(done.stdout, "12 re-encrypted")
      assert.strictEqual(done.exitCode, 0)
      const endless = yield* rotated([batch({ rotated: 10, remaining: 2 }), batch({ remaining: 2 })])
      assert.include(endless.stdout, "2 were sealed under another key meanwhile.")
      assert.strictEqual(endless.exitCode, 5)
      assert.lengthOf(endless.requests, 2)
    }))

  it.effect("what answers but is not this service is told from a refusal", () =>
    Effect.gen(function*() {
      const service = yield* LoopbackUpstream
      const run = oaWith(["keys", "rotate-encryption"], { settings: { OA_URL: service.url, ADMIN_TOKEN: "admin" } })
      service.handle(() => ({ body: { hello: "world" } }))
      assert.strictEqual((yield* run).exitCode, 3)
      service.handle(() => ({ status: 502, body: "<html>Bad gateway" }))
      const gateway = yield* run
      assert.strictEqual(gateway.exitCode, 3)
      assert.include(gateway.stderr, "What answers is not this service")
    }))
})
