import { parentPort } from "node:worker_threads"
import { jobs } from "./Jobs.ts"

parentPort?.on("message", ({ input, name }: { readonly name: keyof typeof jobs; readonly input: string }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage(JSON.stringify(jobs[name](JSON.parse(input))))
})
