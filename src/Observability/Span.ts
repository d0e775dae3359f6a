import { Effect, References, type Tracer } from "effect"

export const withSpan = <A, E, R>(effect: Effect.Effect<A, E, R>, name: string, options: Tracer.SpanOptionsNoTrace) =>
  Effect.flatMap(
    References.TracerEnabled,
    (enabled): Effect.Effect<A, E, R> =>
      enabled ? Effect.withSpan(effect, name, { ...options, captureStackTrace: false }) : effect
  )
