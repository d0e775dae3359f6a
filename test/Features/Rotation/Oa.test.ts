import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ConnectionId } from "../../../src/Domain/Ids.ts"
import type { RotatedBatch } from "../../../src/Features/Rotation/Contract.ts"
import { runOa } from "../../Cli/RunCli.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"

const cursor = "con_01m7z789t9e688gezg8zqgswzs"
const lost = {
  connection_id: ConnectionId.make("con_01m7z78cxqe90bvf3e0zk4j012"),
  encryption_key_id: "k0",
  reason: "con_01m7z78cxqe90bvf3e0zk4j012 is encrypted with key \"k0\", which is not in ENCRYPTION_KEYS"
}
const batch = (fields: Partial<RotatedBatch>): RotatedBatch => ({
  key_id: "k2",
  rotated: 0,
  remaining: 0,
  failed: [],
  cursor: null,
  ...fields
})

const rotate = Effect.fnUntraced(
  function*(
    batches: ReadonlyArray<RotatedBatch>,
    options: { readonly json?: boolean; readonly terminal?: boolean } = {}
  ) {
    const service = yield* LoopbackUpstream
    service.handle(() => ({ body: batches[service.requests.length - 1] }))
    const ran = yield* runOa(["keys", "rotate-encryption", ...(options.json ? ["--json"] : [])], {
      terminal: options.terminal ?? false,
      settings: { OA_URL: service.url, ADMIN_TOKEN: "admin", NO_COLOR: "1" }
    })
    return { ...ran, requests: service.requests.map(({ method, url }) => `${method} ${url}`) }
  }
)

layer(LoopbackUpstream.layer)("oa keys rotate-encryption", (it) => {
  it.effect("re-encrypts every batch, shows progress and says when the old key can be removed", () =>
    Effect.gen(function*() {
      const ran = yield* rotate([batch({ rotated: 200, remaining: 42, cursor }), batch({ rotated: 42 })], {
        terminal: true
      })
      assert.deepStrictEqual(ran.requests, [
        "POST /admin/v1/encryption/rotate?limit=200",
        `POST /admin/v1/encryption/rotate?limit=200&cursor=${cursor}`
      ])
      assert.include(ran.stderr, "Re-encrypted 200 of 242 …")
      assert.strictEqual(
        ran.stdout,
        "242 re-encrypted under key \"k2\".\nNo other key is in use: you can remove the others from ENCRYPTION_KEYS.\n"
      )
      assert.strictEqual(ran.exitCode, 0)
    }))

  it.effect("names the first connections that could not be opened, all of them with --json, and exits with 5", () =>
    Effect.gen(function*() {
      const batches = [batch({ rotated: 3, remaining: 3, failed: [lost], cursor }), batch({ rotated: 2, remaining: 1 })]
      const human = yield* rotate(batches)
      assert.include(human.stdout, "5 re-encrypted")
      assert.match(human.stdout, new RegExp(`^${lost.connection_id} +k0 `, "m"))
      assert.include(human.stdout, "1 could not be opened.")
      assert.strictEqual(human.exitCode, 5)
      const many = { failed: Array.from({ length: 30 }, () => lost), remaining: 30 }
      const shown = yield* rotate([batch(many)])
      assert.lengthOf(shown.stdout.match(/^con_/gm) ?? [], 20)
      assert.include(shown.stdout, "… and 10 more")
      const json = yield* rotate([batch(many)], { json: true })
      assert.deepStrictEqual(JSON.parse(json.stdout), { key_id: "k2", rotated: 0, ...many })
      assert.strictEqual(json.exitCode, 5)
    }))

  it.effect("repeats for credentials stored meanwhile until nothing is left to re-encrypt", () =>
    Effect.gen(function*() {
      const done = yield* rotate([batch({ rotated: 10, remaining: 2 }), batch({ rotated: 2 })])
      assert.include(done.stdout, "12 re-encrypted")
      assert.strictEqual(done.exitCode, 0)
      const endless = yield* rotate([batch({ rotated: 10, remaining: 2 }), batch({ remaining: 2 })])
      assert.include(endless.stdout, "2 were encrypted with another key meanwhile.")
      assert.strictEqual(endless.exitCode, 5)
      assert.lengthOf(endless.requests, 2)
    }))
})
