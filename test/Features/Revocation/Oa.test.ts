import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { stripVTControlCharacters } from "node:util"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { answering, deadTokens } from "../../Http/Fixture.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const pressed = (text: string) => [...text, "enter"]

layer(TestServer.layer, { excludeTestServices: true })("oa revoke", (it) => {
  it.effect("asks for the word, and shows the progress and a line for each connection", () =>
    Effect.gen(function*() {
      yield* answering(deadTokens)
      const { admin } = yield* TestServer
      const { client, connection } = yield* seed()
      const statusOf = Effect.map(
        admin.managedConnections.list({ query: { client_id: client.id } }),
        ({ connections }) => connections.map(({ status }) => status)
      )
      const args = ["revoke", "--client", client.id, "--keys"]
      const unasked = yield* runOaOnServer(args)
      assert.strictEqual(unasked.exitCode, 2)
      assert.include(unasked.stderr, "--yes")
      const mistyped = yield* runOaOnServer(args, { terminal: true, keys: pressed("all") })
      assert.strictEqual(mistyped.exitCode, 2)
      assert.include(mistyped.stderr, "Nothing was revoked")
      assert.deepStrictEqual(yield* statusOf, ["active"])

      const done = yield* runOaOnServer(args, { terminal: true, keys: pressed(client.id) })
      assert.strictEqual(done.exitCode, 0, done.stderr)
      assert.match(done.stderr, /rev_\w+: 1 connections, 1 pending/)
      assert.match(stripVTControlCharacters(done.stdout), new RegExp(`${connection.id}\\s+revoked\\s+refused`))
      assert.match(done.stdout, /1 connections, 0 pending, 1 revoked, 1 proven dead, .*, 2 keys revoked/)
      assert.deepStrictEqual(yield* statusOf, ["revoked"])
    }))

  it.effect("takes one selector, prints JSON, and exits with 5 when a line needs care", () =>
    Effect.gen(function*() {
      yield* answering(deadTokens)
      for (const selectors of [[], ["--all", "--provider", "gsc"]]) {
        const refused = yield* runOaOnServer(["revoke", ...selectors, "--yes"])
        assert.strictEqual(refused.exitCode, 2)
        assert.include(refused.stderr, "exactly one of --client, --provider, --connection and --all")
      }

      const { client, connect, connection } = yield* seed()
      const copy = yield* connect()
      const args = ["revoke", "--connection", connection.id, "--yes", "--json"]
      const shared = yield* runOaOnServer(args)
      assert.strictEqual(shared.exitCode, 5)
      assert.strictEqual(JSON.parse(shared.stdout).connections[0].error.code, "token_in_use")
      const second = yield* connect()
      const named = yield* runOaOnServer(["revoke", "--connection", copy.id, "--yes"])
      assert.include(named.stdout, "1 need care")
      assert.include(named.stderr, `oa revoke --connection ${second.id}\n`)
      const third = yield* connect()
      const together = yield* runOaOnServer(["revoke", "--connection", second.id, "--with-shared", "--yes"])
      assert.strictEqual(together.exitCode, 0, together.stderr)
      assert.include(together.stdout, third.id)
      const { connections } = yield* (yield* TestServer).admin.managedConnections.list({
        query: { client_id: client.id, status: "active" }
      })
      assert.deepStrictEqual(connections, [])
    }))
})
