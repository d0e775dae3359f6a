import { Layer } from "effect"
import { MeteredCalls } from "../Calls/MeteredCalls.ts"
import { KeptResults } from "../Calls/Results/Kept/KeptResults.ts"
import { ResultAccess } from "../Calls/Results/Kept/ResultAccess.ts"
import { ResultQueries } from "../Calls/Results/Query/ResultQueries.ts"
import { UndoCalls } from "../Calls/Undo/UndoCalls.ts"
import { AttemptLimits } from "../Capacity/AttemptLimits.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import { HealthWatch } from "../Connections/Health/HealthWatch.ts"
import { ManagementServices } from "../Management/ManagementServices.ts"
import { Links } from "../Members/Links.ts"
import { OidcSignIn } from "../Members/OidcSignIn.ts"
import { Passkeys } from "../Members/Passkeys.ts"
import { Sessions } from "../Members/Sessions.ts"
import { SignIn } from "../Members/SignIn.ts"
import { WebAuthn } from "../Members/WebAuthn.ts"
import { Deliverer } from "../Webhooks/Deliverer.ts"
import { Webhooks } from "../Webhooks/Webhooks.ts"
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
  AnonymousBodies.layer,
  Deliverer.layer,
  HealthWatch.layer,
  KeptResults.layer,
  ManagementServices,
  MeteredCalls,
  RateLimit.layer,
  ResultAccess.layer,
  ResultQueries.layer,
  UndoCalls.layer,
  Webhooks.layer
)
