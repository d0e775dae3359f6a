import { Layer } from "effect"
import { Links } from "./Links.ts"
import { OidcSignIn } from "./Oidc/OidcSignIn.ts"
import { Passkeys } from "./Passkeys/Passkeys.ts"
import { WebAuthn } from "./Passkeys/WebAuthn.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

/** How members sign in. */
export const SignInServices = Layer.mergeAll(
  Links.layer,
  OidcSignIn.layer,
  Passkeys.layer,
  Sessions.layer,
  SignIn.layer,
  WebAuthn.layer
)
