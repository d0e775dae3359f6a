import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { InvalidInput } from "../../Api/Errors.ts"
import type { ExportFormat } from "../../Api/ListFormat.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import type { Cell } from "../../Domain/Table/Table.ts"
import { tableLine } from "../../Domain/Table/TableText.ts"
import { contentTypes } from "./ContentTypes.ts"

const pageSize = 500

/**
 * Streams every page of a list. The next page is read when the client has taken the last one. A failure after the
 * first page cuts the response off.
 */
export const exportResponse = Effect.fnUntraced(function*<A, E>(
  { columns, file, format, list, request, toCells, toJson }: {
    readonly file: string
    readonly format: ExportFormat
    readonly request: PageRequest
    readonly list: (page: PageRequest) => Effect.Effect<Page<A>, E>
    readonly toJson: (item: A) => unknown
    readonly columns: ReadonlyArray<string>
    /** A row's cells in the order of `columns`. */
    readonly toCells: (item: A) => ReadonlyArray<Cell>
  }
) {
  if (request.limit !== undefined) {
    const message = "An export has no limit. Use `since`, `until` and the other filters"
    return yield* InvalidInput.at("limit", message)
  }
  const toLine = format === "ndjson"
    ? (item: A) => `${JSON.stringify(toJson(item))}\n`
    : (item: A) => tableLine(toCells(item), format)
  const header = format === "ndjson" ? [] : [tableLine(columns, format)]

  const read = (cursor: string | undefined) => list({ limit: pageSize, ...cursor === undefined ? {} : { cursor } })
  // An error of the first page has a response of its own.
  const first = yield* read(request.cursor)
  const pages = Stream.paginate(
    { cursor: request.cursor, page: Option.some(first) },
    ({ cursor, page }) =>
      Effect.map(
        Option.isSome(page) ? Effect.succeed(page.value) : read(cursor),
        ({ cursor, items }) => [
          [items.map(toLine).join("")],
          cursor === null ? Option.none() : Option.some({ cursor, page: Option.none<Page<A>>() })
        ]
      )
  )
  const body = Stream.fromIterable(header).pipe(Stream.concat(pages), Stream.encodeText)
  return HttpServerResponse.stream(body, {
    contentType: contentTypes[format],
    headers: { "content-disposition": `attachment; filename="${file}.${format === "ndjson" ? format : "csv"}"` }
  })
})
