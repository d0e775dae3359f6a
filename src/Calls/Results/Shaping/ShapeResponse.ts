import { Effect } from "effect"
import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import type { InvalidInput, PayloadTooLarge, RateLimited } from "../../../Api/Errors.ts"
import { maxResponseBytes, smallBytes } from "../../../Capacity/Capacity.ts"
import { type Bounds, textOfBounds } from "../../../Domain/Access/Bounds.ts"
import type { Principal } from "../../../Domain/Access/Principal.ts"
import type { StoredConnection } from "../../../Domain/Connection.ts"
import { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { PreparedOperation } from "../../../Providers/Catalog/Operation.ts"
import { KeptResults } from "../Kept/KeptResults.ts"
import { holderOf } from "../Kept/ResultAccess.ts"
import { shapeData } from "./Shaping.ts"

interface ShapedCall {
  readonly principal: Principal
  readonly connection: StoredConnection
  readonly bounds: Bounds | undefined
  readonly request: CallRequest
  readonly prepared: Pick<PreparedOperation, "rows" | "subject" | "resource" | "input">
  /** In characters. A longer table is kept. */
  readonly longest: number | undefined
}

/** The part, the table or the kept result of a response that its call asks for. */
export const makeShapeResponse = Effect.map(
  Effect.all([KeptResults, maxResponseBytes]),
  ([results, maxBytes]) =>
    Effect.fnUntraced(function*(
      data: JsonText,
      { bounds, connection, longest, prepared, principal, request }: ShapedCall
    ): Effect.fn.Return<JsonText, InvalidInput | RateLimited | PayloadTooLarge> {
      const shaped = yield* shapeData(principal.memberId, data, {
        select: request.select,
        format: request.format ?? "json",
        source: prepared.rows(),
        keep: request.keep === true || longest || false,
        longest: maxBytes
      })
      if ("data" in shaped) {
        const { data } = shaped
        return data.length > smallBytes ? JsonText.trustedBytes(data) : JsonText.trusted(new TextDecoder().decode(data))
      }
      const { names, urls } = prepared.subject()
      const result = yield* results.keep({
        memberId: principal.memberId,
        holder: holderOf(principal),
        connectionId: connection.id,
        provider: connection.provider,
        names,
        urls,
        bounds: bounds === undefined ? "" : textOfBounds(bounds)
      }, shaped.kept)
      const next = longest === undefined ? "" : `,"next":${JSON.stringify(howToAsk(result.id))}`
      return JsonText.trusted(`{"result":${JSON.stringify(result)},"preview":${shaped.preview}${next}}`)
    })
)

const howToAsk = (id: string): string =>
  `The table is kept until expires_at; preview has its first rows. Ask for what you need with query_result: result ` +
  `${id}, and sql such as SELECT count(*) FROM result.`
