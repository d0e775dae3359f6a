import { assert, layer } from "@effect/vitest"
import { analyticsadmin } from "@googleapis/analyticsadmin"
import { analyticsdata } from "@googleapis/analyticsdata"
import { docs } from "@googleapis/docs"
import { searchconsole } from "@googleapis/searchconsole"
import { sheets } from "@googleapis/sheets"
import { Effect } from "effect"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { type GoogleOrigin, responseFaults } from "../support/Discovery.ts"
import { accessToken, now, sandboxAt } from "./SandboxFixture.ts"

/** The `rootUrl` of a request keeps its path. The `rootUrl` of a client does not. */
const optionsFor = Effect.fnUntraced(function*(origin: GoogleOrigin, scope: string) {
  const { urlOf } = yield* Sandbox
  const token = yield* accessToken("google", scope)
  return { rootUrl: `${urlOf(origin)}/`, headers: { authorization: `Bearer ${token}` } }
})

const checkedCalls =
  (origin: GoogleOrigin) => <A>(method: string, request: () => Promise<{ readonly data: A }>): Effect.Effect<A> =>
    Effect.map(Effect.promise(request), ({ data }) => {
      assert.deepStrictEqual(responseFaults(origin, method, data), [], method)
      return data
    })

const siteUrl = `sc-domain:${company.domain}`
const property = "properties/410000011"

