import { PGlite, type PGliteOptions } from "@electric-sql/pglite"

/** With Postgres' default of 128 MB, PGlite takes 130 MB more at the same speed: its memory grows, and never shrinks. */
const buffers = "shared_buffers=16MB"

export const embeddedOptions: PGliteOptions = {
  startParams: [...PGlite.defaultStartParams, "-c", buffers],
  initDbStartParams: ["--set", buffers]
}
