import { Schema, SchemaTransformation } from "effect"

export interface DocumentReference {
  readonly documentId: string
  readonly tab?: string
  readonly heading?: string
}

export interface SpreadsheetReference {
  readonly spreadsheetId: string
  readonly gid?: number
}

const scheme = "(?:[Hh]ttps?:\\/\\/)?"
const id = "[A-Za-z0-9_-]+"
const rest = "(?:[/?#]\\S*)?"

/**
 * The id is in the path, or it is a parameter, as in `open?id=…`, `viewer?srcid=…` and `spreadsheet/ccc?key=…`. Excludes
 * published copies (`/d/e/2PACX-…`), which have another kind of id.
 */
const fileAddress = (kind: "document" | "spreadsheets") => {
  const account = "(?:a\\/[^/\\s]+\\/)?(?:u\\/\\d+\\/)?"
  const inPath = `(?:docs\\.google\\.com\\/${account}(?:${kind}|file)|drive\\.google\\.com\\/${account}file)` +
    `\\/(?:u\\/\\d+\\/)?d\\/(?!e\\/)${id}${rest}`
  const folder = kind === "spreadsheets" ? "spreadsheets?" : kind
  const inQuery =
    `(?:docs|drive|drive\\.usercontent)\\.google\\.com\\/${account}(?:${folder}\\/)?(?:u\\/\\d+\\/)?[a-z]*` +
    `\\?(?:[^\\s#]*&)?(?:id|key|srcid)=${id}(?:[&#]\\S*)?`
  return new RegExp(`^\\s*(?:${id}|${scheme}(?:${inPath}|${inQuery}))\\s*$`, "u")
}

const findId = (address: string): string =>
  [/\/d\/([A-Za-z0-9_-]+)/, /[?&]id=([A-Za-z0-9_-]+)/, /[?&](?:key|srcid)=([A-Za-z0-9_-]+)/]
    .flatMap((form) => form.exec(address)?.[1] ?? [])[0] ?? address.trim()

const findParameter = (address: string, name: string): string | undefined => {
  const value = new RegExp(`[?&#]${name}=([^&#\\s]+)`).exec(address)?.[1]
  return value === undefined ? undefined : new URLSearchParams(`value=${value}`).get("value") ?? undefined
}

const parseDocumentAddress = (address: string): DocumentReference => {
  const tab = findParameter(address, "tab")
  const heading = findParameter(address, "heading")
  return {
    documentId: findId(address),
    ...(tab === undefined ? {} : { tab }),
    ...(heading === undefined ? {} : { heading })
  }
}

const parseSpreadsheetAddress = (address: string): SpreadsheetReference => {
  const gid = findParameter(address, "gid")
  return {
    spreadsheetId: findId(address),
    ...(gid === undefined || !/^\d{1,10}$/.test(gid) ? {} : { gid: Number(gid) })
  }
}

export const documentUrl = (documentId: string): string => `https://docs.google.com/document/d/${documentId}/edit`

export const spreadsheetUrl = (spreadsheetId: string): string =>
  `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit`

const fileReference = <Ref>(
  kind: "document" | "spreadsheets",
  description: string,
  ref: Schema.Codec<Ref>,
  address: { readonly decode: (address: string) => Ref; readonly encode: (ref: Ref) => string }
) =>
  Schema.String.check(Schema.isPattern(fileAddress(kind), {
    message: `Expected an id or an address, as in https://docs.google.com/${kind}/d/<id>/edit`
  })).annotate({ description }).pipe(
    Schema.decodeTo(ref, SchemaTransformation.transform(address))
  )

export const DocumentReference = fileReference<DocumentReference>(
  "document",
  "Its id or its address, which may name a tab.",
  Schema.Struct({
    documentId: Schema.String,
    tab: Schema.optionalKey(Schema.String),
    heading: Schema.optionalKey(Schema.String)
  }),
  {
    decode: parseDocumentAddress,
    encode: ({ documentId, heading, tab }) => {
      const query = tab === undefined ? "" : `?tab=${encodeURIComponent(tab)}`
      const fragment = heading === undefined ? "" : `#heading=${encodeURIComponent(heading)}`
      return `${documentUrl(documentId)}${query}${fragment}`
    }
  }
)

export const SpreadsheetReference = fileReference<SpreadsheetReference>(
  "spreadsheets",
  "Its id or its address, which may name a tab.",
  Schema.Struct({ spreadsheetId: Schema.String, gid: Schema.optionalKey(Schema.Int) }),
  {
    decode: parseSpreadsheetAddress,
    encode: ({ gid, spreadsheetId }) => `${spreadsheetUrl(spreadsheetId)}${gid === undefined ? "" : `#gid=${gid}`}`
  }
)
