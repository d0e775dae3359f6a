/** V8's flags of `bin/openaccounts`, for processes that start the service without it. */
export const heapFlags = [
  "--max-semi-space-size=16",
  "--heap-growing-percent=100",
  "--no-allocation-site-pretenuring"
] as const
