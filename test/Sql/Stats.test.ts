import { layer } from "@effect/vitest"
import { Server } from "./StorageFixture.ts"
import { callPages } from "./suites/CallsInLists.ts"
import { callStats } from "./suites/CallStats.ts"

// A database of its own: these tests log calls in the future, which drops the partitions of today.
layer(Server)("on a Postgres server", (it) => {
  callStats(it)
  callPages(it)
})
