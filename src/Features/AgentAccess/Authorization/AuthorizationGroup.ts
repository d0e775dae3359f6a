import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Forbidden } from "../../../Api/Errors.ts"
import { InvalidHttp, PayloadTooLarge, RequestTimeout } from "../../../Api/Errors/RequestErrors.ts"
import { Listener } from "../../../Api/Listener.ts"
import { VisitorShare } from "../../../Api/Middleware.ts"

export const paths = {
  serverMetadata: "/.well-known/oauth-authorization-server",
  resourceMetadata: "/.well-known/oauth-protected-resource",
  mcpMetadata: "/.well-known/oauth-protected-resource/mcp",
  authorize: "/oauth/authorize",
  consent: "/oauth/consent",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke"
} as const

const bodyErrors = [PayloadTooLarge.schema, RequestTimeout.schema, InvalidHttp.schema] as const

const ofMember = { params: { uid: Schema.String }, error: [Forbidden.schema, ...bodyErrors] as const }

const withBody = { error: bodyErrors }

/** The pages need a session, which belongs to the dashboard's address. Agents in browsers send preflight requests. */
export class AuthorizationGroup extends HttpApiGroup.make("authorization")
  .add(
    HttpApiEndpoint.get("authorize", paths.authorize, { error: Forbidden.schema }),
    HttpApiEndpoint.get("resume", `${paths.authorize}/:uid`, ofMember),
    HttpApiEndpoint.get("consent", `${paths.consent}/:uid`, ofMember),
    HttpApiEndpoint.post("decide", `${paths.consent}/:uid`, ofMember)
  )
  .annotateEndpoints(Listener, "both")
  .middleware(VisitorShare)
  .add(
    HttpApiEndpoint.get("serverMetadata", paths.serverMetadata),
    HttpApiEndpoint.options("serverMetadataPreflight", paths.serverMetadata),
    HttpApiEndpoint.get("resourceMetadata", paths.resourceMetadata),
    HttpApiEndpoint.options("resourceMetadataPreflight", paths.resourceMetadata),
    HttpApiEndpoint.get("mcpMetadata", paths.mcpMetadata),
    HttpApiEndpoint.options("mcpMetadataPreflight", paths.mcpMetadata),
    HttpApiEndpoint.post("token", paths.token, withBody),
    HttpApiEndpoint.options("tokenPreflight", paths.token),
    HttpApiEndpoint.post("register", paths.register, withBody),
    HttpApiEndpoint.options("registerPreflight", paths.register),
    HttpApiEndpoint.post("revoke", paths.revoke, withBody),
    HttpApiEndpoint.options("revokePreflight", paths.revoke)
  )
  .annotate(OpenApi.Exclude, true)
{}
