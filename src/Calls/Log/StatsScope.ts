import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Viewer } from "../../Domain/Access/Principal.ts"
import type { StatsQuery } from "../../Domain/Calls/Stats.ts"
import { textArray } from "../../Sql/BulkStatement.ts"

interface StoredFigures {
  readonly scopes: ReadonlyArray<string>
  readonly which: Fragment
  readonly value: Fragment
}

/** Each call that a viewer sees is either in `stored` or in `notStored`. */
export interface StatsScope {
  readonly stored: ReadonlyArray<StoredFigures>
  readonly notStored: Fragment | undefined
}

export const statsScope = (
  sql: SqlClient.SqlClient,
  { clientIds, connectionIds, memberId }: Viewer,
  group_by: StatsQuery["group_by"]
): StatsScope => {
  const ofDimension = { which: sql`dimension = ${group_by ?? "all"}`, value: sql`value` }
  const own = memberId === null ? [] : [memberId]
  const clients = clientIds === null ? ["*"] : clientIds
  if (connectionIds === null) {
    const scopes = clientIds === null ? clients : [...clients, ...own]
    return { stored: [{ ...ofDimension, scopes }], notStored: undefined }
  }
  const withoutConnection = { ...ofDimension, scopes: own }
  const ids = textArray(connectionIds)
  if (group_by !== undefined && group_by !== "connection") {
    return { stored: [withoutConnection], notStored: sql`connection_id = ANY(${ids})` }
  }
  const onConnections = {
    scopes: clients,
    which: sql`dimension = 'connection' AND value = ANY(${ids})`,
    value: group_by === undefined ? sql`''` : sql`value`
  }
  return { stored: [withoutConnection, onConnections], notStored: undefined }
}
