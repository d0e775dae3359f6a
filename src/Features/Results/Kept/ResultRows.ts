import { PgTypes } from "@effect/sql-pg"
import { Schema, Struct } from "effect"
import type { SqlClient } from "effect/sql"
import { Encrypted } from "../../../Secrets/Vault.ts"
import { rowsOf } from "../../../Sql/Rows.ts"
import { ResultColumn } from "../Result.ts"
import { ResultPart, ResultRow } from "./StoredResult.ts"

export const stored = (sql: SqlClient.SqlClient) =>
  sql`id, connection_id AS "connectionId", provider, names, urls, bounds, part, rows, bytes::float8 AS bytes,
    expires_at AS "expiresAt"`

export const ofChunk = (sql: SqlClient.SqlClient) => sql`id, bytes, encryption_key_id AS "encryptionKeyId"`

export const results = rowsOf(ResultRow)

const { bytea, int4, jsonb, text } = PgTypes.OID

export const chunkTypes = {
  id: text,
  result_id: text,
  first_row: int4,
  rows: int4,
  bytes: bytea,
  encryption_key_id: text,
  source: jsonb
}

export const ChunkRow = Schema.Struct({ ...Encrypted.fields, id: Schema.String })

export const chunks = rowsOf(ChunkRow)

export const partRows = rowsOf(ResultPart)

export const positions = rowsOf(ResultPart.mapFields(Struct.pick(["id", "firstRow", "length"])))

export const decodeColumns = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(ResultColumn)))
