import { useById } from "./ById.ts"
import { useClients } from "./Lists.ts"
import { maxEntries } from "./Queries.ts"

/** The name of a client, "…" while it is read. Logs and statistics keep the ids of deleted ones. */
export const useClientName = () => {
  const { data: clients, isPending } = useClients()
  const clientOf = useById(clients)
  return (id: string | null): string | undefined => {
    if (id === null) return undefined
    if (clients === undefined) return isPending ? "…" : undefined
    return clientOf(id)?.name ?? (clients.length < maxEntries ? "deleted client" : id)
  }
}
