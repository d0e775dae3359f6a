import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { seed, TestServer } from "../../support/TestServer.ts"
import { answerSearches, daysAgo, fewRows, play } from "./Fixture.ts"

const World = TestServer.layer.pipe(Layer.provideMerge(NodeServices.layer))

layer(World, { excludeTestServices: true })("oa dataset", (it) => {
  it.effect("creates a dataset, shows its progress, and downloads its files once", () =>
    Effect.gen(function*() {
      yield* play(answerSearches(fewRows))
      const { connection } = yield* seed()
      const since = yield* daysAgo(5)
      const bounds = ["--connection", connection.id, "--since", since, "--dimension", "query"]
      const created = yield* runOaOnServer(
        ["dataset", "create", "gsc.searchanalytics", "gsc:sc-domain:acme.com", ...bounds, "--wait"],
        { terminal: true }
      )
      assert.strictEqual(created.exitCode, 0, created.stderr)
      assert.match(created.stderr, /idle: 5 of 5 days, 15 rows, 0 MB/)
      assert.match(created.stdout, /query, clicks, impressions, ctr, position/)
      const [id = ""] = /dst_\w+/.exec(created.stdout) ?? []

      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const download = () =>
        Effect.map(
          runOaOnServer(["dataset", "download", id, "--to", folder, "--json"]),
          ({ stdout }) => JSON.parse(stdout)
        )
      assert.deepStrictEqual(yield* download(), { id, folder, files: 6, fetched: 6 })
      assert.isAbove((yield* fs.readFile(`${folder}/day=${since}/data.parquet`)).length, 100)
      assert.deepStrictEqual(yield* download(), { id, folder, files: 6, fetched: 0 })

      const listed = yield* runOaOnServer(["dataset", "list"])
      assert.include(listed.stdout, id)
      assert.match((yield* runOaOnServer(["dataset", "pause", id])).stdout, /paused/)
      assert.notMatch((yield* runOaOnServer(["dataset", "resume", id])).stdout, /paused/)
      assert.match((yield* runOaOnServer(["dataset", "status", id, "--wait"])).stdout, /idle/)
      assert.match((yield* runOaOnServer(["dataset", "delete", id, "--files"])).stdout, /deleted/)
      const gone = yield* runOaOnServer(["dataset", "status", id])
      assert.match(gone.stderr, /no dataset with the id/)
    }))
})
