import { Effect, Exit, Layer, References, Tracer } from "effect"
import { redactText } from "../Redaction/Redaction.ts"
import { redactCause } from "./LogFormat.ts"

/** A caller may have put a secret where none belongs, such as the path of a request; a failure may hold one. */
const discreet = (span: Tracer.Span): Tracer.Span => {
  const end = span.end.bind(span)
  span.end = (endTime, exit) => {
    for (const [key, value] of span.attributes) {
      if (typeof value === "string") span.attribute(key, redactText(value))
    }
    end(endTime, Exit.isFailure(exit) ? Exit.failCause(redactCause(exit.cause)) : exit)
  }
  return span
}

/** The tracer that there is, made discreet. */
export const RedactingTracer = Layer.effect(
  Tracer.Tracer,
  Effect.map(
    Effect.service(Tracer.Tracer),
    (tracer) => Tracer.make({ ...tracer, span: (options) => discreet(tracer.span(options)) })
  )
)

/** A span around an effect. Where nothing is exported there is none: even one that leads nowhere takes its time. */
export const withSpan = <A, E, R>(effect: Effect.Effect<A, E, R>, name: string, options: Tracer.SpanOptionsNoTrace) =>
  Effect.flatMap(
    References.TracerEnabled,
    (enabled): Effect.Effect<A, E, R> =>
      enabled ? Effect.withSpan(effect, name, { ...options, captureStackTrace: false }) : effect
  )
