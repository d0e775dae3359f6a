import { useById } from "./ById.ts"
import { useClients } from "./Lists.ts"
import { maxEntries } from "./Queries.ts"

/** The name of a client. Logs and statistics keep the ids of deleted ones. */
export const useClientName = () => {
  const clients = useClients().data
  const clientOf = useById(clients)
  return (id: string | null): string | undefined => {
    if (id === null || clients === undefined) return undefined
    return clientOf(id)?.name ?? (clients.length < maxEntries ? "deleted client" : id)
  }
}
