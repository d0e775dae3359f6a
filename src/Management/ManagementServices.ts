import { Layer } from "effect"
import { AccountResources } from "../Connections/Bounds/AccountResources.ts"
import { ConnectLinks } from "../Connections/Connect/ConnectLinks.ts"
import { ClientDeletion } from "./ClientDeletion.ts"
import { Clients } from "./Clients.ts"
import { storedSecrets } from "./Encryption/StoredSecrets.ts"
import { Keys } from "./Keys.ts"
import { LinkVisits } from "./LinkVisits.ts"
import { ManagedConnections } from "./ManagedConnections.ts"
import { ManagedConnectLinks } from "./ManagedConnectLinks.ts"
import { Members } from "./Members.ts"
import { MissingKeys } from "./MissingKeys.ts"

/** What operators and members manage. */
export const ManagementServices = Layer.mergeAll(
  AccountResources.layer,
  ConnectLinks.layer,
  ClientDeletion.layer,
  Clients.layer,
  Keys.layer,
  LinkVisits.layer,
  ManagedConnections.layer,
  ManagedConnectLinks.layer,
  Members.layer,
  MissingKeys.layer
).pipe(Layer.provideMerge(storedSecrets))
