import { Data, Deferred, Duration, Effect, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
import { LoadResult, type LoadSpec } from "./LoadSpec.ts"

export interface NodeProcess {
  readonly pid: number
  readonly url: string
  /** Milliseconds from the start to the line `listens on <url>`. */
  readonly startUp: number
}

export class ProcessFailed extends Data.TaggedError("ProcessFailed")<{ readonly message: string }> {}

export const project = fileURLToPath(new URL("../..", import.meta.url))

interface Options {
  /** This checkout by default. */
  readonly folder?: string | undefined
  readonly script: string
  readonly args?: ReadonlyArray<string>
  readonly nodeArgs?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

const node = (
  { args = [], env, folder = project, nodeArgs = [], script }: Options,
  stdin?: Stream.Stream<Uint8Array>
) =>
  ChildProcess.make(process.execPath, [...nodeArgs, script, ...args], {
    cwd: folder,
    ...(env === undefined ? {} : { env: { ...env } }),
    extendEnv: env === undefined,
    stdin: stdin ?? "ignore",
    stderr: "inherit",
    forceKillAfter: "20 seconds"
  })

export const startProcess = Effect.fn("startProcess")(function*(options: Options) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const listening = yield* Deferred.make<string, ProcessFailed>()
  const [elapsed, [pid, url]] = yield* Effect.timed(Effect.gen(function*() {
    const child = yield* spawner.spawn(node(options))
    // Reads to the end, so that a full pipe never blocks the process.
    yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.runForEach((line) => {
        const [, url] = /listens on ((?:http|postgres):\/\/[^\s/]+)/.exec(line) ?? []
        return url === undefined ? Effect.void : Deferred.succeed(listening, url)
      }),
      Effect.ensuring(
        Deferred.fail(listening, new ProcessFailed({ message: `${options.script} exited before it listened` }))
      ),
      Effect.forkScoped
    )
    return [child.pid, yield* Deferred.await(listening)] as const
  })).pipe(
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.fail(new ProcessFailed({ message: `${options.script} did not listen within a minute` }))
    })
  )
  return { pid, url, startUp: Duration.toMillis(elapsed) } satisfies NodeProcess
})

const decodeResult = Schema.decodeUnknownEffect(Schema.fromJsonString(LoadResult))

export const runLoad = Effect.fn("runLoad")(function*(spec: LoadSpec) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const stdin = Stream.make(new TextEncoder().encode(JSON.stringify(spec)))
  const output = yield* spawner.string(node({ script: "scripts/bench/Load.ts" }, stdin)).pipe(
    Effect.timeoutOrElse({
      duration: Duration.seconds(spec.seconds + 60),
      orElse: () => Effect.fail(new ProcessFailed({ message: `The load on ${spec.url} did not finish` }))
    })
  )
  return yield* decodeResult(output)
})
