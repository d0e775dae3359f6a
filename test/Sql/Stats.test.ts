import { layer } from "@effect/vitest"
import { Embedded, Server, type StorageTests } from "./StorageFixture.ts"
import { callPages } from "./suites/CallPages.ts"
import { callStats } from "./suites/CallStats.ts"

// Databases of their own: these tests log calls in the future, which drops the partitions of today.

const all: StorageTests = (it) => {
  callStats(it)
  callPages(it)
}

layer(Embedded)("on the embedded database", all)
layer(Server)("on a Postgres server", all)
