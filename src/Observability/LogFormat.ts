import { Array, Cause, Config, Effect, Formatter, Layer, Logger, Predicate, References } from "effect"
import { CurrentCallId } from "../Domain/CurrentCallId.ts"
import { redactJson, redactText } from "../Redaction/Redaction.ts"

const noCall = CurrentCallId.defaultValue()

/** One JSON object a line; annotations such as `call_id` stand beside the message. */
const jsonLine = Logger.map(
  Logger.formatStructured,
  ({ annotations, cause, level, message, timestamp }) =>
    Formatter.formatJson({ timestamp, level, ...annotations, message, cause })
)

const formats = { json: Logger.withConsoleLog(jsonLine), pretty: Logger.consolePretty() }

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

/** `LOG_FORMAT`: for people on a terminal, JSON for everything else. `LOG_LEVEL`: from which level on. */
const settings = Config.all({
  format: Config.Literals(["json", "pretty"], "LOG_FORMAT").pipe(
    Config.withDefault(process.stdout.isTTY ? "pretty" : "json")
  ),
  level: Config.Literals(["trace", "debug", "info", "warn", "error", "fatal", "none"], "LOG_LEVEL").pipe(
    Config.withDefault("info")
  )
})

/** Where lines go, and which. */
export const LogFormat = Layer.unwrap(
  Effect.map(
    settings,
    ({ format, level }) =>
      Layer.merge(Logger.layer([formats[format]]), Layer.succeed(References.MinimumLogLevel, levels[level]))
  )
)

/** A cause that looks like it holds a secret is told by its text, without the secret. */
export const redactCause = (cause: Cause.Cause<unknown>): Cause.Cause<unknown> => {
  const text = Cause.pretty(cause)
  const told = redactText(text)
  if (told === text) return cause
  const [, name = "Error", message = told] = /^(\w+): ([\s\S]*)$/.exec(told) ?? []
  return Cause.die({ name, message })
}

/**
 * What any logger gets to see of a line: without secrets, an error that was logged beside a message as its cause, and
 * with the `call_id` of the request. The id is looked up here, and not annotated on every request, for lines are rare.
 */
export const redactingLogger = <Output>(logger: Logger.Logger<unknown, Output>): Logger.Logger<unknown, Output> =>
  Logger.make(({ cause, fiber, message, ...line }) => {
    const parts = Array.ensure(message)
    const told = parts.filter((part) => !Predicate.isError(part)).map(redactJson)
    const errors = Cause.fromReasons(parts.filter(Predicate.isError).map(Cause.makeFailReason))
    const options = {
      ...line,
      message: told.length === 1 ? told[0] : told,
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

/** Every logger there is, made discreet. */
export const RedactingLoggers = Layer.effect(
  Logger.CurrentLoggers,
  Effect.map(Effect.service(Logger.CurrentLoggers), (loggers) => new Set([...loggers].map(redactingLogger)))
)
