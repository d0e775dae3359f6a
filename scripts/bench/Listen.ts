import type { Server } from "node:http"

export const listen = (server: Server): void => {
  server.listen(0, "127.0.0.1", 4096, () => {
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("The server has no port")
    process.stdout.write(`listens on http://127.0.0.1:${address.port}\n`)
  })
  process.once("SIGTERM", () => process.exit())
}
