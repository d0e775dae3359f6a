import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { GoogleSetupApi, GoogleSetupGroup } from "./Contract.ts"
import { GoogleChecks } from "./GoogleChecks.ts"
import { GoogleSetupHandlers } from "./Handlers.ts"
import { createGoogleRefusals } from "./Migration.ts"
import { nameCheck } from "./NameCheck.ts"
import { SignInRefusals } from "./SignInRefusals.ts"

/** Guides an operator through the project at Google, and names what is wrong there. */
export const googleSetup: Feature = {
  name: "google_setup",
  layer: HttpApiBuilder.layer(GoogleSetupApi).pipe(
    Layer.provide(GoogleSetupHandlers),
    Layer.provide(GoogleChecks.layer),
    Layer.provide(SignInRefusals.layer),
    Layer.merge(nameCheck)
  ),
  owns: {
    groups: [GoogleSetupGroup],
    migrations: { "0016_create_google_refusals": createGoogleRefusals }
  }
}
