import { Effect } from "effect"
import type { ManagedConnection } from "../../Domain/Connection.ts"
import { useServiceQuery } from "../Service/Queries.ts"

/** What the account of a connection reaches. The service asks the provider. */
export const useAccountResources = (connection: Pick<ManagedConnection, "id" | "status"> | undefined) =>
  useServiceQuery(
    ["resources", connection?.id],
    ({ managedConnections }) =>
      Effect.map(
        managedConnections.resources({ params: { id: connection?.id ?? "" } }),
        ({ resources }) => resources
      ),
    { enabled: connection?.status === "active" }
  )
