import { Context, Layer, type Redacted } from "effect"
import type { ConnectionFilter, StoredConnection } from "../Domain/Connection.ts"

export interface MemoryConnection {
  readonly connection: StoredConnection
  readonly credentials: Redacted.Redacted | undefined
  readonly version: number
  readonly refreshingUntil: number | undefined
}

export class MemoryConnections extends Context.Service<MemoryConnections, {
  readonly get: (id: string) => MemoryConnection | undefined
  readonly set: (entry: MemoryConnection) => void
  readonly list: (filter: ConnectionFilter) => ReadonlyArray<StoredConnection>
}>()("openaccounts/Connections/MemoryConnections") {
  static readonly layer = Layer.sync(MemoryConnections, () => {
    const entries = new Map<string, MemoryConnection>()
    /** What a derived connection shows of its parent. */
    const inherit = (entry: MemoryConnection): MemoryConnection => {
      const { parent_id, status } = entry.connection
      const parent = parent_id === null ? undefined : entries.get(parent_id)?.connection
      if (parent === undefined) return entry
      const { auth_type, external_account, last_error, resources, scopes } = parent
      return {
        ...entry,
        connection: {
          ...entry.connection,
          auth_type,
          external_account,
          last_error,
          scopes,
          parent_resources: resources,
          status: status === "revoked" ? status : parent.status
        }
      }
    }
    return MemoryConnections.of({
      get: (id) => {
        const entry = entries.get(id)
        return entry === undefined ? undefined : inherit(entry)
      },
      set: (entry) => entries.set(entry.connection.id, entry),
      list: (filter) =>
        [...entries.values()].map((entry) => inherit(entry).connection).filter((one) => isMatch(one, filter))
          .toReversed()
    })
  })
}

const isMatch = (connection: StoredConnection, { client_id, provider, status }: ConnectionFilter): boolean =>
  (provider === undefined || connection.provider === provider) &&
  (client_id === undefined || connection.client_id === client_id) &&
  (status === undefined || connection.status === status)

export const replaceCredentials = (
  { connection, version }: MemoryConnection,
  credentials: Redacted.Redacted | undefined
): MemoryConnection => ({ connection, credentials, version: version + 1, refreshingUntil: undefined })
