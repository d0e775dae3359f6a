import { Clock, Effect, Option, Predicate, Record, Result } from "effect"
import { dayAt } from "../../Data/Day.ts"
import { customers } from "../../Data/Portfolio.ts"
import type { SandboxStore } from "../../Data/SandboxStore.ts"
import type { FaultInjection } from "../../Faults/FaultInjection.ts"
import { findFault } from "../../Faults/Faults.ts"
import type { Identity } from "../../Identity/Identity.ts"
import { scopes } from "../../Identity/Scopes.ts"
import type { FakeProvider } from "../../Server/FakeProvider.ts"
import { type Drive, makeDrive, newFileId } from "../Google/Drive.ts"
import { googleApi, googleConnection, type GoogleMethod, type GoogleRequest } from "../Google/GoogleApi.ts"
import { permissionDenied } from "../Google/GoogleError.ts"
import { callMethod, createSpreadsheet } from "./Engine/Methods.ts"
import type { Spreadsheet } from "./Engine/Spreadsheet.ts"
import { leadsId, leadsSpreadsheet } from "./Leads.ts"
import { ordersSpreadsheet } from "./Orders.ts"
import { stockId, stockSpreadsheet } from "./Stock.ts"

const writeScopes = [scopes.spreadsheets, scopes.driveFile, scopes.drive]
const readScopes = [...writeScopes, scopes.spreadsheetsReadonly, scopes.driveReadonly]

const routes = ([
  ["spreadsheets.get", "GET", ""],
  ["values.get", "GET", "/values/{range}"],
  ["values.batchGet", "GET", "/values:batchGet"],
  ["values.update", "PUT", "/values/{range}"],
  ["values.append", "POST", "/values/{range}:append"],
  ["values.batchUpdate", "POST", "/values:batchUpdate"],
  ["values.clear", "POST", "/values/{range}:clear"],
  ["spreadsheets.batchUpdate", "POST", ":batchUpdate"]
] as const).map(([id, method, path]) => ({
  id,
  method,
  path: `/v4/spreadsheets/{spreadsheetId}${path}` as const,
  scopes: method === "GET" ? readScopes : writeScopes
}))

const queryOf = (query: URLSearchParams) =>
  Record.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]))

const toGoogleMethod = (drive: Drive<Spreadsheet>) => ({ id, ...route }: typeof routes[number]): GoogleMethod => ({
  ...route,
  decode: ({ json, params, query }) => {
    const spreadsheetId = params["spreadsheetId"] ?? ""
    return Effect.succeed({
      resource: spreadsheetId,
      response: Effect.flatMap(
        Clock.currentTimeMillis,
        (now) =>
          drive.change(spreadsheetId, dayAt(now), (spreadsheet) =>
            Result.map(
              callMethod(id, spreadsheet, { params, query: queryOf(query), body: json, now }),
              ({ body, spreadsheet }) => [body, spreadsheet]
            ))
      )
    })
  }
})

const createMethod = (drive: Drive<Spreadsheet>): GoogleMethod => ({
  method: "POST",
  path: "/v4/spreadsheets",
  scopes: writeScopes,
  decode: (request) => Effect.succeed({ resource: undefined, response: create(drive, request) })
})

const create = Effect.fnUntraced(function*(drive: Drive<Spreadsheet>, { caller, json, query }: GoogleRequest) {
  if (caller.kind === "service_account") return yield* permissionDenied
  const spreadsheetId = newFileId()
  const now = yield* Clock.currentTimeMillis
  const { body, spreadsheet } = yield* Effect.fromResult(
    createSpreadsheet(spreadsheetId, { query: queryOf(query), body: json, now })
  )
  yield* drive.add(spreadsheetId, spreadsheet)
  return body
})

const isSpreadsheet = (value: unknown): value is Spreadsheet => Predicate.hasProperty(value, "spreadsheetId")

export const fakeProvider: Effect.Effect<FakeProvider, never, Identity | FaultInjection | SandboxStore> = Effect.gen(
  function*() {
    const drive = yield* makeDrive<Spreadsheet>({
      kind: "spreadsheet",
      isFile: isSpreadsheet,
      seed: (id, today) => {
        if (id === stockId) return stockSpreadsheet()
        const customer = customers.find(({ files }) => files.spreadsheet === id)
        if (customer !== undefined) return ordersSpreadsheet(customer, today)
        return id === leadsId || Option.isSome(findFault(id)) ? leadsSpreadsheet(id, today) : undefined
      }
    })
    return {
      apps: {
        gsheets: yield* googleApi("sheets.googleapis.com", [...routes.map(toGoogleMethod(drive)), createMethod(drive)])
      },
      connection: googleConnection("gsheets", "spreadsheets", scopes.spreadsheets)
    }
  }
)
