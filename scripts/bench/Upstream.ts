/** A fake provider that responds from memory, so that it takes little CPU. */
import { createServer } from "node:http"
import { listen } from "./Listen.ts"
import { makeResponses } from "./Workload.ts"

const responses = makeResponses()

listen(createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  request.resume()
  request.on("end", () => {
    const body = responses.get(decodeURIComponent(request.url?.split("?", 1)[0] ?? ""))?.()
    if (body === undefined) return response.writeHead(404).end()
    response.writeHead(200, { "content-type": "application/json; charset=UTF-8", "content-length": body.length })
    return response.end(body)
  })
}))
