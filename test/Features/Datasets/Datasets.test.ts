import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { ga4Report } from "../../../src/Features/Datasets/Reports/Ga4Report.ts"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { assertError, issuePaths } from "../../support/Answer.ts"
import { assertFails } from "../../support/ApiClient.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { signedIn } from "../../support/SignedIn.ts"
import { seed, TestDataDir, TestServer } from "../../support/TestServer.ts"
import {
  acme,
  answerSearches,
  completed,
  daysAgo,
  fewRows,
  isSearch,
  madeSince,
  play,
  rowsOf,
  settled
} from "./Fixture.ts"

const World = TestServer.make({ WEBHOOK_ALLOW_PRIVATE: "true" }).pipe(Layer.provideMerge(NodeServices.layer))

layer(World, { excludeTestServices: true })("A dataset of Search Console", (it) => {
  it.effect("has a file for each day, with the rows of the property", () =>
    Effect.gen(function*() {
      const { admin, dataset, id, params, since } = yield* madeSince(6)
      assert.deepStrictEqual(dataset.days, { done: 6, pending: 0, capped: 0, failed: 0 })
      assert.strictEqual(dataset.rows, 18)
      assert.isAbove(Date.parse(String(dataset.next_run_at?.toISOString())), Date.now())
      const { days } = yield* admin.datasets.days({ params })
      const ago = yield* Effect.forEach([6, 5, 4, 3, 2, 1], daysAgo)
      assert.deepStrictEqual(
        days.map(({ coverage, day, final, rows, status }) => ({ day, status, rows, coverage, final })),
        ago.map((day, index) => ({ day, status: "done" as const, rows: 3, coverage: 1, final: index < 3 }))
      )
      const read = yield* rowsOf(id, since)
      const rows = fewRows(since).toReversed().map(({ clicks, impressions, page, position, query }) => ({
        query,
        page,
        clicks,
        impressions,
        ctr: clicks / impressions,
        position
      }))
      assert.deepStrictEqual(read, rows)
      const { files } = yield* admin.datasets.files({ params })
      assert.sameMembers(files.map(({ name }) => name), [
        ...days.map(({ day }) => `day=${day}/data.parquet`),
        "manifest.json"
      ])
      assert.isUndefined(yield* rowsOf(id, "2020-01-01"))
    }))

  it.effect("fetches only what can still change when it runs again", () =>
    Effect.gen(function*() {
      const { dataset, id, resume } = yield* madeSince(9)
      // Forgets the requests so far.
      const { requests } = yield* play(answerSearches(fewRows))
      yield* resume
      const again = yield* settled(id)
      assert.deepStrictEqual(again.days, dataset.days)
      const asked = requests.filter(isSearch).map(({ body }) => JSON.parse(body))
        .filter(({ dimensions }) => dimensions.includes("query")).map(({ startDate }) => startDate)
      assert.sameMembers(asked, yield* Effect.forEach([3, 2, 1], daysAgo))
    }))

  it.effect("keeps the old file of a day whose new rows do not fit its columns, and says why", () =>
    Effect.gen(function*() {
      const { admin, id, params, resume, since } = yield* madeSince(1)
      const before = yield* rowsOf(id, since)
      assert.lengthOf(before ?? [], 3)
      const answer = answerSearches(fewRows)
      yield* play((request) => ({
        body: JSON.parse(
          JSON.stringify(answer(request).body).replaceAll("\"impressions\":", "\"impressions\":true,\"_\":")
        )
      }))
      yield* resume
      const { last_error } = yield* eventually(
        Effect.orDie(admin.datasets.get({ params })),
        ({ last_error }) => last_error !== null
      )
      assert.deepInclude(last_error, {
        code: "storage_failed",
        message: "The column impressions of type number cannot hold true"
      })
      assert.deepStrictEqual(yield* rowsOf(id, since), before)
    }))

  it.effect("is paused and resumed, and audited", () =>
    Effect.gen(function*() {
      const { admin, id, params, resume } = yield* madeSince(2, { name: "Acme" })
      const paused = yield* admin.datasets.change({ params, payload: { paused: true, schedule: null } })
      assert.include(paused, { status: "paused", schedule: null, next_run_at: null, name: "Acme" })
      yield* resume
      assert.strictEqual((yield* settled(id)).status, "idle")
      yield* admin.datasets.delete({ params, query: {} })
      yield* assertFails(admin.datasets.get({ params }), "dataset_not_found")
      const { entries } = yield* admin.audit.list({ query: { subject: id } })
      const actions = entries.map(({ action }) => action.replace("dataset.", ""))
      assert.deepStrictEqual(actions, ["deleted", "changed", "changed", "created"])
    }))

  it.effect("is deleted with a file that its store stores only afterwards", () =>
    Effect.gen(function*() {
      const { admin, id, params } = yield* madeSince(1)
      const fs = yield* FileSystem.FileSystem
      const folder = `${yield* TestDataDir}/datasets/${id}`
      yield* admin.datasets.delete({ params, query: { files: "true" } })
      yield* fs.makeDirectory(folder)
      yield* fs.writeFileString(`${folder}/manifest.json`, "{}")
      yield* eventually(fs.exists(folder), (exists) => !exists)
    }))

  it.effect("is refused with the path of what is wrong", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { connect, connection } = yield* seed()
      const payload = { ...acme, connection_id: connection.id, since: yield* daysAgo(2) }
      const create = (change: object) => admin.datasets.create({ payload: { ...payload, ...change } })
      const { adminToken: key, request } = yield* TestServer
      const invalid = [
        ["resource", { resource: "ga4:properties/1" }],
        ["resource", { resource: "nothing" }],
        ["since", { since: yield* daysAgo(-3) }],
        ["since", { since: "2026-02-30" }, "Expected a day that exists, such as 2026-11-01"],
        ["dimensions.1", { dimensions: ["query", "hour"] }],
        ["dimensions", { dimensions: ["query", "searchAppearance"] }],
        ["metrics", { metrics: [] }]
      ] as const
      for (const [path, change, words = ""] of invalid) {
        const answer = yield* request("POST", "/admin/v1/datasets", { key, body: { ...payload, ...change } })
        assert.deepStrictEqual(issuePaths(answer), [path])
        assert.include(answer.text, words)
      }
      const all = {
        connection_id: "con_x",
        resource: "nothing",
        since: yield* daysAgo(-3),
        dimensions: ["hour"],
        name: ""
      }
      const answer = yield* request("POST", "/admin/v1/datasets", { key, body: { ...payload, ...all } })
      assert.deepStrictEqual(issuePaths(answer), ["name", "resource", "dimensions.0", "since"])
      const folder = Effect.flip(Effect.fromResult(ga4Report.select(["country", "Day"], undefined)))
      assert.deepStrictEqual((yield* folder).map(({ path }) => path), [["dimensions", 1]])
      yield* assertFails(create({ connection_id: "con_unknown" }), "connection_not_found")
      yield* assertFails(create({ report: "ga4.report", resource: "ga4:properties/1" }), "connection_not_found")
      const bound = yield* connect({ resources: ["gsc:sc-domain:other.com"] })
      yield* assertFails(create({ connection_id: bound.id }), "resource_not_found", {
        resource: "gsc:sc-domain:acme.com"
      })
      yield* admin.managedConnections.revoke({ params: { id: bound.id } })
      yield* assertFails(create({ connection_id: bound.id }), "connection_inactive")
    }))

  it.effect("belongs to the members of its connection's client", () =>
    Effect.gen(function*() {
      yield* play(answerSearches(fewRows))
      const { client, connection } = yield* seed()
      const other = yield* seed()
      const own = yield* signedIn({ client_ids: [client.id] })
      const stranger = yield* signedIn({ client_ids: [other.client.id] })
      const body = { ...acme, connection_id: connection.id, since: yield* daysAgo(2) }
      assertError(yield* stranger.request("POST", "/admin/v1/datasets", { body }), 404, "connection_not_found")
      const created = yield* own.request("POST", "/admin/v1/datasets", { body })
      assert.strictEqual(created.status, 201, created.text)
      const path = `/admin/v1/datasets/${JSON.parse(created.text).id}`
      assert.strictEqual((yield* own.request("GET", path)).status, 200)
      for (const below of ["", "/days", "/files", "/files/manifest.json"]) {
        assertError(yield* stranger.request("GET", `${path}${below}`), 404, "dataset_not_found")
      }
      assert.deepStrictEqual(JSON.parse((yield* stranger.request("GET", "/admin/v1/datasets")).text).datasets, [])
      assertError(yield* stranger.request("DELETE", path), 404, "dataset_not_found")
      assert.strictEqual((yield* own.request("DELETE", `${path}?files=true`)).status, 204)
    }))

  it.effect("stops when its connection is revoked, and says why", () =>
    Effect.gen(function*() {
      const { admin, connection, dataset, id, resume, since } = yield* madeSince(2)
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      yield* resume
      const failed = yield* settled(id)
      assert.strictEqual(failed.status, "failed")
      assert.deepInclude(failed.last_error, {
        code: "connection_inactive",
        message: "The connection of the dataset is revoked."
      })
      assert.deepStrictEqual(failed.days, dataset.days)
      assert.isNotEmpty(yield* rowsOf(id, since))
    }))

  it.effect("fails with the provider's words, and tells webhooks", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { requests, url } = yield* LoopbackUpstream
      yield* admin.webhooks.create({ payload: { url: `${url}/hook`, events: ["dataset.completed", "dataset.failed"] } })
      const { connection } = yield* seed()
      const message = "User does not have sufficient permission for site 'sc-domain:acme.com'."
      yield* play(() => ({ status: 403, body: { error: { code: 403, message, status: "PERMISSION_DENIED" } } }))
      const failed = yield* completed({ ...acme, connection_id: connection.id, since: yield* daysAgo(20) })
      assert.strictEqual(failed.status, "failed")
      assert.strictEqual(failed.last_error?.code, "upstream_error")
      assert.include(failed.last_error?.message, message)
      const told = () =>
        requests.filter(({ url }) => url === "/hook").map(({ body }) => JSON.parse(body))
          .filter(({ data }) => data.dataset.id === failed.id).map(({ data, type }) => [type, data.dataset.status])
      const isTold = eventually(Effect.sync(told), ({ length }) => length > 0)
      assert.deepStrictEqual(yield* isTold, [["dataset.failed", "failed"]])
      // Forgets the requests so far.
      yield* play(answerSearches(fewRows))
      yield* admin.datasets.change({ params: { id: failed.id }, payload: { paused: false } })
      const { days, last_error, status } = yield* settled(failed.id)
      assert.deepStrictEqual({ status, last_error, done: days.done }, { status: "idle", last_error: null, done: 20 })
      assert.deepStrictEqual(yield* isTold, [["dataset.completed", "idle"]])
    }))

  it.effect("is created by oa, which shows its progress and downloads its files once", () =>
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

  it.effect("is not taken for a folder that cannot be written, when a download is cut off", () =>
    Effect.gen(function*() {
      const { handle, url } = yield* LoopbackUpstream
      const file = { name: "manifest.json", bytes: 9, modified_at: new Date(0) }
      handle((sent) =>
        sent.url.endsWith("/files") ? { body: { files: [file] } } : (response) => {
          response.writeHead(200, { "content-length": file.bytes })
          response.write("{", () => response.destroy())
        }
      )
      const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const cut = yield* runOaOnServer(["dataset", "download", "dst_x", "--to", folder, "--url", url])
      assert.strictEqual(cut.exitCode, 3, cut.stderr)
      assert.include(cut.stderr, "was cut off")
    }))
})
