import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { SignInApi, signInGroups } from "./Contract.ts"
import { MemberLinksHandlers, SignInHandlers } from "./Handlers.ts"
import { MemberSignInErrorPagesLayer } from "./Oidc/ErrorPages.ts"
import { OidcHandlers } from "./Oidc/Handlers.ts"
import { PasskeysHandlers, PasskeySignInHandlers } from "./Passkeys/Handlers.ts"
import { SignInServices } from "./Services.ts"
import { SessionHandlers } from "./SessionHandlers.ts"
import { oidcSettings } from "./Settings.ts"
import { SetupLink } from "./SetupLink.ts"

const Handlers = Layer.mergeAll(
  SignInHandlers,
  SessionHandlers,
  PasskeySignInHandlers,
  PasskeysHandlers,
  OidcHandlers,
  MemberLinksHandlers
)

/** Members sign in with passwords, passkeys, links or at an OpenID provider. */
export const signIn: Feature = {
  name: "sign_in",
  layer: Layer.merge(
    HttpApiBuilder.layer(SignInApi).pipe(Layer.provide(Handlers), Layer.provide(MemberSignInErrorPagesLayer)),
    SetupLink
  ).pipe(Layer.provide(SignInServices)),
  owns: { groups: signInGroups, settings: [oidcSettings] }
}
