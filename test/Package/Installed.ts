import { Context, Effect, Layer, Scope } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import packageJson from "../../package.json" with { type: "json" }
import { tempFolder } from "../support/TempFolder.ts"

const run = promisify(execFile)

const root = new URL("../..", import.meta.url).pathname

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  readonly printed: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
  /** Ends it and its own processes as Ctrl-C does. */
  readonly stop: Effect.Effect<void>
}

/**
 * The package as `npm pack` makes it, installed in an empty folder. `npm ci` has filled the cache of npm with its
 * dependencies.
 */
export class Installed extends Context.Service<Installed, {
  readonly folder: string
  /** Has the package of the client alone. */
  readonly clientFolder: string
  /** Has the package of the sandbox alone. */
  readonly sandboxFolder: string
  readonly files: ReadonlyArray<string>
  readonly run: (command: string, args: ReadonlyArray<string>, env?: NodeJS.ProcessEnv) => Effect.Effect<Ran>
  readonly start: (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => Effect.Effect<Started>
}>()("openaccounts/test/Installed") {
  static readonly layer = Layer.effect(
    Installed,
    Effect.gen(function*() {
      const scope = yield* Effect.scope
      const [folder, clientFolder, sandboxFolder] = yield* Effect.all([tempFolder, tempFolder, tempFolder])
      const files = yield* Effect.promise(() => packAndInstall(folder, clientFolder, sandboxFolder))

      const open = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
        spawn(/^np[mx]$|\//.test(command) ? command : join(folder, "node_modules/.bin", command), args, {
          cwd: folder,
          env: { PATH: process.env["PATH"], HOME: folder, NODE_COMPILE_CACHE: join(folder, "compiled"), ...env },
          stdio: ["ignore", "pipe", "pipe"],
          detached: true
        })

      return Installed.of({
        folder,
        clientFolder,
        sandboxFolder,
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
          const ended = once(child, "close")
          const end = (signal: NodeJS.Signals) =>
            Effect.promise(async () => {
              if (child.pid !== undefined && child.stdout.readable) process.kill(-child.pid, signal)
              await ended
            })
          child.stdout.setEncoding("utf8").on("data", (text: string) => output += text)
          child.stderr.setEncoding("utf8").on("data", (text: string) => output += text)
          yield* Effect.addFinalizer(() => end("SIGKILL")).pipe(Effect.provideService(Scope.Scope, scope))
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
            stop: end("SIGINT")
          }
        })
      })
    })
  )
}

/** For an npm outside of the repository, which must not see its manifest and folder. */
const npmEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle|config_local_prefix)/.test(name))
)

/**
 * Packing builds `dist`, which other tests use meanwhile. `npm pack` would also run the script `prepare` again, which has
 * built the dashboard.
 */
const copySources = async (copy: string) => {
  const left = ["node_modules", "dist", ".git", "test"].map((name) => join(root, name))
  await cp(root, copy, { recursive: true, filter: (source) => !left.includes(source) })
  await symlink(join(root, "node_modules"), join(copy, "node_modules"))
  for (const name of ["dist/dashboard", "dist/docs"]) await cp(join(root, name), join(copy, name), { recursive: true })
  const { prepare: _, ...scripts } = packageJson.scripts
  await writeFile(join(copy, "package.json"), JSON.stringify({ ...packageJson, scripts }))
}

const packAndInstall = async (
  folder: string,
  clientFolder: string,
  sandboxFolder: string
): Promise<ReadonlyArray<string>> => {
  const copy = join(folder, "copy")
  await copySources(copy)
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: copy, env: npmEnv })
  const [{ filename, files, version }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")))
  await install(folder, join(folder, filename))
  await install(clientFolder, join(folder, `openaccounts-client-${version}.tgz`))
  await install(sandboxFolder, join(folder, `openaccounts-sandbox-${version}.tgz`))
  return files.map(({ path }: { readonly path: string }) => path)
}

const install = async (folder: string, file: string): Promise<void> => {
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  await run("npm", ["install", ...options, file], { cwd: folder, env: npmEnv })
}
