import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { OAuthTokens } from "../../Auth/OAuthTokens.ts"
import { AttemptLimits } from "../../Capacity/AttemptLimits.ts"
import type { Feature } from "../Feature.ts"
import { AuthorizationHandlers } from "./Authorization/AuthorizationHandlers.ts"
import { AuthorizationServer } from "./Authorization/AuthorizationServer.ts"
import { allowPrivateClients, ClientDocuments } from "./Authorization/ClientDocuments.ts"
import { OAuthClients } from "./Authorization/OAuthClients.ts"
import { AgentAccessApi, agentAccessGroups } from "./Contract.ts"
import { Grants } from "./Grants.ts"
import { GrantsHandlers } from "./Handlers.ts"

/** Members sign agents in, and choose what each may do. */
export const agentAccess: Feature = {
  name: "agent_access",
  layer: HttpApiBuilder.layer(AgentAccessApi).pipe(
    Layer.provide([AuthorizationHandlers, GrantsHandlers]),
    Layer.provide(AuthorizationServer.layer),
    Layer.provide([AttemptLimits.layer, ClientDocuments.layer, Grants.layer, OAuthClients.layer, OAuthTokens.layer])
  ),
  owns: { groups: agentAccessGroups, settings: [allowPrivateClients] }
}
