import { Layer } from "effect"
import { AgentTools } from "../Calls/AgentTools/AgentTools.ts"
import { MeteredCalls } from "../Calls/MeteredCalls.ts"
import { UndoCalls } from "../Calls/Undo/UndoCalls.ts"
import { AttemptLimits } from "../Capacity/AttemptLimits.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import { HealthWatch } from "../Connections/Health/HealthWatch.ts"
import { Links } from "../Features/SignIn/Links.ts"
import { OidcSignIn } from "../Features/SignIn/Oidc/OidcSignIn.ts"
import { Passkeys } from "../Features/SignIn/Passkeys/Passkeys.ts"
import { WebAuthn } from "../Features/SignIn/Passkeys/WebAuthn.ts"
import { Sessions } from "../Features/SignIn/Sessions.ts"
import { SignIn } from "../Features/SignIn/SignIn.ts"
import { ManagementServices } from "../Management/ManagementServices.ts"
import { AnonymousBodies } from "./Server/AnonymousBodies.ts"

/** How members sign in. */
export const MemberSignIn = Layer.mergeAll(
  AttemptLimits.layer,
  Links.layer,
  OidcSignIn.layer,
  Passkeys.layer,
  Sessions.layer,
  SignIn.layer,
  WebAuthn.layer
)

/** The services behind the handlers, and their work in the background. */
export const HttpServices = Layer.mergeAll(
  AgentTools.layer,
  AnonymousBodies.layer,
  HealthWatch.layer,
  ManagementServices,
  MeteredCalls,
  RateLimit.layer,
  UndoCalls.layer
)
