/** V8's flags of `bin/openaccounts`, for processes that start the service without it. */
export const heapFlags = [
  "--max-semi-space-size=16",
  "--heap-growing-percent=100",
  "--no-allocation-site-pretenuring"
] as const

/** The same of the C library's settings, by the database. */
export const mallocSettings = {
  embedded: { MALLOC_MMAP_THRESHOLD_: "1048576" },
  postgres: { MALLOC_ARENA_MAX: "2" }
} as const
