#!/usr/bin/env node
// Plain JavaScript for any Node: starts the command line with Node 24 or later, and the server with its flags.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import module, { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const requiredMajor = 24

/**
 * The flags of `npm start`. With the last, V8 optimizes a function after 600 calls instead of 3,000: the first ten
 * thousand calls of the API take 5 to 15 % less CPU.
 */
const serverFlags = [
  "--max-semi-space-size=16",
  "--heap-growing-percent=50",
  "--no-allocation-site-pretenuring",
  "--invocation-count-for-turbofan=600"
]

const args = process.argv.slice(2)
const usesEmbeddedDatabase = args.includes("demo") || !process.env.DATABASE_URL

/**
 * glibc gives freed blocks above this size back to the system. By default it learns to keep blocks of any size: 40 MB
 * after the start of the embedded database, 140 MB after responses of 10 MB. Those take 10 % more CPU with a limit.
 */
const serverEnvironment = process.platform === "linux" && usesEmbeddedDatabase
  ? { MALLOC_MMAP_THRESHOLD_: `${4 * 1024 * 1024}` }
  : {}

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "..")
const source = join(here, "main.ts")
const isClone = existsSync(source)

const isRecent = Number.parseInt(process.versions.node, 10) >= requiredMajor
const isServer = args.includes("serve") || args.includes("demo")
const missingFlags = serverFlags.filter((flag) => !process.execArgv.includes(flag))
const hasEnvironment = Object.keys(serverEnvironment).every((name) => name in process.env)
// Node's permission model, as in the image, forbids to start again.
const isPrepared = missingFlags.length === 0 && (hasEnvironment || process.permission !== undefined)
const runsServerCode = isServer || args.includes("doctor") || args.includes("openapi")

/**
 * One file instead of a thousand: a call takes a tenth less CPU, since V8 treats the imports between modules as
 * variables, and a start a fifth less. Changed sources run as they are until `npm ci` or `npm run prepare`.
 */
const entryOfClone = async () => {
  const { isFresh } = await import("./SourceDigest.ts")
  return isFresh(root, "dist/service") ? join(root, "dist/service/main.js") : source
}

const entryOfPackage = () => join(root, runsServerCode ? "dist/server/main.js" : "dist/oa.js")

/** The package `node` is a dependency. It has no binary where install scripts are off. */
const ownNode = () => {
  const folder = dirname(createRequire(import.meta.url).resolve("node/package.json"))
  const binary = ["bin/node", "bin/node.exe"].map((name) => join(folder, name)).find((path) => existsSync(path))
  if (binary !== undefined) return binary
  process.stderr.write(
    `Error: OpenAccounts needs Node ${requiredMajor} or later; this is ${process.version}. Install a later Node, or ` +
      "reinstall with install scripts allowed for the package `node`, which brings one.\n"
  )
  process.exit(2)
}

const restart = (node) => {
  const command = [...process.execArgv, ...missingFlags, fileURLToPath(import.meta.url), ...args]
  const env = { ...serverEnvironment, ...process.env }
  // Replaces this process where the platform can. The process id and signals stay the same.
  if (process.execve !== undefined && process.platform !== "win32") process.execve(node, [node, ...command], env)
  const child = spawn(node, command, { stdio: "inherit", env })
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends it to both processes.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on("error", (error) => {
    process.stderr.write(`Error: ${node} cannot be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code)
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
  })
}

if (isPrepared || (isRecent && !isServer)) {
  // Compiling the modules takes most of the time of a start. The cache has no effect in a folder that cannot be
  // written. Node does not cache the file that it starts with and takes 18 MB to strip its types, so that file is this
  // one.
  module.enableCompileCache(join(root, "node_modules/.cache/openaccounts"))
  const entry = isClone ? await entryOfClone() : entryOfPackage()
  await import(pathToFileURL(entry).href)
} else {
  restart(isRecent ? process.execPath : ownNode())
}
