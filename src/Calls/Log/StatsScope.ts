import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Viewer } from "../../Domain/Access/Principal.ts"
import type { StatsQuery, StatsRequest } from "../../Domain/Calls/Stats.ts"
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
  /** Selects the calls that are in `stored` once they are counted. */
  readonly isStored: Fragment
}

export const statsScope = (
  sql: SqlClient.SqlClient,
  viewer: Viewer,
  { group, ...request }: { readonly [Field in "group" | "group_by" | "only"]: StatsRequest[Field] | undefined }
): StatsScope => {
  const scope = scopeOf(sql, viewer, request)
  if (group === undefined) return scope
  return { ...scope, stored: scope.stored.map((all) => ({ ...all, which: sql`${all.which} AND value = ${group}` })) }
}

const scopeOf = (
  sql: SqlClient.SqlClient,
  viewer: Viewer,
  { group_by, only }: { readonly [Field in "group_by" | "only"]: StatsRequest[Field] | undefined }
): StatsScope => {
  if (only === undefined) return wholeScope(sql, viewer, group_by)
  const isOnly = isCallOf(sql, only)
  const [byKey] = wholeScope(sql, { ...viewer, connectionIds: null }, "key").stored
  if (byKey === undefined || viewer.connectionIds !== null || only.key_id === undefined || !isByKey(group_by)) {
    const noScope = { scopes: [], which: sql`false`, value: sql`''` }
    return { stored: [noScope], notStored: isOnly, isStored: sql`false` }
  }
  const which = sql`${byKey.which} AND value = ${only.key_id}`
  const value = group_by === undefined ? sql`''` : byKey.value
  return { stored: [{ scopes: byKey.scopes, which, value }], notStored: undefined, isStored: isOnly }
}

const isByKey = (group_by: StatsQuery["group_by"]): boolean => group_by === undefined || group_by === "key"

export const isCallOf = (sql: SqlClient.SqlClient, only: StatsRequest["only"]): Fragment => {
  if (only === undefined) return sql`true`
  return only.key_id === undefined ? sql`grant_id = ${only.grant_id ?? null}` : sql`key_id = ${only.key_id}`
}

const wholeScope = (
  sql: SqlClient.SqlClient,
  { clientIds, connectionIds, memberId }: Viewer,
  group_by: StatsQuery["group_by"]
): StatsScope => {
  const ofDimension = { which: sql`dimension = ${group_by ?? "all"}`, value: sql`value` }
  const own = memberId === null ? [] : [memberId]
  const clients = clientIds === null ? ["*"] : clientIds
  if (connectionIds === null) {
    const scopes = clientIds === null ? clients : [...clients, ...own]
    return { stored: [{ ...ofDimension, scopes }], notStored: undefined, isStored: sql`true` }
  }
  const withoutConnection = { ...ofDimension, scopes: own }
  const ids = textArray(connectionIds)
  if (group_by !== undefined && group_by !== "connection") {
    return {
      stored: [withoutConnection],
      notStored: sql`connection_id = ANY(${ids})`,
      isStored: sql`connection_id IS NULL`
    }
  }
  const onConnections = {
    scopes: clients,
    which: sql`dimension = 'connection' AND value = ANY(${ids})`,
    value: group_by === undefined ? sql`''` : sql`value`
  }
  return { stored: [withoutConnection, onConnections], notStored: undefined, isStored: sql`true` }
}
