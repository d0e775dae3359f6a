import { assert, describe, it } from "@effect/vitest"
import { Effect, Record, Schema } from "effect"
import { rawOperation, toolOperation } from "../../../src/Providers/Catalog/Operation.ts"
import type { Operation } from "../../../src/Providers/Catalog/Operation.ts"
import { propertiesBatchRunReports } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { valuesUpdate } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { type Provider, type RawEndpoint, type SmartTool, tool } from "../../../src/Providers/Provider.ts"
import type { ProviderRequest } from "../../../src/Providers/ProviderClient.ts"
import { providers } from "../../../src/Registrations.ts"
import { aboutNone, creating, idOf, listing, listingTools, naming, type NamingCase } from "./OperationCases.ts"
import { boundTo, outside, runBound } from "./Operations.ts"
import { inside, isSurelyInside, type Kind, spellings } from "./Spellings.ts"

/** For longer runs: `SPELLINGS=10000`, with another `SEED`. */
const count = Number(process.env["SPELLINGS"] ?? 1000)
const seed = Number(process.env["SEED"] ?? 20_261_124)

const names = { gsc: "site", ga4: "property", sitesearch: "site", gsheets: "file", gdocs: "document" } as const

const isKnown = (id: string): id is keyof typeof names => id in names

const boundOf = ({ id }: Provider, kind?: Kind) => {
  if (!isKnown(id)) return assert.fail(id)
  const name = kind === "domain" || kind === "page" ? inside.domain : inside[names[id]]
  return boundTo(`${id}:${id === "ga4" ? `properties/${name}` : name}`)
}

const respond = ({ endpoint }: ProviderRequest): unknown => listing[endpoint.id] ?? {}

/** The texts of a request that name a resource or a URL. */
const namesSent = (
  { endpoint, input: { body, path, query } }: ProviderRequest
): ReadonlyArray<readonly [string, boolean]> => {
  if (endpoint.id in listing || endpoint.id === "GetKeywordStats") return []
  const fields: Readonly<Record<string, unknown>> = { ...path, ...query, ...Object(body) }
  // The name of what all properties share, and of the property of the batch.
  const isAboutNone = (name: unknown) => endpoint.id === "properties.getMetadata" ? name === "0" : name === ""
  const named = ["siteUrl", "property", "spreadsheetId", "documentId"].flatMap((field) => fields[field] ?? [])
  const urls = [fields["inspectionUrl"] ?? [], fields["url"] ?? [], fields["urlList"] ?? []].flat()
  const members = Array.isArray(fields["requests"]) ? fields["requests"].flatMap(({ property }) => property ?? []) : []
  return [
    ...[...named, ...members].filter((name) => !isAboutNone(name)).map((name) => [String(name), false] as const),
    ...urls.map((url) => [String(url), true] as const)
  ]
}

interface Row {
  readonly provider: Provider
  readonly row: RawEndpoint | SmartTool
}

const operationOf = ({ provider, row }: Row): Operation =>
  "id" in row ? rawOperation(provider, row) : toolOperation(provider, row)

const rows: ReadonlyArray<Row> = [
  ...providers.flatMap((provider) => [...provider.endpoints, ...provider.tools].map((row) => ({ provider, row }))),
  { provider: ga4, row: propertiesBatchRunReports }
]

const casesOf = ({ row }: Row): ReadonlyArray<NamingCase> => naming[idOf(row)] ?? []

