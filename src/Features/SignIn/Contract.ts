import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { apiError } from "../../Api/ApiError.ts"
import { ManagerRequired, SameOriginOnly, SessionRequired } from "../../Api/Authentication.ts"
import { RateLimited, Unauthenticated } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { MemberNotFound } from "../../Api/ManagementErrors.ts"
import { AnonymousJsonBody, JsonRequestBody, MaxBodyBytes, maxSmallBodyBytes } from "../../Api/Middleware.ts"
import { Created, operation } from "../../Api/Responses.ts"
import { Member } from "../../Domain/Member.ts"
import { Session, SignInMethod } from "../../Domain/Session.ts"
import { Password } from "../../Domain/SignIn/Password.ts"
import { Lookup, Name, storable } from "../../Domain/Validation/Fields.ts"
import { Link, LinkToken } from "./Link.ts"
import { OidcGroup } from "./Oidc/Contract.ts"
import { PasskeysGroup, PasskeySignInGroup } from "./Passkeys/Contract.ts"
import { SignedIn } from "./SignedIn.ts"

export class SessionNotFound extends apiError("SessionNotFound", {
  code: "session_not_found",
  status: 404,
  when: "The member has no session with that id"
}) {}

export class SignInGroup extends group("signIn", { title: "Signing in", listener: "both" })
  .add(
    HttpApiEndpoint.get("methods", "/methods", {
      success: Schema.Struct({
        methods: Schema.Array(SignInMethod).annotate({
          description: "`passkey` where browsers allow passkeys for `BASE_URL`, `oidc` where it is configured."
        })
      })
    }).annotateMerge(operation("listSignInMethods", "List the ways to sign in here")),
    HttpApiEndpoint.post("link", "/link", {
      payload: LinkToken,
      success: SignedIn,
      error: [Unauthenticated.schema, RateLimited.schema]
    }).middleware(AnonymousJsonBody).annotateMerge(
      operation("openLink", "Exchange a link for a session. Works once; a setup link also takes an e-mail address", {
        token: "oal_…"
      })
    ),
    HttpApiEndpoint.post("password", "/sign-in", {
      payload: Schema.Struct({
        email: Schema.String.check(
          Schema.isMaxLength(320, { message: "Must have at most 320 characters" }),
          storable
        ),
        password: Password
      }),
      success: SignedIn,
      error: [Unauthenticated.schema, RateLimited.schema]
    }).middleware(AnonymousJsonBody).annotateMerge(
      operation("signIn", "Sign in with a password", { email: "ada@example.com", password: "three quiet harbours" })
    )
  )
  .middleware(SameOriginOnly)
  .prefix("/auth")
{}

export class SessionGroup extends group("session", { title: "Session", listener: "both" })
  .add(
    HttpApiEndpoint.get("get", "/session", {
      success: Schema.Struct({
        member: Member,
        methods: Schema.Array(SignInMethod).annotate({ description: "The ways in which the member can sign in." })
      })
    }).annotateMerge(operation("getSession", "Get the signed-in member")),
    HttpApiEndpoint.patch("rename", "/session", {
      payload: Schema.Struct({ name: Schema.NullOr(Name) }),
      success: SignedIn
    }).middleware(JsonRequestBody).annotateMerge(
      operation("renameMember", "Change the name of the signed-in member", { name: "Ada" })
    ),
    HttpApiEndpoint.put("setPassword", "/password", {
      payload: Schema.Struct({
        password: Password.pipe(
          Schema.annotateEncoded({ description: "At least 12 characters, and none of the most common passwords." })
        ),
        current_password: Password.pipe(
          Schema.annotateEncoded({
            description: "Required where there is one, but not in a session that began with a link."
          }),
          Schema.optionalKey
        )
      }),
      success: HttpApiSchema.NoContent,
      error: RateLimited.schema
    }).middleware(JsonRequestBody).annotateMerge(
      operation("setPassword", "Set a password. The member's other sessions end", { password: "three quiet harbours" })
    ),
    HttpApiEndpoint.post("signOut", "/sign-out", { success: HttpApiSchema.NoContent })
      .annotateMerge(operation("signOut", "End this session")),
    HttpApiEndpoint.get("list", "/sessions", { success: Schema.Struct({ sessions: Schema.Array(Session) }) })
      .annotateMerge(operation("listSessions", "List the member's sessions, newest first")),
    HttpApiEndpoint.delete("end", "/sessions/:id", {
      params: { id: Lookup },
      success: HttpApiSchema.NoContent,
      error: SessionNotFound.schema
    }).annotateMerge(operation("endSession", "End a session of the member")),
    HttpApiEndpoint.delete("endOthers", "/sessions", { success: HttpApiSchema.NoContent })
      .annotateMerge(operation("endOtherSessions", "End all sessions of the member but this one"))
  )
  .middleware(SessionRequired)
  .prefix("/auth")
  .annotateEndpoints(MaxBodyBytes, maxSmallBodyBytes)
{}

export class MemberLinksGroup extends group("memberLinks", { title: "Management: sign-in links", listener: "admin" })
  .add(
    HttpApiEndpoint.post("create", "/:id/links", {
      params: { id: Lookup },
      success: Link.pipe(Created),
      error: MemberNotFound.schema
    })
      .annotateMerge(
        operation("createMemberLink", "Create a link that signs the member in once, as an invitation or a recovery")
      )
      .annotate(
        OpenApi.Description,
        "The member sets a password with it. It works for 7 days and replaces an earlier link."
      )
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/members")
{}

export const signInGroups = [
  SignInGroup,
  SessionGroup,
  PasskeySignInGroup,
  PasskeysGroup,
  OidcGroup,
  MemberLinksGroup
] as const

export class SignInApi extends served(signInGroups) {}
