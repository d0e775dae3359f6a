/** A baseline: a Node proxy without keys, validation or a database. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { type Dispatcher, Pool } from "undici"
import { listen } from "./Listen.ts"

const pool = new Pool(process.argv[2] ?? "", { connections: 256 })

listen(createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
  const body = await text(request)
  const options: Dispatcher.RequestOptions = {
    method: request.method === "GET" ? "GET" : "POST",
    path: request.url ?? "/",
    headers: { "content-type": "application/json" },
    body: body === "" ? null : body
  }
  const upstreamResponse = await pool.request(options)
  const bytes = Buffer.from(await upstreamResponse.body.arrayBuffer())
  response.writeHead(upstreamResponse.statusCode, {
    "content-type": "application/json",
    "content-length": bytes.length
  })
  response.end(bytes)
}))
