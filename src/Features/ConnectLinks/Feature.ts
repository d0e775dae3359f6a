import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ConnectMethods } from "../../Connections/Connect/ConnectMethods.ts"
import { Clients } from "../../Management/Clients.ts"
import type { Feature } from "../Feature.ts"
import { linksCheck } from "./Checks.ts"
import { ConnectLinks } from "./ConnectLinks.ts"
import { ConnectLinksApi, ConnectLinksGroup } from "./Contract.ts"
import { ConnectLinksHandlers } from "./Handlers.ts"
import { ManagedConnectLinks } from "./ManagedConnectLinks.ts"
import { ServeLinks } from "./ServeLinks.ts"
import { requestConnectionTool } from "./Tools.ts"
import { ConnectPagesGroup } from "./Visits/ConnectPagesGroup.ts"
import { ConnectRoutes } from "./Visits/ConnectRoutes.ts"
import { LinkVisits } from "./Visits/LinkVisits.ts"
import { pendingSecrets } from "./Visits/PendingConnections.ts"

/** Pages on which people without an account in this service connect theirs. */
export const connectLinks: Feature = {
  name: "connect_links",
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(ConnectLinksApi).pipe(Layer.provide([ConnectLinksHandlers, ConnectRoutes])),
    ServeLinks,
    requestConnectionTool
  ).pipe(
    Layer.provide([
      Clients.layer,
      ConnectLinks.layer,
      ConnectMethods.layer,
      LinkVisits.layer,
      ManagedConnectLinks.layer
    ])
  ),
  owns: { groups: [ConnectLinksGroup, ConnectPagesGroup], secrets: [pendingSecrets], checks: [linksCheck] }
}
