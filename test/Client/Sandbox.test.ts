import { assert, expectTypeOf, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createClient, OpenAccountsError } from "../../src/Client/Client.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { connectAll, ownSandbox } from "../Service/SandboxServer.ts"
import { eventually } from "../support/Eventually.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const connected = Effect.gen(function*() {
  const { url } = yield* TestServer
  const apiKey = yield* connectAll
  return createClient({ baseUrl: `${url}/v1/`, apiKey })
})

const codeOf = (promise: Promise<unknown>) =>
  promise.then(() => "none", (error: unknown) => error instanceof OpenAccountsError ? error.code : error)

layer(ownSandbox(), { excludeTestServices: true })("The client on the sandbox", (it) => {
  it.effect("has types of inputs and outputs", () =>
    Effect.gen(function*() {
      const oa = yield* connected
      const site = company.domain
      yield* Effect.promise(async () => {
        const { cached, data: queries } = await oa.gsc.topQueries({ site, days: 28, limit: 3 }, { maxAge: 60 })
        assert.isFalse(cached)
        assert.isString(queries.rows[0]?.query.toUpperCase())
        assert.isTrue((await oa.gsc.topQueries({ site, days: 28, limit: 3 }, { maxAge: 60 })).cached)

        const { data: sites } = await oa.gsc.sites.list()
        assert.isString(sites.siteEntry?.[0]?.siteUrl)

        const { data: properties } = await oa.ga4.listProperties()
        const property = properties.properties[0]?.property_id ?? ""
        const { data: report } = await oa.ga4.properties.runReport({
          path: { property },
          body: { metrics: [{ name: "sessions" }], dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }] }
        })
        assert.isString(report.rows?.[0]?.metricValues?.[0]?.value)

        const { data: leads } = await oa.gsheets.read({ spreadsheet: leadsId, limit: 1 })
        assert.strictEqual(leads.rows[0]?._row, 2)
        const { data: cells } = await oa.gsheets.values.get({ path: { spreadsheetId: leadsId, range: "Leads!A1:B2" } })
        assert.lengthOf(cells.values ?? [], 2)

        const { data: plan } = await oa.gdocs.read({ document: planId })
        assert.isAbove(plan.outline[0]?.end ?? 0, 0)

        // @ts-expect-error `days` is a number.
        await oa.gsc.topQueries({ site, days: "28" }).catch(() => undefined)
        // @ts-expect-error A site is required.
        await oa.gsc.topQueries({}).catch(() => undefined)
      })
    }))

  it.effect("has types of parts, tables, kept results and previews, and asks what it kept", () =>
    Effect.gen(function*() {
      const oa = yield* connected
      const input = { site: company.domain, days: 28, limit: 3 }
      yield* Effect.promise(async () => {
        const { data: text } = await oa.gsc.topQueries(input, { format: "csv" })
        assert.match(text.slice(0, 12), /^query,clicks/)
        const { data: part } = await oa.gsc.topQueries(input, { select: "rows[0].query" })
        expectTypeOf(part).toBeUnknown()
        assert.isString(part)
        const { data: { preview, result } } = await oa.gsc.topQueries(input, { keep: true })
        assert.lengthOf(Array.isArray(preview) ? preview : [], 3)
        const { rows: [counted] } = await oa.results.query(result.id, { sql: "SELECT count(*) FROM result" })
        assert.deepStrictEqual(counted, [3])
        assert.strictEqual((await oa.results.get(result.id, { limit: 1 })).total, 3)
        assert.deepStrictEqual((await oa.results.list()).results.map(({ id }) => id), [result.id])
        await oa.results.remove(result.id)

        const row = { spreadsheet: leadsId, rows: [{ Name: "Grace" }] }
        const { data: preview2 } = await oa.gsheets.appendRows(row, { dryRun: true })
        assert.deepStrictEqual([preview2.undoable, preview2.undoable_reason], [false, "not_kept"])
        assert.strictEqual(preview2.not_shown.cells, 0)
        assert.isArray((await oa.quotas.list({ provider: "gsc" })).quotas)
        const gone = await oa.approvals.get("apr_x").catch((error: unknown) => error)
        assert.strictEqual(gone instanceof OpenAccountsError && gone.code, "approval_not_found")
      })
    }))

  it.effect("rejects with an error whose code tells its details", () =>
    Effect.gen(function*() {
      const oa = yield* connected
      const failed = yield* Effect.promise(() =>
        oa.gsc.topQueries({ site: company.domain, days: 0 }).catch((error: unknown) => error)
      )
      if (!(failed instanceof OpenAccountsError) || failed.code !== "invalid_input") return assert.fail(String(failed))
      assert.strictEqual(failed.status, 400)
      assert.match(failed.callId ?? "", /^call_/)
      assert.deepStrictEqual(failed.details?.map(({ path }) => path), [["input", "days"]])
    }))

  it.effect("keeps a dataset, pauses it, downloads its files and deletes it", () =>
    Effect.gen(function*() {
      const { adminToken, url } = yield* TestServer
      const { connection } = yield* Effect.flatMap(Sandbox, ({ connections: [first] }) => seed(first))
      const { datasets } = createClient({ baseUrl: url, apiKey: adminToken })
      const since = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
      const { id } = yield* Effect.promise(() =>
        datasets.create({
          connection_id: connection.id,
          report: "gsc.searchanalytics",
          resource: `gsc:sc-domain:${company.domain}`,
          since,
          schedule: null
        })
      )
      yield* eventually(Effect.promise(() => datasets.get(id)), ({ status }) => status !== "running")
      yield* Effect.promise(async () => {
        const { days } = await datasets.days(id)
        assert.isAtLeast(days.length, 4)
        assert.include((await datasets.list()).datasets.map((dataset) => dataset.id), id)
        const { files } = await datasets.files(id)
        assert.lengthOf(files, days.length + 1)
        const [{ bytes, name } = { bytes: 0, name: "" }] = files
        const content = await new Response(await datasets.download(id, name)).bytes()
        assert.strictEqual(content.length, bytes)
        assert.strictEqual(new TextDecoder().decode(content.slice(0, 4)), "PAR1")

        assert.strictEqual((await datasets.pause(id)).status, "paused")
        assert.isUndefined(await datasets.delete(id, { files: true }))
        assert.strictEqual(await codeOf(datasets.get(id)), "dataset_not_found")
      })
    }))
})
