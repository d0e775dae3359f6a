import { Effect } from "effect"
import { extname } from "node:path"
import { type CallRequest, shapeFields } from "../../../Api/Calls/CallApi.ts"
import { InvalidInput, type RateLimited } from "../../../Api/Errors.ts"
import { Processes } from "../../../Capacity/Processes.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { Operation } from "../../../Providers/Catalog/Operation.ts"
import type { Shaped, ShapedData, ShapedTable, ShapeRequest } from "./Shape.ts"
import type { ShapeJob } from "./ShapeProcess.ts"

/** Expressions can grow data, and cannot be interrupted, so that small data is shaped in a process too. */
const processes = new Processes<ShapeJob, Shaped>({
  module: new URL(`./ShapeProcess${extname(import.meta.url)}`, import.meta.url),
  size: 2,
  maxHeap: 512,
  refusal: "The member shapes too many responses at once."
})

type ShapeFields = Pick<CallRequest, typeof shapeFields[number]>

export const isShaped = ({ format, keep, select }: ShapeFields): boolean =>
  select !== undefined || format !== undefined || keep !== undefined

export const shapeRefusal = (request: ShapeFields, operation: Operation): InvalidInput | undefined => {
  if (!isShaped(request)) return undefined
  const refusal = operation.writes
    ? "Only reads take it"
    : operation.hasOwnFormat
    ? `${operation.target.slice("tool:".length)} does not take it: its output is a text already`
    : undefined
  if (refusal === undefined) return undefined
  const sent = shapeFields.filter((field) => request[field] !== undefined)
  return InvalidInput.ofCall(sent.map((field) => ({ path: [field], message: refusal })))
}

const selectMillis = 1000

/** CPU time to read and write the largest response on a busy machine. */
const restMillis = 30_000

export const shapeData = Effect.fnUntraced(function* shapeData(
  member: string,
  data: JsonText,
  request: ShapeRequest
): Effect.fn.Return<ShapedData | ShapedTable, InvalidInput | RateLimited> {
  const field = request.select === undefined ? "format" : "select"
  const job = { json: data.utf8, request, selectMillis, restMillis }
  const answer = yield* processes.run(member, Effect.succeed(job), { withinMillis: restMillis }).pipe(
    Effect.catchTags({
      JobTooLong: () => Effect.fail(failed(field, "It takes more than a second")),
      JobTooLarge: () => Effect.fail(failed(field, "It takes too much memory"))
    })
  )
  return "field" in answer ? yield* failed(answer.field, answer.message) : answer
})

const failed = (field: string, message: string): InvalidInput =>
  new InvalidInput({
    message: "The provider has answered, but the response could not be shaped as the call asks.",
    details: [{ path: [field], message }]
  })
