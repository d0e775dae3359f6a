import { Config, Data, Effect } from "effect"
import type { Feature } from "./Feature.ts"

export class FeaturesInvalid extends Data.TaggedError("FeaturesInvalid")<{ readonly message: string }> {}

export const without = (
  features: ReadonlyArray<Feature>,
  ...names: ReadonlyArray<string>
): ReadonlyArray<Feature> => features.filter(({ name }) => !names.includes(name))

/** The names in `FEATURES_OFF`. */
export const featuresOff = Config.String("FEATURES_OFF").pipe(
  Config.withDefault(""),
  Config.map((text) => text.split(",").map((name) => name.trim()).filter((name) => name !== ""))
)

/** The features that are left, without those that `FEATURES_OFF` names. */
export const configuredFeatures = Effect.fnUntraced(function*(features: ReadonlyArray<Feature>) {
  const off = yield* featuresOff
  const known = features.map(({ name }) => name)
  const unknown = off.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return yield* new FeaturesInvalid({
      message: `FEATURES_OFF names "${unknown}", which is no feature. The features are ${known.join(", ")}.`
    })
  }
  const on = features.filter(({ name }) => !off.includes(name))
  const names = on.map(({ name }) => name)
  for (const { name, needs = [] } of on) {
    const missing = needs.find((need) => !names.includes(need))
    if (missing !== undefined) {
      return yield* new FeaturesInvalid({
        message:
          `The feature "${name}" needs "${missing}", which is off. Add ${name} to FEATURES_OFF, or take ${missing} out.`
      })
    }
  }
  return on
})

/** `configuredFeatures` for the start, with a warning of settings that are ignored. */
export const servedFeatures = Effect.fnUntraced(function*(features: ReadonlyArray<Feature>) {
  const on = yield* configuredFeatures(features)
  for (const { name, owns } of features.filter((feature) => !on.includes(feature))) {
    for (const setting of owns?.settingNames ?? []) {
      if (!(yield* Effect.isSuccess(Config.NonEmptyString(setting)))) continue
      yield* Effect.logWarning(`${setting} is ignored, because FEATURES_OFF names ${name}`)
    }
  }
  return on
})
