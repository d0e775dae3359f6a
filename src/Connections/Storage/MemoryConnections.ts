import { Context, Effect, Layer, type Redacted, Struct } from "effect"
import { ConnectionFilter, type StoredConnection } from "../../Domain/Connection.ts"
import { type FindRisks, type HealthCode, type HealthFacts, healthOf, noRisks } from "../../Domain/Health.ts"

export interface MemoryConnection {
  readonly connection: StoredConnection
  readonly credentials: Redacted.Redacted | undefined
  readonly version: number
  readonly signedInAs: string | null
  readonly refreshingUntil: number | undefined
  readonly facts: HealthFacts
  readonly announced: ReadonlyArray<HealthCode>
}

export class MemoryConnections extends Context.Service<MemoryConnections, {
  readonly get: (id: string) => MemoryConnection | undefined
  /** Connections as they were set, without their health. Derived ones lack the fields of their parent. */
  readonly entries: () => ReadonlyArray<MemoryConnection>
  readonly set: (entry: MemoryConnection) => void
  readonly list: (filter: ConnectionFilter) => ReadonlyArray<StoredConnection>
  readonly watch: (findRisks: FindRisks) => void
}>()("openaccounts/Connections/Storage/MemoryConnections") {
  static readonly layer = Layer.effect(
    MemoryConnections,
    Effect.clockWith((clock) =>
      Effect.sync(() => {
        const entries = new Map<string, MemoryConnection>()
        let findRisks = noRisks
        /** Adds the fields that a derived connection shows of its parent. */
        const inherit = (entry: MemoryConnection): MemoryConnection => {
          const { parent_id, status } = entry.connection
          const parent = parent_id === null ? undefined : entries.get(parent_id)
          if (parent === undefined) return entry
          const { auth_type, external_account, last_error, resources, scopes } = parent.connection
          return {
            ...entry,
            facts: { ...parent.facts, lost_resources: entry.facts.lost_resources },
            connection: {
              ...entry.connection,
              auth_type,
              external_account,
              last_error,
              scopes,
              parent_resources: resources,
              status: status === "revoked" ? status : parent.connection.status
            }
          }
        }
        const shown = (stored: MemoryConnection): MemoryConnection => {
          const entry = inherit(stored)
          const { connection, facts } = entry
          const health = healthOf(connection, findRisks(connection, facts, clock.currentTimeMillisUnsafe()))
          return { ...entry, connection: { ...connection, health } }
        }
        return MemoryConnections.of({
          get: (id) => {
            const entry = entries.get(id)
            return entry === undefined ? undefined : shown(entry)
          },
          entries: () => [...entries.values()],
          set: (entry) => entries.set(entry.connection.id, entry),
          list: (filter) =>
            [...entries.values()].map((entry) => shown(entry).connection).filter((one) => isMatch(one, filter))
              .toReversed(),
          watch: (find) => {
            findRisks = find
          }
        })
      })
    )
  )
}

const isMatch = (connection: StoredConnection, filter: ConnectionFilter): boolean =>
  Struct.keys(ConnectionFilter).every((name) => filter[name] === undefined || filter[name] === connection[name])

export const replaceCredentials = (
  entry: MemoryConnection,
  credentials: Redacted.Redacted | undefined
): MemoryConnection => ({ ...entry, credentials, version: entry.version + 1, refreshingUntil: undefined })
