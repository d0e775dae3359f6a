import { type Effect, Schema } from "effect"
import { TablePart } from "../../../Domain/Calls/TablePart.ts"
import { ConnectionId, type MemberId, ResultId } from "../../../Domain/Ids.ts"
import type { Chunk } from "./KeptTable.ts"

/** Where rows come from. */
export const ResultSource = Schema.Struct({
  connectionId: ConnectionId,
  names: Schema.Array(Schema.String),
  urls: Schema.Array(Schema.String),
  /** Equal for equal bounds. Empty without one. */
  bounds: Schema.String,
  /** Which rows are missing, if some are. */
  part: Schema.optionalKey(TablePart)
})
export type ResultSource = typeof ResultSource.Type

/** Whose result it is, and what it is about. */
export interface ResultOrigin extends Omit<ResultSource, "connectionId" | "part"> {
  readonly memberId: MemberId
  /** The id of the key, grant or session that made it. */
  readonly holder: string
  /** `null`: its chunks have sources of their own. */
  readonly connectionId: ConnectionId | null
  readonly provider: string
  /** Which rows are missing, or `null` if the source does not say. */
  readonly part: TablePart | null
}

export const ResultRow = Schema.Struct({
  ...ResultSource.fields,
  id: ResultId,
  connectionId: Schema.NullOr(ConnectionId),
  provider: Schema.String,
  part: Schema.NullOr(TablePart),
  rows: Schema.Int,
  bytes: Schema.Finite,
  expiresAt: Schema.Date
})

export interface StoredResult extends Schema.Schema.Type<typeof ResultRow> {
  /** The chunks that the caller may see, of a result with many sources. */
  readonly parts?: ReadonlyArray<ResultPart>
}

export const ResultPart = Schema.Struct({
  id: Schema.String,
  firstRow: Schema.Int,
  rows: Schema.Int,
  /** The length of the stored bytes. */
  length: Schema.Int,
  source: Schema.NullOr(ResultSource)
})
export type ResultPart = typeof ResultPart.Type

/** A table that becomes a result part by part. */
export interface GrowingResult extends Pick<ResultOrigin, "memberId" | "holder" | "provider"> {
  readonly id: ResultId
  readonly expiresAt: Date
}

export interface GrowingChunk extends Omit<Chunk, "firstRow"> {
  readonly source: ResultSource
}

export interface Growth {
  /** False if the member has no room for all of them. The first ones that fit are added. */
  readonly add: (chunks: ReadonlyArray<GrowingChunk>) => Effect.Effect<boolean>
  readonly end: (part: TablePart | null) => Effect.Effect<void>
}

export interface StoredChunk extends Pick<Chunk, "firstRow"> {
  /** The table as UTF-8, which a thread can take over. */
  readonly json: Uint8Array<ArrayBuffer>
}

export interface StoredChunks {
  readonly chunks: ReadonlyArray<StoredChunk>
  readonly isComplete: boolean
}
