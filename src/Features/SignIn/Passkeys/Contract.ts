import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { apiError } from "../../../Api/ApiError.ts"
import { SameOriginOnly, SessionRequired } from "../../../Api/Authentication.ts"
import { RateLimited, Unauthenticated } from "../../../Api/Errors.ts"
import { group } from "../../../Api/Group.ts"
import { AnonymousJsonBody, JsonRequestBody, MaxBodyBytes, maxSmallBodyBytes } from "../../../Api/Middleware.ts"
import { Created, operation } from "../../../Api/Responses.ts"
import {
  AuthenticationOptions,
  AuthenticationResponse,
  Passkey,
  RegistrationOptions,
  RegistrationResponse
} from "../../../Domain/SignIn/Passkey.ts"
import { Password } from "../../../Domain/SignIn/Password.ts"
import { Lookup, Name } from "../../../Domain/Validation/Fields.ts"
import { SignedIn } from "../SignedIn.ts"

export class PasskeyNotFound extends apiError("PasskeyNotFound", {
  code: "passkey_not_found",
  status: 404,
  when: "The member has no passkey with that id"
}) {}

/** Not strict: browsers add fields to their responses. */
const ofBrowsers = { errors: "all" } as const

const clientDataJSON = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0"

export class PasskeySignInGroup extends group("passkeySignIn", { title: "Signing in with passkeys", listener: "both" })
  .add(
    HttpApiEndpoint.post("options", "/authentication", {
      success: Schema.Struct({ options: AuthenticationOptions }),
      error: RateLimited.schema
    }).annotateMerge(operation("startPasskeySignIn", "Start a sign-in with a passkey, within 5 minutes")),
    HttpApiEndpoint.post("signIn", "/sign-in", {
      payload: Schema.Struct({ response: AuthenticationResponse }),
      success: SignedIn,
      error: [Unauthenticated.schema, RateLimited.schema]
    })
      .middleware(AnonymousJsonBody)
      .annotate(HttpApi.ParseOptions, ofBrowsers)
      .annotateMerge(
        operation("signInWithPasskey", "Sign in with a passkey, in the browser that started", {
          response: {
            id: "cGFzc2tleQ",
            rawId: "cGFzc2tleQ",
            type: "public-key",
            response: { clientDataJSON, authenticatorData: "AA", signature: "AA" }
          }
        })
      )
  )
  .middleware(SameOriginOnly)
  .prefix("/auth/passkeys")
{}

export class PasskeysGroup extends group("passkeys", { title: "Passkeys", listener: "both" })
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ passkeys: Schema.Array(Passkey) }) })
      .annotateMerge(operation("listPasskeys", "List the member's passkeys, oldest first")),
    HttpApiEndpoint.post("options", "/registration", {
      payload: Schema.Struct({
        current_password: Password.pipe(
          Schema.annotateEncoded({
            description: "Required where there is one, but not in a session that began with a link. A member without " +
              "a password must have signed in within the last 15 minutes."
          }),
          Schema.optionalKey
        )
      }),
      success: Schema.Struct({ options: RegistrationOptions }),
      error: RateLimited.schema
    }).middleware(JsonRequestBody).annotateMerge(
      operation("startPasskey", "Start to add a passkey, within 5 minutes", {
        current_password: "three quiet harbours"
      })
    ),
    HttpApiEndpoint.post("add", "/", {
      payload: Schema.Struct({ name: Name, response: RegistrationResponse }),
      success: Created(Passkey)
    })
      .middleware(JsonRequestBody)
      .annotate(HttpApi.ParseOptions, ofBrowsers)
      .annotateMerge(
        operation("addPasskey", "Add a passkey, in the session that started", {
          name: "Laptop",
          response: {
            id: "cGFzc2tleQ",
            rawId: "cGFzc2tleQ",
            type: "public-key",
            response: { clientDataJSON, attestationObject: "AA" }
          }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id: Lookup },
      success: HttpApiSchema.NoContent,
      error: PasskeyNotFound.schema
    }).annotateMerge(operation("removePasskey", "Remove a passkey of the member"))
  )
  .middleware(SessionRequired)
  .prefix("/auth/passkeys")
  .annotateEndpoints(MaxBodyBytes, maxSmallBodyBytes)
{}
