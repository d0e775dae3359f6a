import { Result } from "effect"
import { BatchUpdateSpreadsheetRequest } from "../../../../Providers/Gsheets/Generated.ts"
import { type GoogleError, lacks } from "../../Google/GoogleError.ts"
import { readMessage } from "../../Google/ProtoJson.ts"
import { prefixMessage } from "./Errors.ts"
import type { Method } from "./Method.ts"
import { cellRequests } from "./Requests/CellRequests.ts"
import { dimensionRequests } from "./Requests/DimensionRequests.ts"
import type { Applied, Kind, Request, RequestHandlers } from "./Requests/Request.ts"
import { tabRequests } from "./Requests/TabRequests.ts"
import type { Spreadsheet } from "./Spreadsheet.ts"

const handlers = { ...tabRequests, ...dimensionRequests, ...cellRequests }
type Supported = keyof typeof handlers

const decode = readMessage(BatchUpdateSpreadsheetRequest)

export const spreadsheetsBatchUpdate: Method = (spreadsheet, { body }) =>
  Result.gen(function*() {
    const { includeSpreadsheetInResponse, requests } = yield* decode(body)
    if (includeSpreadsheetInResponse === true) return yield* lacks("includeSpreadsheetInResponse")
    let current = spreadsheet
    const replies: Array<object> = []
    for (const [index, each] of requests.entries()) {
      const { reply = {}, spreadsheet: next } = yield* applyRequest(current, each, index)
      current = next
      replies.push(reply)
    }
    return { spreadsheet: current, body: { spreadsheetId: spreadsheet.spreadsheetId, replies } }
  })

const applyRequest = (
  spreadsheet: Spreadsheet,
  request: Request,
  index: number
): Result.Result<Applied, GoogleError> => {
  const kind = kindsIn(request).find((kind) => request[kind] !== undefined)
  const outcome = kind !== undefined && isSupported(kind)
    ? callHandler(kind, spreadsheet, request)
    : lacks(`${kind} requests`)
  return Result.mapError(outcome, (error) => prefixMessage(error, `requests[${index}].${kind}`))
}

const callHandler = <K extends Supported>(kind: K, spreadsheet: Spreadsheet, request: Request) => {
  const table: RequestHandlers<Supported> = handlers
  const payload = request[kind]
  return payload === undefined ? lacks(`${kind} requests`) : table[kind](spreadsheet, payload)
}

const isSupported = (kind: Kind): kind is Supported => kind in handlers

const kindsIn = (request: Request): ReadonlyArray<Kind> =>
  Object.keys(request).filter((key): key is Kind => key in request)
