import { assert, layer } from "@effect/vitest"
import { analyticsadmin } from "@googleapis/analyticsadmin"
import { analyticsdata } from "@googleapis/analyticsdata"
import { docs } from "@googleapis/docs"
import { searchconsole } from "@googleapis/searchconsole"
import { sheets } from "@googleapis/sheets"
import { Effect } from "effect"
import type { TestContext } from "vitest"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { discovery, discoveryIsAbsent, type GoogleOrigin } from "../support/Discovery.ts"
import { accessToken, now, sandboxAt } from "./SandboxFixture.ts"

/**
 * What every request is made with: where the sandbox stands in, and a token that it has given out. A client's own
 * `rootUrl` would do for a server without a path; a request's keeps the path.
 */
const optionsFor = Effect.fnUntraced(function*(origin: GoogleOrigin, scope: string) {
  const { urlOf } = yield* Sandbox
  const token = yield* accessToken("google", scope)
  return { rootUrl: `${urlOf(origin)}/`, headers: { authorization: `Bearer ${token}` } }
})

/** What a client's promise comes to, once it has been held against the discovery document's response schema. */
const answers = (context: TestContext, origin: GoogleOrigin) => {
  const { responseFaults } = discovery(context, origin)
  return <A>(method: string, request: () => Promise<{ readonly data: A }>): Effect.Effect<A> =>
    Effect.map(Effect.promise(request), ({ data }) => {
      assert.deepStrictEqual(responseFaults(method, data), [], method)
      return data
    })
}

const siteUrl = `sc-domain:${company.domain}`
const property = "properties/410000011"

