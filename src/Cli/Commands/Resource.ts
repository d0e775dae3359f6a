import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { PageRequest } from "../../Domain/Page.ts"
import { adminApi, adminFlags } from "../ApiClient.ts"
import { type CommandError, reportFailure } from "../Failure.ts"
import { decodeChange, decodeFlags } from "../Input.ts"
import { idArgument, pageFlags, printList, printRecord } from "../Lists.ts"
import { print, printNote, type Style } from "../Output.ts"
import { type Column, record } from "../Table.ts"

interface About {
  readonly description: string
  readonly examples?: ReadonlyArray<Command.Command.Example>
}

type Infer<Flags extends Command.Command.Config> = Command.Command.Config.InferValue<Flags>

type Admin = Effect.Success<typeof adminApi>

interface OfOne {
  readonly params: { readonly id: string }
}

/** Fields of a payload, by name. An option that is none is left out. */
type Fields = Readonly<Record<string, unknown>>

const PageQuery = Schema.Struct(PageRequest)

const command = <const Flags extends Command.Command.Config, A, E extends CommandError, R>(
  name: string,
  flags: Flags,
  { description, examples = [] }: About,
  run: (input: Command.Command.Config.Infer<Flags>) => Effect.Effect<A, E, R>
) =>
  Command.make(name, flags, (input) => reportFailure(run(input))).pipe(
    Command.withDescription(description),
    Command.withExamples(examples)
  )

export const accessColumn: Column<{ readonly access: string }> = {
  head: "access",
  value: ({ access }) => access,
  tone: ({ access }) => access === "read_write" ? "warn" : undefined
}

/** `null` is every one. */
export const idsText = (ids: ReadonlyArray<string> | null): string =>
  ids === null ? "all" : ids.length === 0 ? "none" : ids.join("\n")

/** Commands for a resource of the management API. Those that change one take its id, and print its new state. */
export const resource = <Row>({ columns, detail = columns, many, one }: {
  readonly one: string
  readonly many: string
  readonly columns: ReadonlyArray<Column<Row>>
  /** The columns of a single one. */
  readonly detail?: ReadonlyArray<Column<Row>>
}) => ({
  /** Asks about one, or makes it do something. Prints the answer as `show` says. */
  ask: <A, E extends CommandError, R>(
    { name, send, show, ...about }: About & {
      readonly name: string
      readonly send: (api: Admin, request: OfOne) => Effect.Effect<A, E, R>
      readonly show: (answer: A, style: Style, id: string) => string
    }
  ) =>
    command(name, { id: idArgument(one) }, about, ({ id }) =>
      Effect.gen(function*() {
        const answer = yield* send(yield* adminApi, { params: { id } })
        yield* print(answer, (style) => show(answer, style, id))
      })),

  list: <Page extends { readonly cursor: string | null }, E extends CommandError, R>({ emptyMessage, fetch, rows }: {
    readonly fetch: (api: Admin, request: { readonly query: typeof PageQuery.Type }) => Effect.Effect<Page, E, R>
    readonly rows: (page: Page) => ReadonlyArray<Row>
    readonly emptyMessage: string
  }) =>
    command("list", pageFlags, { description: `List the ${many}, newest first` }, (flags) =>
      Effect.gen(function*() {
        const query = yield* decodeFlags(PageQuery, flags)
        const page = yield* fetch(yield* adminApi, { query })
        yield* printList(page, { rows: rows(page), columns, emptyMessage })
      })).pipe(Command.withAlias("ls")),

  /** `secret` is what only this response has, with a sentence about it. `note` says what to do next. */
  create: <
    const Flags extends Command.Command.Config,
    Payload,
    Created extends Row,
    E extends CommandError,
    E2 extends CommandError,
    R,
    R2
  >(
    { fields, flags, note, schema, secret, send, ...about }: About & {
      readonly schema: Schema.Codec<Payload, unknown>
      readonly flags: Flags
      readonly fields: (input: Infer<Flags>) => Effect.Effect<Fields, E, R>
      readonly send: (api: Admin, request: { readonly payload: Payload }) => Effect.Effect<Created, E2, R2>
      readonly secret?: (created: Created) => readonly [secret: string, word: string]
      readonly note?: (created: Created) => string | undefined
    }
  ) =>
    command("create", { flags }, about, ({ flags }) =>
      Effect.gen(function*() {
        const payload = yield* decodeFlags(schema, yield* fields(flags))
        const created = yield* send(yield* adminApi, { payload })
        yield* print(created, (style) => {
          const shown = record(detail, created, style)
          if (secret === undefined) return shown
          const [text, word] = secret(created)
          return `${shown}\n\n${style.bold(text)}\n${word}`
        })
        const next = note?.(created)
        if (next !== undefined) yield* printNote(next)
      })),

  /** `names` are the flags of which one must be given. */
  change: <
    const Flags extends Command.Command.Config,
    Payload extends object,
    E extends CommandError,
    E2 extends CommandError,
    R,
    R2
  >(
    { fields, flags, name = "change", names, schema, send, ...about }: About & {
      readonly name?: string
      readonly schema: Schema.Codec<Payload, unknown>
      readonly flags: Flags
      readonly names?: string
      readonly fields: (input: Infer<Flags>) => Effect.Effect<Fields, E, R>
      readonly send: (api: Admin, request: OfOne & { readonly payload: Payload }) => Effect.Effect<Row, E2, R2>
    }
  ) =>
    command(name, { id: idArgument(one), flags }, about, ({ flags, id }) =>
      Effect.gen(function*() {
        const values = yield* fields(flags)
        const payload = yield* names === undefined ? decodeFlags(schema, values) : decodeChange(schema, names, values)
        yield* printRecord(detail, yield* send(yield* adminApi, { params: { id }, payload }))
      })),

  /** An action without a payload, such as `revoke`. */
  act: <E extends CommandError, R>(
    name: string,
    description: string,
    send: (api: Admin, request: OfOne) => Effect.Effect<Row, E, R>
  ) =>
    command(name, { id: idArgument(one) }, { description }, ({ id }) =>
      Effect.gen(function*() {
        yield* printRecord(detail, yield* send(yield* adminApi, { params: { id } }))
      })),

  /** `after` says what the deletion ends. */
  delete: <const Flags extends Command.Command.Config, A, E extends CommandError, R>(
    { after, flags, send, ...about }: About & {
      readonly flags: Flags
      readonly send: (api: Admin, request: OfOne, input: Infer<Flags>) => Effect.Effect<A, E, R>
      readonly after: (input: Infer<Flags>) => string
    }
  ) =>
    command("delete", { id: idArgument(one), flags }, about, ({ flags, id }) =>
      Effect.gen(function*() {
        yield* send(yield* adminApi, { params: { id } }, flags)
        yield* print({ id, deleted: true, ...flags }, () => `${id} is deleted. ${after(flags)}`)
      }))
})

/** The command that contains the commands of a resource. */
export const resourceCommands = <const Commands extends ReadonlyArray<Command.Command.Any>>(
  name: string,
  description: string,
  commands: Commands
) =>
  Command.make(name).pipe(
    Command.withDescription(description),
    Command.withSubcommands(commands),
    Command.withGlobalFlags(adminFlags)
  )
