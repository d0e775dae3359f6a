import { Array, Cause, Effect, Layer, Logger, Predicate, References } from "effect"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { redactJson, redactText } from "./Redaction.ts"

export const redactCause = (cause: Cause.Cause<unknown>): Cause.Cause<unknown> => {
  const text = Cause.pretty(cause)
  const redacted = redactText(text)
  if (redacted === text) return cause
  const [, name = "Error", message = redacted] = /^(\w+): ([\s\S]*)$/.exec(redacted) ?? []
  return Cause.die({ name, message })
}

const noCall = CurrentCallId.defaultValue()

/**
 * Also moves logged errors to the cause and adds the `call_id`. Log lines are rare, so looking the id up here costs
 * less than annotating every request.
 */
export const redactingLogger = <Output>(logger: Logger.Logger<unknown, Output>): Logger.Logger<unknown, Output> =>
  Logger.make(({ cause, fiber, message, ...line }) => {
    const parts = Array.ensure(message)
    const messages = parts.filter((part) => !Predicate.isError(part)).map(redactJson)
    const errors = Cause.fromReasons(parts.filter(Predicate.isError).map(Cause.makeFailReason))
    const options = {
      ...line,
      message: messages.length === 1 ? messages[0] : messages,
      cause: redactCause(Cause.combine(cause, errors))
    }
    const call_id = fiber.getRef(CurrentCallId)
    if (call_id === noCall) return logger.log({ ...options, fiber })
    const annotations = { call_id, ...fiber.getRef(References.CurrentLogAnnotations) }
    return Effect.withFiber((annotated) => Effect.sync(() => logger.log({ ...options, fiber: annotated }))).pipe(
      Effect.provideService(References.CurrentLogAnnotations, annotations),
      Effect.runSyncWith(fiber.context)
    )
  })

export const RedactingLoggers = Layer.effect(
  Logger.CurrentLoggers,
  Effect.map(Effect.service(Logger.CurrentLoggers), (loggers) => new Set([...loggers].map(redactingLogger)))
)