layer(sandboxAt(now))("Google's client libraries on the sandbox", (it) => {
  it.effect(
    "search console: list, get, query, sitemaps, inspection",
    () =>
      Effect.gen(function*() {
        const checked = checkedCalls("gsc")
        const api = searchconsole("v1")
        const options = yield* optionsFor("gsc", scopes.webmastersReadonly)
        const { siteEntry = [] } = yield* checked("webmasters.sites.list", () => api.sites.list({}, options))
        assert.include(siteEntry.map((entry) => entry.siteUrl), siteUrl)
        const site = yield* checked("webmasters.sites.get", () => api.sites.get({ siteUrl }, options))
        assert.strictEqual(site.permissionLevel, "siteOwner")
        const { rows = [] } = yield* checked("webmasters.searchanalytics.query", () =>
          api.searchanalytics.query({
            siteUrl,
            requestBody: { startDate: "2026-02-16", endDate: "2026-03-15", dimensions: ["query"], rowLimit: 5 }
          }, options))
        assert.lengthOf(rows, 5)
        const { sitemap = [] } = yield* checked(
          "webmasters.sitemaps.list",
          () => api.sitemaps.list({ siteUrl }, options)
        )
        const feedpath = sitemap[0]?.path ?? ""
        const found = yield* checked("webmasters.sitemaps.get", () => api.sitemaps.get({ siteUrl, feedpath }, options))
        assert.strictEqual(found.path, feedpath)
        const { inspectionResult } = yield* checked("searchconsole.urlInspection.index.inspect", () =>
          api.urlInspection.index.inspect({
            requestBody: { siteUrl, inspectionUrl: `${company.shop}/products/dibber` }
          }, options))
        assert.isString(inspectionResult?.indexStatusResult?.verdict)
      })
  )

  it.effect(
    "analytics: list, report, realtime report, metadata",
    () =>
      Effect.gen(function*() {
        const admin = analyticsadmin("v1beta")
        const atAdmin = yield* optionsFor("ga4Admin", scopes.analyticsReadonly)
        const { accountSummaries = [] } = yield* checkedCalls("ga4Admin")(
          "analyticsadmin.accountSummaries.list",
          () => admin.accountSummaries.list({}, atAdmin)
        )
        assert.include(
          accountSummaries.flatMap(({ propertySummaries = [] }) => propertySummaries.map((one) => one.property)),
          property
        )
        const checked = checkedCalls("ga4Data")
        const { properties } = analyticsdata("v1beta")
        const options = yield* optionsFor("ga4Data", scopes.analyticsReadonly)
        const report = yield* checked("analyticsdata.properties.runReport", () =>
          properties.runReport({
            property,
            requestBody: {
              dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }],
              dimensions: [{ name: "date" }],
              metrics: [{ name: "sessions" }]
            }
          }, options))
        assert.strictEqual(report.rowCount, 28)
        const realtime = yield* checked("analyticsdata.properties.runRealtimeReport", () =>
          properties.runRealtimeReport({ property, requestBody: { metrics: [{ name: "activeUsers" }] } }, options))
        assert.lengthOf(realtime.rows ?? [], 1)
        const metadata = yield* checked("analyticsdata.properties.getMetadata", () =>
          properties.getMetadata({ name: `${property}/metadata` }, options))
        assert.include(
          (metadata.metrics ?? []).map(({ apiName }) =>
            apiName
          ),
          "sessions"
        )
      })
  )

  it.effect(
    "spreadsheets: create, append, read back, update, clear, structure",
    () =>
      Effect.gen(function*() {
        const checked = checkedCalls("gsheets")
        const { spreadsheets } = sheets("v4")
        const options = yield* optionsFor("gsheets", scopes.spreadsheets)
        const { values } = spreadsheets
        const created = yield* checked("sheets.spreadsheets.create", () =>
          spreadsheets.create({
            requestBody: { properties: { title: "Orders" }, sheets: [{ properties: { title: "Q1 'new'" } }] }
          }, options))
        const spreadsheetId = created.spreadsheetId ?? ""
        const range = "'Q1 ''new'''!A1:B4"
        const rows = [["Order", "Total"], ["A-1", 12.5], ["Ünïcode 🚀", "=B2*2"]]
        const typed = { valueInputOption: "USER_ENTERED" }
        const { updates } = yield* checked(
          "sheets.spreadsheets.values.append",
          () => values.append({ spreadsheetId, range, ...typed, requestBody: { values: rows } }, options)
        )
        assert.strictEqual(updates?.updatedCells, 6)
        const unformatted = { valueRenderOption: "UNFORMATTED_VALUE" }
        const read = () => values.get({ spreadsheetId, range, ...unformatted }, options)
        assert.deepStrictEqual((yield* checked("sheets.spreadsheets.values.get", read)).values, [
          ["Order", "Total"],
          ["A-1", 12.5],
          ["Ünïcode 🚀", 25]
        ])
        yield* checked(
          "sheets.spreadsheets.values.update",
          () => values.update({ spreadsheetId, range: "B2", ...typed, requestBody: { values: [[20]] } }, options)
        )
        yield* checked("sheets.spreadsheets.values.batchUpdate", () =>
          values.batchUpdate({
            spreadsheetId,
            requestBody: { ...typed, data: [{ range: "A4:B4", values: [["A-2", 1]] }] }
          }, options))
        yield* checked("sheets.spreadsheets.values.clear", () => values.clear({ spreadsheetId, range: "A2" }, options))
        const { valueRanges = [] } = yield* checked(
          "sheets.spreadsheets.values.batchGet",
          () => values.batchGet({ spreadsheetId, ranges: ["A2:B2", "B3:B4"], ...unformatted }, options)
        )
        assert.deepStrictEqual(valueRanges.map((one) => one.values), [[["", 20]], [[40], [1]]])
        const { replies = [] } = yield* checked("sheets.spreadsheets.batchUpdate", () =>
          spreadsheets.batchUpdate({
            spreadsheetId,
            requestBody: { requests: [{ addSheet: { properties: { title: "Q2" } } }] }
          }, options))
        assert.strictEqual(replies[0]?.addSheet?.properties?.title, "Q2")
        const all = yield* checked(
          "sheets.spreadsheets.get",
          () => spreadsheets.get({ spreadsheetId, includeGridData: true }, options)
        )
        assert.deepStrictEqual(all.sheets?.map(({ properties }) => properties?.title), ["Q1 'new'", "Q2"])
        const leads = { spreadsheetId: leadsId, includeGridData: true }
        yield* checked("sheets.spreadsheets.get", () => spreadsheets.get(leads, options))
      })
  )

  it.effect("documents: create, change, get", () =>
    Effect.gen(function*() {
      const checked = checkedCalls("gdocs")
      const { documents } = docs("v1")
      const options = yield* optionsFor("gdocs", scopes.documents)
      const created = yield* checked("docs.documents.create", () =>
        documents.create({ requestBody: { title: "Minutes" } }, options))
      const documentId = created.documentId ?? ""
      const { replies = [] } = yield* checked("docs.documents.batchUpdate", () =>
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
      const { body } = yield* checked("docs.documents.get", () =>
        documents.get({ documentId }, options))
      const paragraphs = body?.content?.flatMap(({ paragraph }) => paragraph === undefined ? [] : [paragraph]) ?? []
      assert.strictEqual(paragraphs[0]?.paragraphStyle?.namedStyleType, "HEADING_1")
      assert.strictEqual(paragraphs[1]?.elements?.[0]?.textRun?.content, "🌱 Summer\n")
      const plan = yield* checked("docs.documents.get", () =>
        documents.get({ documentId: planId, includeTabsContent: true }, options))
      assert.strictEqual(plan.tabs?.[0]?.childTabs?.[0]?.tabProperties?.title, "Notes")
    }))
})