/** What is wrong with an operation under a bound, as a caller and the provider see it. */
const faultsOf = Effect.fnUntraced(function*(
  each: Row,
  spellingsOf: (kind: Kind) => ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<string>> {
  const operation = operationOf(each)
  const bounds = boundOf(each.provider)
  const id = idOf(each.row)
  const faults: Array<string> = []
  const fault = (text: string) => faults.push(`${id}: ${text}`)

  for (const { at, kind } of casesOf(each)) {
    const bounds = boundOf(each.provider, kind)
    const allowed = yield* runBound(operation, at(inside[kind]), bounds, respond)
    if (allowed.sent.length === 0) fault(`refuses what is inside: ${allowed.code}`)
    if (allowed.resource === null) fault("names no resource for the log")
    for (const name of spellingsOf(kind)) {
      const { code, sent } = yield* runBound(operation, at(name), bounds, respond)
      const wrong = sent.flatMap(namesSent).find(([text, isUrl]) => !isSurelyInside(kind, text, isUrl))
      if (wrong !== undefined) fault(`sends ${JSON.stringify(wrong[0])} for ${JSON.stringify(name)}`)
      if (code === outside && sent.length > 0) fault(`asks the provider before it refuses ${JSON.stringify(name)}`)
    }
  }
  const list = id in listing ? id : listingTools[id]
  if (list !== undefined) {
    const { code, text } = yield* runBound(operation, {}, bounds, respond)
    if (code !== undefined || !text.includes("acme.com")) fault(`does not list what is inside: ${code}`)
    if (/other\.com|properties\/99?\b/.test(text)) fault(`lists what is outside: ${text}`)
    const empty = yield* runBound(operation, {}, boundTo(), respond)
    if (empty.code !== undefined || /acme|other/.test(empty.text)) {
      fault(`lists something without any bound: ${empty.text}`)
    }
  }
  if (id in creating) {
    const { code, sent } = yield* runBound(operation, creating[id], bounds, respond)
    if (code !== outside || sent.length > 0) fault("creates a file without an entry for created files")
    const entry = boundTo(`${each.provider.id}:created`)
    if ((yield* runBound(operation, creating[id], entry, respond)).sent.length === 0) {
      fault("creates no file with an entry")
    }
  }
  if (id in aboutNone && (yield* runBound(operation, aboutNone[id], boundTo(), respond)).sent.length === 0) {
    fault("is refused although it is about none")
  }
  return faults
})

const few: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  site: [inside.site, "https://other.com/"],
  domain: ["sc-domain:other.com"],
  page: ["https://other.com/"],
  property: ["123", "9"],
  file: ["1Other"],
  document: ["1Other"]
}

const fewFaults = (each: Row) => faultsOf(each, (kind) => few[kind])

const without = ({ provider, row }: Row): Row => ({ provider, row: Object.assign({}, row, { resources: undefined }) })

const aboutNothing = ({ provider, row }: Row): Row => ({ provider, row: Object.assign({}, row, { resources: "none" }) })

describe(`Every operation under a bound (seed ${seed})`, () => {
  const all = Record.map(inside, (_, kind) => spellings(kind, count, seed))

  it("is named in these tests", () => {
    const known = [naming, listing, listingTools, creating, aboutNone].flatMap((cases) => Object.keys(cases))
    assert.deepStrictEqual(rows.map(({ row }) => idOf(row)).filter((id) => !known.includes(id)), [])
  })

  it.effect.each(rows.map((each) => ({ each, id: idOf(each.row) })))(
    `$id sends nothing that is outside, in ${count} spellings`,
    ({ each }) =>
      Effect.map(faultsOf(each, (kind) => all[kind]), (faults) => assert.deepStrictEqual(faults.slice(0, 10), []))
  )

  it.effect.each(rows.map((each) => ({ each, id: idOf(each.row) })))(
    "$id needs its declaration",
    ({ each }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* fewFaults(each), [])
        assert.isNotEmpty(yield* fewFaults(without(each)))
        const id = idOf(each.row)
        // A tool that lists or creates does it by endpoints, whose declarations hold it too.
        if (id in naming || "id" in each.row && (id in listing || id in creating)) {
          assert.isNotEmpty(yield* fewFaults(aboutNothing(each)))
        }
      })
  )

  it.effect("refuses a formula that reads another file, also from a tool whose declaration lets it pass", () =>
    Effect.gen(function*() {
      const careless = tool({
        name: "careless",
        description: "Enters a formula.",
        brief: "Enters a formula.",
        writes: true,
        input: Schema.Struct({}),
        output: Schema.Struct({}),
        resources: { names: () => inside.file },
        run: (_, provider) =>
          Effect.as(
            provider.call(valuesUpdate, {
              path: { spreadsheetId: inside.file, range: "A1" },
              query: { valueInputOption: "USER_ENTERED" },
              body: { values: [["=IMPORTRANGE(\"1Other\",\"A1\")"]] }
            }, Schema.Unknown),
            {}
          )
      })
      const bound = boundTo(`gsheets:${inside.file}`)
      const { code, sent, text } = yield* runBound(toolOperation(gsheets, careless), {}, bound, respond)
      assert.deepStrictEqual([code, sent, text], [outside, [], `{"resource":"gsheets:${inside.file}"}`])
    }))
})
