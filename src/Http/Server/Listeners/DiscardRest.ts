import type { IncomingMessage } from "node:http"

/** The default of nginx: https://nginx.org/en/docs/http/ngx_http_core_module.html#lingering_time. */
const maxMillis = 30_000

const maxBytes = 134_217_728

/**
 * Discards what arrives after the response, so that a client which still sends reads the response and gets no reset.
 * Closes the connection after 128 MiB or 30 seconds. Takes a chunk at a time: Node would read megabytes from each
 * connection in turn, and keep all others waiting.
 */
export const discardRest = (request: IncomingMessage): void => {
  if (request.complete) return
  const { socket } = request
  let bytes = 0
  let isLast = false
  // Node calls it after the last response of a connection. To close a socket with unread data resets the client.
  Object.assign(socket, {
    destroySoon: () => {
      isLast = true
      socket.end()
    }
  })
  const deadline = setTimeout(() => socket.destroy(), maxMillis).unref()
  const stop = () => {
    clearTimeout(deadline)
    Reflect.deleteProperty(socket, "destroySoon")
  }
  socket.once("close", stop)
  request.once("end", () => {
    stop()
    if (isLast) socket.destroySoon()
  })
  request.on("data", ({ length }: Uint8Array) => {
    bytes += length
    if (bytes > maxBytes) return void socket.destroy()
    request.pause()
    setImmediate(() => request.resume())
  })
  // Node discards the rest of a request that nothing has read.
  request.read(0)
  request.resume()
}
