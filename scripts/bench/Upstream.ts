/** The providers' stand-in, in a process of its own: answers from memory, as cheaply as Node's HTTP server can. */
import { createServer } from "node:http"
import { listen } from "./Listening.ts"
import { makeAnswers } from "./Workload.ts"

const answers = makeAnswers()

listen(createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  request.resume()
  request.on("end", () => {
    const answer = answers.get(decodeURIComponent(request.url?.split("?", 1)[0] ?? ""))?.()
    if (answer === undefined) return response.writeHead(404).end()
    response.writeHead(200, { "content-type": "application/json; charset=UTF-8", "content-length": answer.length })
    return response.end(answer)
  })
}))
