import { Data, Deferred, Duration, Effect, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
import { LoadResult, type LoadSpec } from "./LoadSpec.ts"

export interface Child {
  readonly pid: number
  readonly url: string
  /** Milliseconds from its start to the line that says where it listens. */
  readonly startUp: number
}

export class ChildFailed extends Data.TaggedError("ChildFailed")<{ readonly message: string }> {}

export const project = fileURLToPath(new URL("../..", import.meta.url))

interface Options {
  readonly script: string
  readonly args?: ReadonlyArray<string>
  readonly nodeArgs?: ReadonlyArray<string>
  /** The whole environment; that of this process when there is none. */
  readonly env?: Readonly<Record<string, string>>
}

const node = ({ args = [], env, nodeArgs = [], script }: Options, stdin?: Stream.Stream<Uint8Array>) =>
  ChildProcess.make(process.execPath, [...nodeArgs, script, ...args], {
    cwd: project,
    ...(env === undefined ? {} : { env: { ...env } }),
    extendEnv: env === undefined,
    stdin: stdin ?? "ignore",
    stderr: "inherit",
    forceKillAfter: "20 seconds"
  })

/** Starts a Node process that says where it listens, and stops it with the scope. */
export const start = Effect.fn("start")(function*(options: Options) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const listening = yield* Deferred.make<string, ChildFailed>()
  const [elapsed, [pid, url]] = yield* Effect.timed(Effect.gen(function*() {
    const child = yield* spawner.spawn(node(options))
    // Read to the end, so that the child never waits for its reader.
    yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.runForEach((line) => {
        const [, url] = /listens on ((?:http|postgres):\/\/[^\s/]+)/.exec(line) ?? []
        return url === undefined ? Effect.void : Deferred.succeed(listening, url)
      }),
      Effect.ensuring(
        Deferred.fail(listening, new ChildFailed({ message: `${options.script} ended before it listened` }))
      ),
      Effect.forkScoped
    )
    return [child.pid, yield* Deferred.await(listening)] as const
  })).pipe(
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.fail(new ChildFailed({ message: `${options.script} did not listen within a minute` }))
    })
  )
  return { pid, url, startUp: Duration.toMillis(elapsed) } satisfies Child
})

const decodeResult = Schema.decodeUnknownEffect(Schema.fromJsonString(LoadResult))

/** Runs the load generator. */
export const load = Effect.fn("load")(function*(spec: LoadSpec) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const stdin = Stream.make(new TextEncoder().encode(JSON.stringify(spec)))
  const output = yield* spawner.string(node({ script: "scripts/bench/Load.ts" }, stdin)).pipe(
    Effect.timeoutOrElse({
      duration: Duration.seconds(spec.seconds + 60),
      orElse: () => Effect.fail(new ChildFailed({ message: `The load on ${spec.url} did not end` }))
    })
  )
  return yield* decodeResult(output)
})
