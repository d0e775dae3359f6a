import { Context, Layer } from "effect"
import { CallSteps } from "../Calls/Steps.ts"
import type { CallCore } from "../Core.ts"
import { SendSteps } from "../Providers/Sending/SendSteps.ts"
import { type Feature, FeatureCall, FeatureSend, type StartError } from "./Feature.ts"

/** Builds the steps one after the other. */
const collect = <I, S, All>(
  all: Context.Key<All, ReadonlyArray<S>>,
  key: Context.Key<I, S>,
  [first, ...others]: ReadonlyArray<Layer.Layer<I, StartError, CallCore>>,
  found: ReadonlyArray<S> = []
): Layer.Layer<All, StartError, CallCore> =>
  first === undefined
    ? Layer.succeed(all, found)
    : Layer.flatMap(first, (built) => collect(all, key, others, [...found, Context.get(built, key)]))

/** The steps around calls, in the order of the features. The first is the outermost. */
export const callSteps = (features: ReadonlyArray<Feature>) =>
  collect(CallSteps, FeatureCall, features.flatMap(({ call }) => call ?? []))

/** The steps around requests, in the order of the features. The first is the outermost. */
export const sendSteps = (features: ReadonlyArray<Feature>) =>
  collect(
    SendSteps,
    FeatureSend,
    features.flatMap(({ send }) => send ?? [])
  )
