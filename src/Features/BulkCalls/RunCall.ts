import { Effect, Option, Predicate } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import { Auth } from "../../Auth/Auth.ts"
import { StoredResponse } from "../../Calls/Answered.ts"
import { callForHolder } from "../../Calls/CallForHolder.ts"
import { Calls } from "../../Calls/Calls.ts"
import { maxResponseBytes } from "../../Capacity/Capacity.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { boundsOf, textOfBounds } from "../../Domain/Access/Bounds.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { parseNumbers } from "../../Domain/Json/ExactNumber.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { toCell, typed } from "../../Domain/Table/Table.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { PreparedOperation } from "../../Providers/Catalog/Operation.ts"
import { type KeptTable, toKept } from "../Results/Kept/KeptTable.ts"
import { shapeData } from "../Results/Shaping/Shaping.ts"
import { withResource } from "./Place.ts"
import type { BulkRequest, Claim, Run } from "./StoredBulkCall.ts"

/** Runs one call of a bulk call, with the current rights of its holder. Interactive calls go first. */
export const makeRunCall = Effect.gen(function*() {
  const auth = yield* Auth
  const calls = yield* Calls
  const catalog = yield* Catalog
  const connections = yield* CachedConnections
  const longest = yield* maxResponseBytes

  const call = Effect.fnUntraced(function*(id: CallId, { holder, id: bulkCallId }: Claim, json: unknown) {
    const { response } = yield* callForHolder(calls, json, {
      id,
      headers: { prefer: "wait=60", priority: "u=6" },
      origin: { holderId: holder, bulkCallId }
    })
    return response instanceof StoredResponse ? yield* Effect.die("A read has been replayed") : response.data
  })

  /** A response that is no table becomes one row. */
  const tableOf = Effect.fnUntraced(function*(
    { memberId }: Claim,
    { select }: BulkRequest,
    data: JsonText,
    prepared: PreparedOperation
  ) {
    const request = { select, format: "json", source: prepared.rows(), longest } as const
    const shaped = yield* Effect.catchIf(
      shapeData(memberId, data, { ...request, keep: true }),
      (error) => error instanceof InvalidInput,
      () => shapeData(memberId, data, { ...request, keep: false })
    )
    return "kept" in shaped ? shaped.kept : oneRow(parseNumbers(new TextDecoder().decode(shaped.data)))
  })

  const boundsNow = Effect.fnUntraced(function*({ holder }: Claim, { connectionId }: Run) {
    const connection = Option.getOrUndefined(yield* connections.find(connectionId))
    const bounds = connection && boundsOf(yield* auth.ofHolder(holder), connection)
    return bounds === undefined ? "" : textOfBounds(bounds)
  })

  return Effect.fnUntraced(function*(id: CallId, claim: Claim, request: BulkRequest, run: Run) {
    const { endpoint, max_age, place, provider, tool } = request
    const { connectionId, resource } = run
    const input = place === undefined || resource === null
      ? request.input
      : withResource(request.input, place, resource.slice(provider.length + 1))
    const operation = yield* catalog.operation(request)
    const prepared = yield* operation.prepare(input)
    const json = toJson({ provider, endpoint, tool, input, max_age, connection_id: connectionId })
    const data = yield* call(id, claim, json)
    const table = yield* tableOf(claim, request, data, prepared)
    const { names, urls } = prepared.subject()
    const source = { connectionId, names, urls, bounds: yield* boundsNow(claim, run) }
    return { source, rows: table.rows, table: textOf(table) }
  }, Effect.scoped)
})

/** Without fields that are `undefined`. */
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const oneRow = (value: unknown): KeptTable => {
  const fields = Predicate.isObject(value) ? Object.entries(value) : [["value", value] as const]
  return toKept(typed(fields.map(([name]) => name), [fields.map(([, field]) => toCell(field))]))
}

const textOf = ({ chunks, columns }: KeptTable): string =>
  `{"columns":${JSON.stringify(columns.map(({ name }) => name))},"rows":[${
    chunks.map(({ json }) => json.slice(1, -1)).join()
  }]}`
