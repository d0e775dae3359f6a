import { Config, Effect, Formatter, Layer, Logger, References } from "effect"

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

export const logSettings = Config.all({
  format: Config.Literals(["json", "pretty"], "LOG_FORMAT").pipe(
    Config.withDefault(process.stdout.isTTY ? "pretty" : "json")
  ),
  level: Config.Literals(["trace", "debug", "info", "warn", "error", "fatal", "none"], "LOG_LEVEL").pipe(
    Config.withDefault("info")
  )
})

export const LogFormat = Layer.unwrap(
  Effect.map(
    logSettings,
    ({ format, level }) =>
      Layer.merge(Logger.layer([formats[format]]), Layer.succeed(References.MinimumLogLevel, levels[level]))
  )
)
