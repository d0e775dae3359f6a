import { Context, Effect, Layer, Scope } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import packageJson from "../../package.json" with { type: "json" }

const run = promisify(execFile)

const root = new URL("../..", import.meta.url).pathname

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  readonly printed: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
  readonly stop: Effect.Effect<number | null>
}

/**
 * The package as `npm pack` makes it, in an empty folder. Its dependencies are links to those of the repository,
 * because an installation takes 15 seconds. Only dependencies that package.json declares are linked.
 */
export class Installed extends Context.Service<Installed, {
  readonly folder: string
  readonly files: ReadonlyArray<string>
  readonly run: (command: string, args: ReadonlyArray<string>, env?: NodeJS.ProcessEnv) => Effect.Effect<Ran>
  readonly start: (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => Effect.Effect<Started>
}>()("openaccounts/test/Installed") {
  static readonly layer = Layer.effect(
    Installed,
    Effect.gen(function*() {
      const scope = yield* Effect.scope
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "openaccounts-package-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
      )
      const files = yield* Effect.promise(() => install(folder))

      const open = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
        spawn(command.includes("/") ? command : join(folder, "node_modules/.bin", command), args, {
          cwd: folder,
          env: { PATH: process.env["PATH"], HOME: folder, ...env },
          stdio: ["ignore", "pipe", "pipe"]
        })

      return Installed.of({
        folder,
        files,
        run: (command, args, env = {}) =>
          Effect.promise(async () => {
            const child = open(command, args, env)
            const [stdout, stderr, [exitCode]] = await Promise.all([
              text(child.stdout),
              text(child.stderr),
              once(child, "exit")
            ])
            return { exitCode, stdout, stderr }
          }),
        start: Effect.fnUntraced(function*(command, args, env) {
          const child = open(command, args, env)
          let output = ""
          const ended = once(child, "close").then(([code]): number | null => code)
          child.stdout.setEncoding("utf8").on("data", (text: string) => output += text)
          child.stderr.setEncoding("utf8").on("data", (text: string) => output += text)
          yield* Effect.addFinalizer(() => Effect.promise(() => (child.kill("SIGKILL"), ended))).pipe(
            Effect.provideService(Scope.Scope, scope)
          )
          return {
            printed: (pattern: RegExp) =>
              Effect.callback<RegExpExecArray>((resume) => {
                const look = () => {
                  const found = pattern.exec(output)
                  if (found !== null) resume(Effect.succeed(found))
                }
                child.stdout.on("data", look)
                child.on("close", () => resume(Effect.die(new Error(`It ended without ${pattern}:\n${output}`))))
                look()
              }),
            stop: Effect.promise(() => (child.kill("SIGTERM"), ended))
          }
        })
      })
    })
  )
}

const install = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")))
  const modules = join(folder, "node_modules")
  await mkdir(join(modules, ".bin"), { recursive: true })
  await run("tar", ["-xzf", join(folder, filename), "-C", modules])
  await run("mv", [join(modules, "package"), join(modules, "openaccounts")])
  for (const name of Object.keys({ ...packageJson.dependencies, ...packageJson.peerDependencies })) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, "node_modules", name), join(modules, name))
  }
  for (const [name, path] of Object.entries(packageJson.bin)) {
    await symlink(join("../openaccounts", path), join(modules, ".bin", name))
  }
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  return files.map(({ path }: { readonly path: string }) => path)
}
