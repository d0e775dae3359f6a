import { Effect, Exit, Layer, Tracer } from "effect"
import { redactText } from "../Calls/Redaction.ts"
import { withoutSecrets } from "./LogLines.ts"

/** A caller may have put a secret where none belongs, such as the path of a request; a failure may hold one. */
const discreet = (span: Tracer.Span): Tracer.Span => {
  const end = span.end.bind(span)
  span.end = (endTime, exit) => {
    for (const [key, value] of span.attributes) {
      if (typeof value === "string") span.attribute(key, redactText(value))
    }
    end(endTime, Exit.isFailure(exit) ? Exit.failCause(withoutSecrets(exit.cause)) : exit)
  }
  return span
}

/** The tracer that there is, made discreet. */
export const DiscreetSpans = Layer.effect(
  Tracer.Tracer,
  Effect.map(
    Effect.service(Tracer.Tracer),
    (tracer) => Tracer.make({ ...tracer, span: (options) => discreet(tracer.span(options)) })
  )
)
