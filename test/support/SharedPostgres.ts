import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { isMainThread, parentPort, Worker } from "node:worker_threads"
import { postgresFiles } from "./PostgresFiles.ts"

/**
 * Sets `TEST_POSTGRES_PORT`, of the Postgres server that the tests share. It is started by a thread, because its library
 * would end this process with the code 0, whatever failed.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  // Links its libraries, also in an installation without install scripts.
  if (existsSync(postgresFiles)) execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: postgresFiles })
  const thread = new Worker(import.meta.filename)
  const [port] = await once(thread, "message")
  process.env["TEST_POSTGRES_PORT"] = `${port}`
  return async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
    thread.postMessage("stop")
    await once(thread, "exit")
  }
}

if (!isMainThread && parentPort !== null) {
  const { startPostgres } = await import("./PostgresServer.ts")
  const { port, remove } = await startPostgres()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort.postMessage(port)
  await once(parentPort, "message")
  await remove()
  parentPort.close()
}
