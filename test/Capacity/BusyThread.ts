import { parentPort } from "node:worker_threads"

/** A job that takes CPU time for ever, or that waits for `waitMillis` and takes none. */
parentPort?.on("message", ({ waitMillis }: { readonly waitMillis?: number }) => {
  if (waitMillis === undefined) { while (true); }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMillis)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
  parentPort?.postMessage("waited")
})
