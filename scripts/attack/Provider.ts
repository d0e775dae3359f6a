/**
 * A hostile provider. It never responds for sites named `slow`, sends compressed responses of 45 MB for `large`, and
 * documents with one paragraph of 100,000 runs: alternately bold, or each a link where the id has `links`.
 */
import { createServer, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { listen } from "../bench/Listen.ts"

const json = { "content-type": "application/json; charset=UTF-8" }

const large = gzipSync(JSON.stringify({ siteEntry: [{ siteUrl: "0123456789abcdef".repeat(45_000_000 / 16) }] }))

const documentOf = (styleAt: (at: number) => object): string =>
  JSON.stringify({
    documentId: "doc",
    title: "Draft",
    revisionId: "r",
    tabs: [{
      tabProperties: { tabId: "t.0", title: "Tab" },
      documentTab: {
        body: {
          content: [
            { endIndex: 1, sectionBreak: {} },
            {
              startIndex: 1,
              endIndex: 100_002,
              paragraph: {
                elements: Array.from({ length: 100_000 }, (_, at) => ({
                  startIndex: at + 1,
                  endIndex: at + 2,
                  textRun: { content: "a", textStyle: styleAt(at) }
                }))
              }
            }
          ]
        }
      }
    }]
  })

const boldRuns = documentOf((at) => at % 2 === 0 ? { bold: true } : {})
const links = documentOf((at) => ({ link: { url: `https://example.com/${at}` } }))

const report = JSON.stringify({
  rows: Array.from({ length: 5000 }, (_, at) => ({
    keys: [`query ${at}`],
    clicks: at % 7,
    impressions: at,
    ctr: 0.1,
    position: 2
  }))
})

const answer = (url: string, response: ServerResponse): unknown => {
  if (url.includes("slow")) return undefined
  if (url.includes("large")) return response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(large)
  if (url.includes("report")) return response.writeHead(200, json).end(report)
  if (url.includes("documents/")) return response.writeHead(200, json).end(url.includes("links") ? links : boldRuns)
  if (url.includes("documents")) return response.writeHead(200, json).end("{\"documentId\":\"doc\"}")
  return response.writeHead(200, json).end("{}")
}

listen(createServer((request, response) => {
  request.resume()
  request.on("end", () => void answer(decodeURIComponent(request.url ?? ""), response))
}))
