import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Page } from "../../Domain/Page.ts"
import { contentTypes } from "./ContentTypes.ts"

/** Entries that become JSON without a turn of other requests. */
const step = 500

/** A list without pages, as an object with one field. It is read and written part by part. */
export const wholeList = Effect.fnUntraced(function*<A, E, R>(
  name: string,
  read: (cursor: string | undefined) => Effect.Effect<Page<A>, E, R>,
  toJson: (entry: A) => unknown
) {
  const parts: Array<Buffer> = []
  let page: Page<A> | undefined
  do {
    page = yield* read(page?.cursor ?? undefined)
    for (let at = 0; at < page.items.length; at += step) {
      const entries = JSON.stringify(page.items.slice(at, at + step).map(toJson)).slice(1, -1)
      parts.push(Buffer.from(parts.length === 0 ? entries : `,${entries}`))
      yield* Effect.yieldNow
    }
  } while (page.cursor !== null)
  const body = Buffer.concat([Buffer.from(`{"${name}":[`), ...parts, Buffer.from("]}")])
  return HttpServerResponse.uint8Array(body, { contentType: contentTypes.json })
})
