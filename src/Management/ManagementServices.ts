import { Layer } from "effect"
import { AccountResources } from "../Connections/Bounds/AccountResources.ts"
import { ClientDeletion } from "./ClientDeletion.ts"
import { Clients } from "./Clients.ts"
import { storedSecrets } from "./Encryption/StoredSecrets.ts"
import { Keys } from "./Keys.ts"
import { ManagedConnections } from "./ManagedConnections.ts"
import { Members } from "./Members.ts"
import { MissingKeys } from "./MissingKeys.ts"

/** What operators and members manage. */
export const ManagementServices = Layer.mergeAll(
  AccountResources.layer,
  ClientDeletion.layer,
  Clients.layer,
  Keys.layer,
  ManagedConnections.layer,
  Members.layer,
  MissingKeys.layer
).pipe(Layer.provideMerge(storedSecrets))
