import { createServer } from "node:net"

/** A port that was free a moment ago, for programs that cannot choose one themselves. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => address !== null && typeof address === "object" ? resolve(address.port) : reject(address))
    })
  })
