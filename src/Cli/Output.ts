import { Config, Effect, Option, type PlatformError, Predicate, type Sink, Stdio, Stream } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { styleText } from "node:util"

export const asJson = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON, for scripts"),
    Flag.withDefault(false)
  )
})

/** How text looks on a terminal; as it is anywhere else. */
export type Style = Readonly<Record<Tone, (text: string) => string>>
export type Tone = "bold" | "dim" | "good" | "warn" | "bad"

const style = Effect.gen(function*() {
  const stdio = yield* Stdio.Stdio
  const noColor = yield* Config.option(Config.NonEmptyString("NO_COLOR"))
  const colored = (yield* stdio.stdoutIsTerminal) && Option.isNone(noColor)
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

/** Somebody else's text, such as a label, without what would move the cursor or change what stands beside it. */
export const legible = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => character === "\n" ? character : "\uFFFD"
  )

/** JSON without what would move a terminal's cursor or change what stands beside it, and without a loss. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const write = (text: string, to: Sink.Sink<void, string, never, PlatformError.PlatformError>) =>
  Stream.run(Stream.succeed(text), to).pipe(
    Effect.catch((error) => isClosedPipe(error) ? Effect.interrupt : Effect.die(error))
  )

/** Nobody reads on, as in `oa logs --follow | head`. */
const isClosedPipe = ({ reason: { cause } }: PlatformError.PlatformError): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "EPIPE"

export const printText = (text: string) => Effect.flatMap(Stdio.Stdio, (stdio) => write(`${text}\n`, stdio.stdout()))

const errorLine = (text: string) => Effect.flatMap(Stdio.Stdio, (stdio) => write(`${text}\n`, stdio.stderr()))

/** The result: as JSON when asked for, otherwise as people read it. */
export const print = Effect.fnUntraced(function*(json: unknown, human: (style: Style) => string) {
  yield* printText((yield* asJson) ? jsonText(json, 2) : human(yield* style))
})

/** Some of a stream of results, a line each as JSON. */
export const printLines = Effect.fnUntraced(function*(json: ReadonlyArray<unknown>, human: (style: Style) => string) {
  if (!(yield* asJson)) return yield* printText(human(yield* style))
  if (json.length > 0) yield* printText(json.map((each) => jsonText(each)).join("\n"))
})

/** To standard error, in either form. */
export const complain = (text: (style: Style) => string) => Effect.flatMap(style, (style) => errorLine(text(style)))

/** Beside the result, for people. */
export const note = Effect.fnUntraced(function*(text: string) {
  if (!(yield* asJson)) yield* complain(({ dim }) => dim(text))
})

/** One line on a terminal that says how far long work has come, written over itself. */
export const progress = Effect.fnUntraced(function*(text: string) {
  const stdio = yield* Stdio.Stdio
  if (yield* stdio.stdoutIsTerminal) yield* write(`\r\x1b[2K${text}`, stdio.stderr())
})
