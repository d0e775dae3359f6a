import { Effect, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { InvalidInput, Unauthenticated } from "../../Api/Errors.ts"
import type { ExportFormat } from "../../Api/ListFormat.ts"
import { Auth } from "../../Auth/Auth.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import type { Cell } from "../../Domain/Table/Table.ts"
import { tableLine } from "../../Domain/Table/TableText.ts"
import { sessionCookie } from "../SessionCookie.ts"
import { contentTypes } from "./ContentTypes.ts"

const pageSize = 500

const rightsChanged = new Unauthenticated({ message: "The rights of the caller changed during its export." })

/**
 * Streams every page of a list. The next page is read when the client has taken the last one. A failure after the
 * first page cuts the response off, and so does a change of the caller's rights. The operator's token has none.
 */
export const makeExport = Effect.map(
  Effect.all([Auth, sessionCookie]),
  ([auth, { credentialOf }]) =>
    Effect.fnUntraced(function*<A, E>(
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
        return yield* InvalidInput.at("limit", "An export has no limit. Use `since`, `until` and the other filters")
      }
      const toLine = format === "ndjson"
        ? (item: A) => `${JSON.stringify(toJson(item))}\n`
        : (item: A) => tableLine(toCells(item), format)
      const header = format === "ndjson" ? [] : [tableLine(columns, format)]

      const credential = credentialOf(yield* HttpServerRequest.HttpServerRequest)
      const rights = Effect.map(Effect.option(auth.authenticate(credential)), (principal) => JSON.stringify(principal))
      const before = yield* rights
      const read = (cursor: string | undefined) => list({ limit: pageSize, ...cursor === undefined ? {} : { cursor } })
      const readOn = (cursor: string | undefined) =>
        Effect.andThen(Effect.filterOrFail(rights, (now) => now === before, () => rightsChanged), read(cursor))
      // An error of the first page has a response of its own.
      const first = yield* read(request.cursor)
      const pages = Stream.paginate(
        { cursor: request.cursor, page: Option.some(first) },
        ({ cursor, page }) =>
          Effect.map(
            Option.isSome(page) ? Effect.succeed(page.value) : readOn(cursor),
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
)
