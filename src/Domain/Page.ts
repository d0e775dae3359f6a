import { Schema } from "effect"

export const defaultLimit = 50

/** The approximate limit of a page in bytes. A page of long entries ends early, so that no list takes much memory. */
export const maxPageBytes = 1_000_000

export const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })).annotate({
  description: "The maximum number of entries.",
  default: defaultLimit
})

const wrong = { message: "Not a cursor that a page returned" }

const CursorOfPage = Schema.String.check(Schema.isPattern(/^[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/u, wrong).abort())

const pages = (cursor: typeof CursorOfPage) => ({
  limit: Limit.pipe(Schema.optionalKey),
  cursor: cursor.annotate({ description: "The `cursor` that the previous page returned." }).pipe(Schema.optionalKey)
})

export const PageRequest = pages(CursorOfPage)

export interface Entry extends Schema.Top {
  readonly fields: { readonly id: Schema.Top }
}

/** Refuses the cursor of a list with other ids, which would be a position here. */
export const pagesOfEntries = ({ fields }: Entry) =>
  pages(CursorOfPage.check(Schema.makeFilter(Schema.is(fields.id), wrong)))

export interface PageRequest extends Schema.Struct.Type<typeof PageRequest> {}

export const Cursor = Schema.NullOr(Schema.String).annotate({
  description: "Opaque. Pass it to get the next page. `null` on the last page."
})

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly cursor: string | null
}
