import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { SessionRequired } from "../../../Api/Authentication.ts"
import { Forbidden, RateLimited, Unauthenticated } from "../../../Api/Errors.ts"
import { UpstreamUnreachable } from "../../../Api/Errors/ProviderErrors.ts"
import { RouteNotFound } from "../../../Api/Errors/RequestErrors.ts"
import { group } from "../../../Api/Group.ts"
import { operation } from "../../../Api/Responses.ts"

const Redirect = HttpApiSchema.Empty(302)

const errors = [Unauthenticated.schema, Forbidden.schema, RouteNotFound.schema, UpstreamUnreachable.schema] as const

/** Browsers get pages. */
export class MemberSignInErrorPages extends HttpApiMiddleware.Service<MemberSignInErrorPages>()(
  "openaccounts/Features/SignIn/Oidc/MemberSignInErrorPages"
) {}

export class OidcGroup extends group("oidc", { title: "Signing in with OpenID", listener: "both" })
  .add(
    HttpApiEndpoint.get("start", "/", { success: Redirect, error: [...errors, RateLimited.schema] })
      .middleware(MemberSignInErrorPages)
      .annotateMerge(
        operation(
          "startOidc",
          "Redirect a browser to the OpenID provider. From the service's own pages and in a session that began with a " +
            "link or within 15 minutes, the account will be bound to the member"
        )
      ),
    // No `query`: the OpenID library in the handler reads it.
    HttpApiEndpoint.get("callback", "/callback", {
      success: Redirect,
      error: errors
    })
      .middleware(MemberSignInErrorPages)
      .annotateMerge(
        operation(
          "finishOidc",
          "Redirect URI of OpenID sign-ins. Leads to the dashboard; a browser gets pages for errors"
        )
      ),
    HttpApiEndpoint.delete("unbind", "/", { success: HttpApiSchema.NoContent, error: RouteNotFound.schema })
      .middleware(SessionRequired)
      .annotateMerge(operation("unbindOidc", "Unbind the member from its accounts at the OpenID provider"))
  )
  .prefix("/auth/oidc")
{}
