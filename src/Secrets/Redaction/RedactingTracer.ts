import { Effect, Exit, Layer, Tracer } from "effect"
import { redactCause } from "./RedactingLogger.ts"
import { redactText } from "./Redaction.ts"

const redactSpan = (span: Tracer.Span): Tracer.Span => {
  const end = span.end.bind(span)
  span.end = (endTime, exit) => {
    for (const [key, value] of span.attributes) {
      if (typeof value === "string") span.attribute(key, redactText(value))
    }
    end(endTime, Exit.isFailure(exit) ? Exit.failCause(redactCause(exit.cause)) : exit)
  }
  return span
}

export const RedactingTracer = Layer.effect(
  Tracer.Tracer,
  Effect.map(
    Effect.service(Tracer.Tracer),
    (tracer) => Tracer.make({ ...tracer, span: (options) => redactSpan(tracer.span(options)) })
  )
)
