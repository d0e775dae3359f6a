import { Effect } from "effect"
import type { Client } from "../../../Domain/Client.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import type { adminApi } from "../../ApiClient.ts"

const maxPages = 10

interface ClientPage {
  readonly clients: ReadonlyArray<Client>
  readonly cursor: string | null
}

/** Names by id, of the newest 2,000 clients. */
export const clientNamesOf = Effect.fnUntraced(function*(
  api: Effect.Success<typeof adminApi>,
  connections: ReadonlyArray<Connection>
) {
  const wanted = new Set(connections.flatMap(({ client_id }) => client_id ?? []))
  const names = new Map<string, string>()
  let cursor: string | null = ""
  for (let pages = 0; cursor !== null && names.size < wanted.size && pages < maxPages; pages++) {
    const page: ClientPage = yield* api.clients.list({ query: { limit: 200, ...(cursor === "" ? {} : { cursor }) } })
    for (const { id, name } of page.clients) if (wanted.has(id)) names.set(id, name)
    cursor = page.cursor
  }
  return names
})
