import { Layer } from "effect"
import { MeteredCalls } from "../Calls/MeteredCalls.ts"
import { AttemptLimits } from "../Capacity/AttemptLimits.ts"
import { Capacity } from "../Capacity/Capacity.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import { AnonymousBodies } from "../Http/Server/AnonymousBodies.ts"
import { ErrorResponsesLayer } from "../Http/Server/ErrorResponses.ts"
import { Grants } from "../Management/Grants.ts"
import { AuthorizationRoutes } from "./Authorization/AuthorizationRoutes.ts"
import { AuthorizationServer } from "./Authorization/AuthorizationServer.ts"
import { ClientDocuments } from "./Authorization/ClientDocuments.ts"
import { OAuthClients } from "./Authorization/OAuthClients.ts"
import { OAuthTokens } from "./Authorization/OAuthTokens.ts"
import { McpRoutes } from "./Mcp/McpRoutes.ts"

export const AgentRoutes = Layer.merge(AuthorizationRoutes, McpRoutes).pipe(
  Layer.provide([
    AnonymousBodies.layer,
    AttemptLimits.layer,
    AuthorizationServer.layer,
    Capacity.layer,
    ClientDocuments.layer,
    ErrorResponsesLayer,
    Grants.layer,
    MeteredCalls,
    OAuthClients.layer,
    OAuthTokens.layer,
    RateLimit.layer
  ])
)
