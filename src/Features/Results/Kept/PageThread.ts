import { parentPort } from "node:worker_threads"
import { type PageJob, writePage } from "./Page.ts"

parentPort?.on("message", (job: PageJob) => {
  const page = writePage(job)
  parentPort?.postMessage(page, [page.body.buffer])
})
