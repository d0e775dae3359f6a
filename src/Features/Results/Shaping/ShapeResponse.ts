import { Effect } from "effect"
import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import type { InvalidInput, RateLimited } from "../../../Api/Errors.ts"
import type { PayloadTooLarge } from "../../../Api/Errors/RequestErrors.ts"
import { maxResponseBytes, smallBytes } from "../../../Capacity/Capacity.ts"
import { type Bounds, textOfBounds } from "../../../Domain/Access/Bounds.ts"
import { holderIdOf, type Principal } from "../../../Domain/Access/Principal.ts"
import type { TablePart } from "../../../Domain/Calls/TablePart.ts"
import type { StoredConnection } from "../../../Domain/Connection.ts"
import { JsonText } from "../../../Domain/Json/JsonText.ts"
import { type FoundPart, partText } from "../../../Domain/Table/PartOf.ts"
import type { PreparedOperation } from "../../../Providers/Catalog/Operation.ts"
import { KeptResults } from "../Kept/KeptResults.ts"
import { shapeData } from "./Shaping.ts"

interface ShapedCall {
  readonly principal: Principal
  readonly connection: StoredConnection
  readonly bounds: Bounds | undefined
  readonly request: CallRequest
  readonly prepared: Pick<PreparedOperation, "rows" | "subject" | "resource" | "input">
  /** The longest table in the response, in characters. A longer one is kept. */
  readonly longest: number | undefined
}

interface ShapedResponse {
  readonly data: JsonText
  readonly page: TablePart | undefined
}

/** The part, the table or the kept result of a response that its call asks for. */
export const makeShapeResponse = Effect.map(
  Effect.all([KeptResults, maxResponseBytes]),
  ([results, maxBytes]) =>
    Effect.fnUntraced(function*(
      data: JsonText,
      { bounds, connection, longest, prepared, principal, request }: ShapedCall
    ): Effect.fn.Return<ShapedResponse, InvalidInput | RateLimited | PayloadTooLarge> {
      const shaped = yield* shapeData(principal.memberId, data, {
        select: request.select,
        format: request.format ?? "json",
        source: prepared.rows(),
        keep: request.keep === true || longest || false,
        longest: maxBytes
      })
      if ("data" in shaped) {
        const { data, page } = shaped
        const isLong = data.length > smallBytes
        return { page, data: isLong ? JsonText.trustedBytes(data) : JsonText.trusted(new TextDecoder().decode(data)) }
      }
      const { part } = shaped
      const { names, urls } = prepared.subject()
      const result = yield* results.keep({
        memberId: principal.memberId,
        holder: holderIdOf(principal),
        connectionId: connection.id,
        provider: connection.provider,
        names,
        urls,
        bounds: bounds === undefined ? "" : textOfBounds(bounds),
        part: part?.isPart === true ? part.fields : null
      }, shaped.kept)
      const beside = { ...part?.fields, ...longest === undefined ? {} : { next: howToAsk(result.id, part) } }
      const fields = JSON.stringify(beside).slice(1, -1)
      const json = `{"result":${JSON.stringify(result)},"preview":${shaped.preview}${fields && `,${fields}`}}`
      return { data: JsonText.trusted(json), page: undefined }
    })
)

const howToAsk = (id: string, part: FoundPart | undefined): string =>
  `The table is kept until expires_at; preview has its first rows. Ask for what you need with query_result: result ` +
  `${id}, and sql such as SELECT count(*) FROM result.${part?.isPart === true ? ` ${partText(part.fields)}` : ""}`
