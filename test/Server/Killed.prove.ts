import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { call, Instances, lost } from "./Instances.ts"
import { approvedWrites } from "./killed/ApprovedWrites.ts"
import { background } from "./killed/Background.ts"

layer(Instances.layer, { excludeTestServices: true })("A killed instance", (it) => {
  it.effect("has logged at its start whether it leaves an embedded database unused, and where", () =>
    Effect.gen(function*() {
      const { folder, survivor, victim } = yield* Instances
      assert.include(survivor.output(), `the embedded database in ${join(folder, "db")} is not used`)
      assert.include(survivor.output(), "start without DATABASE_URL and with the same DATA_DIR")
      assert.notInclude((yield* victim).output(), "is not used")
    }))

  it.effect("that had created a file leaves it to the bound that allows created files, and to no other", () =>
    Effect.gen(function*() {
      const { killVictim, seed, survivor, upstream, victim } = yield* Instances
      const server = yield* victim
      let dies = false
      upstream.handle(({ method }) => {
        if (method === "POST" && dies) process.kill(server.pid, "SIGKILL")
        return { body: { spreadsheetId: `file-${upstream.requests.length}` } }
      })
      const { connection: { id: parent_id }, readWrite: unbound } = yield* seed({ provider: "gsheets" })
      const bound = Effect.gen(function*() {
        const { client, name, readWrite } = yield* seed()
        const payload = { parent_id, client_id: client.id, label: name, resources: ["gsheets:created"] }
        yield* survivor.admin.managedConnections.create({ payload })
        return readWrite
      })
      const [owner, other] = [yield* bound, yield* bound]
      const create = () => call(server, owner, { provider: "gsheets", endpoint: "spreadsheets.create" })
      const statuses = (spreadsheetId: string) =>
        Effect.promise(() =>
          Promise.all([owner, other, unbound].map(async (key) => {
            const input = { path: { spreadsheetId } }
            return (await call(survivor, key, { provider: "gsheets", endpoint: "spreadsheets.get", input })).status
          }))
        )
      const { status, text } = yield* Effect.promise(create)
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(yield* statuses("file-1"), [200, 404, 200])

      // The answer with the id of the file reaches nobody.
      dies = true
      const unknown = `file-${upstream.requests.length + 1}`
      assert.strictEqual(yield* Effect.promise(() => lost(create())), "lost")
      yield* killVictim
      assert.deepStrictEqual(yield* statuses(unknown), [404, 404, 200])
      assert.deepStrictEqual(yield* statuses("file-1"), [200, 404, 200])
    }))

  background(it)
  approvedWrites(it)
})
