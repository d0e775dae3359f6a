import { Result } from "effect"
import { BatchUpdateSpreadsheetRequest } from "../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { makeBodyDecoder } from "./BodyDecoder.ts"
import { at, lacks, refuse } from "./Errors.ts"
import type { Method } from "./Method.ts"
import { checkParameters } from "./QueryParameters.ts"
import { cellRequests } from "./Requests/CellRequests.ts"
import { dimensionRequests } from "./Requests/DimensionRequests.ts"
import type { Applied, Kind, Request, RequestHandlers } from "./Requests/Request.ts"
import { tabRequests } from "./Requests/TabRequests.ts"
import { spreadsheetResource } from "./Resource.ts"
import type { Spreadsheet } from "./Spreadsheet.ts"
import { entriesOf } from "./UpdateMask.ts"

const handlers = { ...tabRequests, ...dimensionRequests, ...cellRequests }
type Supported = keyof typeof handlers

const decode = makeBodyDecoder(BatchUpdateSpreadsheetRequest)

export const spreadsheetsBatchUpdate: Method = (spreadsheet, { body, now, query }) =>
  Result.gen(function*() {
    yield* checkParameters(query, [])
    yield* checkNotEmpty(body)
    const request = yield* decode(body)
    let current = spreadsheet
    const replies: Array<object> = []
    for (const [index, each] of request.requests.entries()) {
      const { reply = {}, spreadsheet: next } = yield* applyRequest(current, each, index)
      current = next
      replies.push(reply)
    }
    const updatedSpreadsheet = request.includeSpreadsheetInResponse === true
      ? yield* spreadsheetResource(current, {
        ranges: request.responseRanges ?? [],
        includeCells: request.responseIncludeGridData ?? false,
        now
      })
      : undefined
    return {
      spreadsheet: current,
      body: {
        spreadsheetId: spreadsheet.spreadsheetId,
        replies,
        ...(updatedSpreadsheet === undefined ? {} : { updatedSpreadsheet })
      }
    }
  })

const applyRequest = (
  spreadsheet: Spreadsheet,
  request: Request,
  index: number
): Result.Result<Applied, GoogleError> => {
  const kind = kindsIn(request).find((kind) => request[kind] !== undefined)
  const outcome = kind === undefined
    ? refuse("No request set.")
    : isSupported(kind)
    ? callHandler(kind, spreadsheet, request)
    : lacks(`${kind} requests`)
  return Result.mapError(outcome, (error) => at(error, `requests[${index}].${kind}`))
}

const callHandler = <K extends Supported>(kind: K, spreadsheet: Spreadsheet, request: Request) => {
  const table: RequestHandlers<Supported> = handlers
  const payload = request[kind]
  return payload === undefined ? refuse("No request set.") : table[kind](spreadsheet, payload)
}

const isSupported = (kind: Kind): kind is Supported => kind in handlers

const kindsIn = (request: Request): ReadonlyArray<Kind> =>
  Object.keys(request).filter((key): key is Kind => key in request)

const checkNotEmpty = (body: unknown): Result.Result<void, GoogleError> => {
  const requests = typeof body === "object" && body !== null && "requests" in body ? body.requests : []
  if (!Array.isArray(requests)) return Result.void
  if (requests.length === 0) return refuse("Must specify at least one request.")
  for (const [index, request] of requests.entries()) {
    for (const [kind, payload] of entriesOf(request)) {
      const fields = new Map(entriesOf(payload)).get("fields")
      if (kindsWithUpdateMask.has(kind) && (fields === undefined || fields === null || fields === "")) {
        return refuse(
          `Invalid requests[${index}].${kind}: At least one field must be listed in 'fields'. ` +
            "(Use '*' to indicate all fields.)"
        )
      }
    }
  }
  return Result.void
}

const kindsWithUpdateMask = new Set([
  "updateCells",
  "repeatCell",
  "updateSheetProperties",
  "updateSpreadsheetProperties"
])
