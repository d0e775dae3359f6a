import { layer } from "@effect/vitest"
import { Embedded, Server } from "./StorageFixture.ts"
import { callStats } from "./suites/CallStats.ts"

// On databases of their own: these tests log calls in the future, where the partitions of today are dropped.

layer(Embedded)("on the embedded database", callStats)
layer(Server)("on a Postgres server", callStats)
