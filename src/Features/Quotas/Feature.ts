import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { quotaLimits } from "../../Providers/QuotaSettings.ts"
import { providers } from "../../Registrations.ts"
import { type Feature, FeatureSend } from "../Feature.ts"
import { QuotasApi, QuotasGroup } from "./Contract.ts"
import { governed } from "./Governed.ts"
import { QuotasHandlers } from "./Handlers.ts"
import { Quotas } from "./Quotas.ts"

const send = Effect.map(Quotas, (quotas): FeatureSend["Service"] => ({
  name: "quotas",
  of: "calls",
  wrap: ({ caller, recheck }, next) => governed(quotas, next, caller, recheck)
}))

/** Keeps requests within the quotas of providers, and calls within the budgets of keys, agents and members. */
export const quotas: Feature = {
  name: "quotas",
  layer: HttpApiBuilder.layer(QuotasApi).pipe(Layer.provide(QuotasHandlers), Layer.provide(Quotas.layer)),
  send: Layer.effect(FeatureSend, send).pipe(Layer.provide(Quotas.layer)),
  owns: {
    groups: [QuotasGroup],
    settings: [quotaLimits(providers.flatMap(({ quotas = [] }) => quotas))]
  }
}