layer(sandboxAt(now))("Google's own clients on the sandbox", (it) => {
  it.effect.skipIf(discoveryIsAbsent)(
    "search console: list, get, query, sitemaps, inspection",
    (context) =>
      Effect.gen(function*() {
        const answer = answers(context, "gsc")
        const api = searchconsole("v1")
        const options = yield* optionsFor("gsc", scopes.webmastersReadonly)
        const { siteEntry = [] } = yield* answer("webmasters.sites.list", () => api.sites.list({}, options))
        assert.include(siteEntry.map((entry) => entry.siteUrl), siteUrl)
        const site = yield* answer("webmasters.sites.get", () => api.sites.get({ siteUrl }, options))
        assert.strictEqual(site.permissionLevel, "siteOwner")
        const { rows = [] } = yield* answer("webmasters.searchanalytics.query", () =>
          api.searchanalytics.query({
            siteUrl,
            requestBody: { startDate: "2026-02-16", endDate: "2026-03-15", dimensions: ["query"], rowLimit: 5 }
          }, options))
        assert.lengthOf(rows, 5)
        const { sitemap = [] } = yield* answer(
          "webmasters.sitemaps.list",
          () => api.sitemaps.list({ siteUrl }, options)
        )
        const feedpath = sitemap[0]?.path ?? ""
        const found = yield* answer("webmasters.sitemaps.get", () => api.sitemaps.get({ siteUrl, feedpath }, options))
        assert.strictEqual(found.path, feedpath)
        const { inspectionResult } = yield* answer("searchconsole.urlInspection.index.inspect", () =>
          api.urlInspection.index.inspect({
            requestBody: { siteUrl, inspectionUrl: `${company.shop}/products/dibber` }
          }, options))
        assert.isString(inspectionResult?.indexStatusResult?.verdict)
      })
  )

  it.effect.skipIf(discoveryIsAbsent)(
    "analytics: list, report, realtime report, metadata",
    (context) =>
      Effect.gen(function*() {
        const admin = analyticsadmin("v1beta")
        const atAdmin = yield* optionsFor("ga4Admin", scopes.analyticsReadonly)
        const { accountSummaries = [] } = yield* answers(context, "ga4Admin")(
          "analyticsadmin.accountSummaries.list",
          () => admin.accountSummaries.list({}, atAdmin)
        )
        assert.include(
          accountSummaries.flatMap(({ propertySummaries = [] }) => propertySummaries.map((one) => one.property)),
          property
        )
        const answer = answers(context, "ga4Data")
        const { properties } = analyticsdata("v1beta")
        const options = yield* optionsFor("ga4Data", scopes.analyticsReadonly)
        const report = yield* answer("analyticsdata.properties.runReport", () =>
          properties.runReport({
            property,
            requestBody: {
              dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }],
              dimensions: [{ name: "date" }],
              metrics: [{ name: "sessions" }]
            }
          }, options))
        assert.strictEqual(report.rowCount, 28)
        const realtime = yield* answer("analyticsdata.properties.runRealtimeReport", () =>
          properties.runRealtimeReport({ property, requestBody: { metrics: [{ name: "activeUsers" }] } }, options))
        assert.lengthOf(realtime.rows ?? [], 1)
        const metadata = yield* answer("analyticsdata.properties.getMetadata", () =>
          properties.getMetadata({ name: `${property}/metadata` }, options))
        assert.include(
          (metadata.metrics ?? []).map(({ apiName }) =>
            apiName
          ),
          "sessions"
        )
      })
  )

  it.effect.skipIf(discoveryIsAbsent)(
    "spreadsheets: create, append, read back, update, clear, structure",
    (context) =>
      Effect.gen(function*() {
        const answer = answers(context, "gsheets")
        const { spreadsheets } = sheets("v4")
        const options = yield* optionsFor("gsheets", scopes.spreadsheets)
        const { values } = spreadsheets
        const created = yield* answer("sheets.spreadsheets.create", () =>
          spreadsheets.create({
            requestBody: { properties: { title: "Orders" }, sheets: [{ properties: { title: "Q1 'new'" } }] }
          }, options))
        const spreadsheetId = created.spreadsheetId ?? ""
        const range = "'Q1 ''new'''!A1:B4"
        const rows = [["Order", "Total"], ["A-1", 12.5], ["Ünïcode 🚀", "=B2*2"]]
        const typed = { valueInputOption: "USER_ENTERED" }
        const { updates } = yield* answer(
          "sheets.spreadsheets.values.append",
          () => values.append({ spreadsheetId, range, ...typed, requestBody: { values: rows } }, options)
        )
        assert.strictEqual(updates?.updatedCells, 6)
        const unformatted = { valueRenderOption: "UNFORMATTED_VALUE" }
        const read = () => values.get({ spreadsheetId, range, ...unformatted }, options)
        assert.deepStrictEqual((yield* answer("sheets.spreadsheets.values.get", read)).values, [
          ["Order", "Total"],
          ["A-1", 12.5],
          ["Ünïcode 🚀", 25]
        ])
        yield* answer(
          "sheets.spreadsheets.values.update",
          () => values.update({ spreadsheetId, range: "B2", ...typed, requestBody: { values: [[20]] } }, options)
        )
        yield* answer("sheets.spreadsheets.values.batchUpdate", () =>
          values.batchUpdate({
            spreadsheetId,
            requestBody: { ...typed, data: [{ range: "A4:B4", values: [["A-2", 1]] }] }
          }, options))
        yield* answer("sheets.spreadsheets.values.clear", () => values.clear({ spreadsheetId, range: "A2" }, options))
        const { valueRanges = [] } = yield* answer(
          "sheets.spreadsheets.values.batchGet",
          () => values.batchGet({ spreadsheetId, ranges: ["A2:B2", "B3:B4"], ...unformatted }, options)
        )
        assert.deepStrictEqual(valueRanges.map((one) => one.values), [[["", 20]], [[40], [1]]])
        const { replies = [] } = yield* answer("sheets.spreadsheets.batchUpdate", () =>
          spreadsheets.batchUpdate({
            spreadsheetId,
            requestBody: { requests: [{ addSheet: { properties: { title: "Q2" } } }] }
          }, options))
        assert.strictEqual(replies[0]?.addSheet?.properties?.title, "Q2")
        const all = yield* answer(
          "sheets.spreadsheets.get",
          () => spreadsheets.get({ spreadsheetId, includeGridData: true }, options)
        )
        assert.deepStrictEqual(all.sheets?.map(({ properties }) => properties?.title), ["Q1 'new'", "Q2"])
        const leads = yield* answer(
          "sheets.spreadsheets.get",
          () => spreadsheets.get({ spreadsheetId: leadsId, includeGridData: true }, options)
        )
        assert.strictEqual(leads.properties?.title, "Leads")
      })
  )

  it.effect.skipIf(discoveryIsAbsent)("documents: create, change, get", (context) =>
    Effect.gen(function*() {
      const answer = answers(context, "gdocs")
      const { documents } = docs("v1")
      const options = yield* optionsFor("gdocs", scopes.documents)
      const created = yield* answer("docs.documents.create", () =>
        documents.create({ requestBody: { title: "Minutes" } }, options))
      const documentId = created.documentId ?? ""
      const { replies = [] } = yield* answer("docs.documents.batchUpdate", () =>
        documents.batchUpdate({
          documentId,
          requestBody: {
            requests: [
              { insertText: { location: { index: 1 }, text: "Topics\n🌱 Spring" } },
              {
                updateParagraphStyle: {
                  range: { startIndex: 1, endIndex: 2 },
                  paragraphStyle: { namedStyleType: "HEADING_1" },
                  fields: "namedStyleType"
                }
              },
              { insertTable: { endOfSegmentLocation: {}, rows: 2, columns: 2 } },
              { replaceAllText: { containsText: { text: "Spring", matchCase: true }, replaceText: "Summer" } }
            ],
            writeControl: { requiredRevisionId: created.revisionId ?? "" }
          }
        }, options))
      assert.strictEqual(replies[3]?.replaceAllText?.occurrencesChanged, 1)
      const { body } = yield* answer("docs.documents.get", () =>
        documents.get({ documentId }, options))
      const paragraphs = body?.content?.flatMap(({ paragraph }) => paragraph === undefined ? [] : [paragraph]) ?? []
      assert.strictEqual(paragraphs[0]?.paragraphStyle?.namedStyleType, "HEADING_1")
      assert.strictEqual(paragraphs[1]?.elements?.[0]?.textRun?.content, "🌱 Summer\n")
      const plan = yield* answer("docs.documents.get", () =>
        documents.get({ documentId: planId, includeTabsContent: true }, options))
      assert.strictEqual(plan.tabs?.[0]?.childTabs?.[0]?.tabProperties?.title, "Notes")
    }))
})
