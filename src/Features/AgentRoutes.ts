import { Layer } from "effect"
import { OAuthTokens } from "../Auth/OAuthTokens.ts"
import { ApprovedCalls } from "../Calls/ApprovedCalls.ts"
import { MeteredCalls } from "../Calls/MeteredCalls.ts"
import { UndoCalls } from "../Calls/Undo/UndoCalls.ts"
import { AttemptLimits } from "../Capacity/AttemptLimits.ts"
import { Capacity } from "../Capacity/Capacity.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import { AccountResources } from "../Connections/Bounds/AccountResources.ts"
import { ConnectMethods } from "../Connections/Connect/ConnectMethods.ts"
import { AnonymousBodies } from "../Http/Server/AnonymousBodies.ts"
import { VisitorShareLayer } from "../Http/Server/AnswerShare.ts"
import { ErrorResponsesLayer } from "../Http/Server/ErrorResponses.ts"
import { Clients } from "../Management/Clients.ts"
import { Grants } from "../Management/Grants.ts"
import { ManagedConnectLinks } from "../Management/ManagedConnectLinks.ts"
import { AuthorizationRoutes } from "./AgentAccess/Authorization/AuthorizationRoutes.ts"
import { AuthorizationServer } from "./AgentAccess/Authorization/AuthorizationServer.ts"
import { ClientDocuments } from "./AgentAccess/Authorization/ClientDocuments.ts"
import { OAuthClients } from "./AgentAccess/Authorization/OAuthClients.ts"
import { requestConnectionTool } from "./Mcp/RequestConnection.ts"

export const AgentRoutes = Layer.mergeAll(AuthorizationRoutes, requestConnectionTool).pipe(
  Layer.provide([
    AccountResources.layer,
    AnonymousBodies.layer,
    ApprovedCalls.layer,
    AttemptLimits.layer,
    AuthorizationServer.layer,
    Capacity.layer,
    ClientDocuments.layer,
    Clients.layer,
    ConnectMethods.layer,
    ErrorResponsesLayer,
    Grants.layer,
    ManagedConnectLinks.layer,
    MeteredCalls,
    OAuthClients.layer,
    OAuthTokens.layer,
    RateLimit.layer,
    UndoCalls.layer,
    VisitorShareLayer
  ])
)
