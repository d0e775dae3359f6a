import { assert, expectTypeOf, layer } from "@effect/vitest"
import { Effect, Layer, Predicate } from "effect"
import { endpointPath, toolPath } from "../../scripts/client/Names.ts"
import { type Client, createClient, OpenAccountsError } from "../../src/Client/Client.ts"
import { providers } from "../../src/Registrations.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { operations } from "../Service/SandboxOperations.ts"
import { at, connectAll, sandboxServerAt } from "../Service/SandboxServer.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"

const server = sandboxServerAt("2026-03-18T17:00:00Z").pipe(Layer.provide(Layer.fresh(TestDataDir.layer)))

const connected = Effect.gen(function*() {
  const { url } = yield* TestServer
  const apiKey = yield* connectAll
  return createClient({ baseUrl: `${url}/v1/`, apiKey })
})

const targets = providers.flatMap(({ endpoints, id, tools }) => [
  ...endpoints.map((endpoint) => ({ provider: id, id: endpoint.id, path: endpointPath(endpoint.id) })),
  ...tools.map(({ name }) => ({ provider: id, id: name, path: toolPath(name) }))
])

const callNamed = async (client: Client, path: ReadonlyArray<string>, input: object): Promise<unknown> => {
  const operation = at(client, path.join("."))
  assert.isTrue(Predicate.isFunction(operation), path.join("."))
  return Predicate.isFunction(operation) ? operation(input) : undefined
}

layer(server)("The client on the sandbox", (it) => {
  it.effect("calls every endpoint and every tool of all providers", () =>
    Effect.gen(function*() {
      const client = yield* connected
      for (const { id, path, provider } of targets) {
        const name = `${provider} ${id}`
        const { has, input } = operations[name] ?? { has: "", input: {} }
        const response = yield* Effect.promise(() => callNamed(client, [provider, ...path], input))
        assert.isDefined(at(response, `data.${has}`), name)
      }
      assert.lengthOf(targets, Object.keys(operations).length)
    }))

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

        const { data: ofSitesearch } = await oa.sitesearch.getUserSites()
        assert.isString(ofSitesearch.d?.[0]?.Url)

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

  it.effect("takes a write back", () =>
    Effect.gen(function*() {
      const { admin, url } = yield* TestServer
      const { connections } = yield* Sandbox
      const { member } = yield* seed(connections.find(({ provider }) => provider === "gsheets"))
      const { key } = yield* admin.keys.create({
        payload: { member_id: member.id, name: "undoing", access: "read_write", undo: true }
      })
      const oa = createClient({ baseUrl: url, apiKey: key })
      yield* Effect.promise(async () => {
        const { call_id } = await oa.gsheets.updateRange({ spreadsheet: leadsId, range: "A2", values: [["Grace"]] })
        const { data: preview } = await oa.undo.undo(call_id, { dry_run: true })
        assert.lengthOf(preview.changes, 1)
        const { data } = await oa.undo.undo(call_id)
        assert.strictEqual("undone" in data && data.undone, call_id)
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
})
