import { Context, type Layer } from "effect"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { CallStep } from "../Calls/Steps.ts"
import type { CallCore, Core, Storage } from "../Core.ts"
import type { SendStep } from "../Providers/Sending/SendSteps.ts"
import type { StoredSecrets } from "../Secrets/StoredSecrets.ts"
import type { DoctorCheck, StartSettings } from "../Settings.ts"
import type { Migrations } from "../Sql/Migrations.ts"

/** A capability that a service can leave out. Nothing in the core knows it. */
export interface Feature {
  /** The name in `FEATURES_OFF`. */
  readonly name: string
  /** The names of the features that it needs. */
  readonly needs?: ReadonlyArray<string>
  /** Its routes, and its work in the background. */
  readonly layer: Layer.Layer<never, StartError, Core>
  /** The step around each call. Steps are in the order of the features. */
  readonly call?: Layer.Layer<FeatureCall, StartError, CallCore>
  /** The step around each request that a call sends to the provider. */
  readonly send?: Layer.Layer<FeatureSend, StartError, CallCore>
  readonly owns?: Owned
}

export class FeatureCall extends Context.Service<FeatureCall, CallStep>()("openaccounts/Features/FeatureCall") {}

export class FeatureSend extends Context.Service<FeatureSend, SendStep>()("openaccounts/Features/FeatureSend") {}

/** What the core takes from a feature. */
export interface Owned {
  /** Built before the services of the core, so that it can hear their events or replace one of them. */
  readonly storage?: Layer.Layer<never, StartError, Layer.Success<typeof Storage>>
  /** Its routes, for the OpenAPI document. */
  readonly groups?: ReadonlyArray<HttpApiGroup.Constraint>
  readonly migrations?: Migrations
  /** Its data that the `Vault` encrypts. */
  readonly secrets?: ReadonlyArray<StoredSecrets>
  /** What it reads of the settings at the start. `oa doctor` reads them too. */
  readonly settings?: ReadonlyArray<StartSettings>
  /** The start warns of those that are set while the feature is off. */
  readonly settingNames?: ReadonlyArray<string>
  /** Further checks of `oa doctor`. */
  readonly checks?: ReadonlyArray<DoctorCheck>
}

/** Ends the start of the service. People read the message. */
export interface StartError extends Error {
  readonly _tag: string
}
