import { Config, Effect, Option, type PlatformError, Predicate, type Sink, Stdio, Stream } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { styleText } from "node:util"
import { CommandFailed } from "./ExitCode.ts"

export const jsonFlag = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON, for scripts"),
    Flag.withDefault(false)
  )
})

export type Style = Readonly<Record<Tone, (text: string) => string>>
export type Tone = "bold" | "dim" | "good" | "warn" | "bad"

const styleOf = Effect.fnUntraced(function*(output: "stdoutIsTerminal" | "stderrIsTerminal") {
  const stdio = yield* Stdio.Stdio
  const noColor = yield* Config.option(Config.NonEmptyString("NO_COLOR"))
  const colored = (yield* stdio[output]) && Option.isNone(noColor)
  const tone = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    colored ? styleText(format, text, { validateStream: false }) : text
  return {
    bold: tone("bold"),
    dim: tone("dim"),
    good: tone("green"),
    warn: tone("yellow"),
    bad: tone("red")
  } satisfies Style
})

/** Replaces characters that move the cursor, change colours or reverse the writing direction. */
export const sanitize = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => character === "\n" ? character : "\uFFFD"
  )

export const formatJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const write = (text: string, to: Sink.Sink<void, string, never, PlatformError.PlatformError>) =>
  Stream.run(Stream.succeed(text), to).pipe(
    Effect.catch((error) => isClosedPipe(error) ? Effect.interrupt : reportUnwritten(error))
  )

/** Such as a full disk. */
const reportUnwritten = Effect.fnUntraced(function*({ message, reason }: PlatformError.PlatformError) {
  const stdio = yield* Stdio.Stdio
  const text = `Error: The output is not complete: ${reason.cause instanceof Error ? reason.cause.message : message}\n`
  yield* Effect.ignore(Stream.run(Stream.succeed(text), stdio.stderr()))
  return yield* new CommandFailed({ exit: "incomplete" })
})

const isClosedPipe = ({ reason: { cause } }: PlatformError.PlatformError): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "EPIPE"

export const printText = (text: string) => Effect.flatMap(Stdio.Stdio, (stdio) => write(`${text}\n`, stdio.stdout()))

/** Text of a provider: as it is in a file or pipe, without control characters on a terminal. */
export const printData = Effect.fnUntraced(function*(text: string) {
  const stdio = yield* Stdio.Stdio
  yield* write((yield* stdio.stdoutIsTerminal) ? sanitize(text.replaceAll("\r\n", "\n")) : text, stdio.stdout())
})

/** Text as it arrives, without control characters on a terminal. */
export const printStream = Effect.fnUntraced(function*<E>(text: Stream.Stream<string, E>) {
  const stdio = yield* Stdio.Stdio
  const isTerminal = yield* stdio.stdoutIsTerminal
  return yield* Stream.runForEach(
    text,
    (part) => write(isTerminal ? sanitize(part.replaceAll("\r\n", "\n")) : part, stdio.stdout())
  )
})

const errorLine = (text: string) => Effect.flatMap(Stdio.Stdio, (stdio) => write(`${text}\n`, stdio.stderr()))

export const print = Effect.fnUntraced(function*(json: unknown, human: (style: Style) => string) {
  yield* printText((yield* jsonFlag) ? formatJson(json, 2) : human(yield* styleOf("stdoutIsTerminal")))
})

export const printLines = Effect.fnUntraced(function*(json: ReadonlyArray<unknown>, human: (style: Style) => string) {
  if (!(yield* jsonFlag)) return yield* printText(human(yield* styleOf("stdoutIsTerminal")))
  if (json.length > 0) yield* printText(json.map((each) => formatJson(each)).join("\n"))
})

export const printError = (text: (style: Style) => string) =>
  Effect.flatMap(styleOf("stderrIsTerminal"), (style) => errorLine(text(style)))

export const printNote = Effect.fnUntraced(function*(text: string) {
  if (!(yield* jsonFlag)) yield* printError(({ dim }) => dim(text))
})

export const printProgress = Effect.fnUntraced(function*(text: string) {
  const stdio = yield* Stdio.Stdio
  if (yield* stdio.stderrIsTerminal) yield* write(`\r\x1b[2K${text}`, stdio.stderr())
})
