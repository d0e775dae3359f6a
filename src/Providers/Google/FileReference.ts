import { Schema, SchemaTransformation } from "effect"

/** A document, and the place in it that its address points at. */
export interface DocumentRef {
  readonly documentId: string
  readonly tab?: string
  readonly heading?: string
}

/** A spreadsheet, and the tab that its address points at. */
export interface SpreadsheetRef {
  readonly spreadsheetId: string
  readonly gid?: number
}

const scheme = "(?:https?:\\/\\/)?"
const id = "[A-Za-z0-9_-]+"
/** What may stand after the id; a published copy (`/d/e/2PACX-…`) has an id of another kind. */
const rest = "(?:[/?#]\\S*)?"

/** An id by itself, or any address that the editor or the file store gives the file. */
const fileAddress = (kind: "document" | "spreadsheets") => {
  const editor = `docs\\.google\\.com\\/(?:a\\/[^/\\s]+\\/)?${kind}\\/(?:u\\/\\d+\\/)?d\\/(?!e\\/)${id}`
  const store =
    `drive\\.google\\.com\\/(?:a\\/[^/\\s]+\\/)?(?:file\\/(?:u\\/\\d+\\/)?d\\/${id}|open\\?(?:[^\\s#]*&)?id=${id})`
  return new RegExp(`^\\s*(?:${id}|${scheme}(?:${editor}|${store})${rest})\\s*$`, "u")
}

const idIn = (address: string): string =>
  /\/d\/([A-Za-z0-9_-]+)/.exec(address)?.[1] ?? /[?&]id=([A-Za-z0-9_-]+)/.exec(address)?.[1] ?? address.trim()

const parameterIn = (address: string, name: string): string | undefined => {
  const value = new RegExp(`[?&#]${name}=([^&#\\s]+)`).exec(address)?.[1]
  return value === undefined ? undefined : new URLSearchParams(`value=${value}`).get("value") ?? undefined
}

export const readDocumentRef = (address: string): DocumentRef => {
  const tab = parameterIn(address, "tab")
  const heading = parameterIn(address, "heading")
  return {
    documentId: idIn(address),
    ...(tab === undefined ? {} : { tab }),
    ...(heading === undefined ? {} : { heading })
  }
}

export const readSpreadsheetRef = (address: string): SpreadsheetRef => {
  const gid = parameterIn(address, "gid")
  return {
    spreadsheetId: idIn(address),
    ...(gid === undefined || !/^\d{1,10}$/.test(gid) ? {} : { gid: Number(gid) })
  }
}

export const documentUrl = (documentId: string): string => `https://docs.google.com/document/d/${documentId}/edit`

export const spreadsheetUrl = (spreadsheetId: string): string =>
  `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit`

const reference = <Ref>(
  kind: "document" | "spreadsheets",
  description: string,
  ref: Schema.Codec<Ref>,
  read: (address: string) => Ref,
  url: (ref: Ref) => string
) =>
  Schema.String.check(Schema.isPattern(fileAddress(kind), {
    message: `Expected an id or an address, as in https://docs.google.com/${kind}/d/<id>/edit`
  })).annotate({ description }).pipe(
    Schema.decodeTo(ref, SchemaTransformation.transform({ decode: read, encode: url }))
  )

/** A document's id or any of its addresses. */
export const DocumentReference = reference<DocumentRef>(
  "document",
  "The document: its id, or its address. A tab in the address (`?tab=t.x`) counts as `tab`.",
  Schema.Struct({
    documentId: Schema.String,
    tab: Schema.optionalKey(Schema.String),
    heading: Schema.optionalKey(Schema.String)
  }),
  readDocumentRef,
  ({ documentId, heading, tab }) => {
    const query = tab === undefined ? "" : `?tab=${encodeURIComponent(tab)}`
    const fragment = heading === undefined ? "" : `#heading=${encodeURIComponent(heading)}`
    return `${documentUrl(documentId)}${query}${fragment}`
  }
)

/** A spreadsheet's id or any of its addresses. */
export const SpreadsheetReference = reference<SpreadsheetRef>(
  "spreadsheets",
  "The spreadsheet: its id, or its address. A tab in the address (`#gid=0`) counts as `tab`.",
  Schema.Struct({ spreadsheetId: Schema.String, gid: Schema.optionalKey(Schema.Int) }),
  readSpreadsheetRef,
  ({ gid, spreadsheetId }) => `${spreadsheetUrl(spreadsheetId)}${gid === undefined ? "" : `#gid=${gid}`}`
)
