import { layer } from "@effect/vitest"
import { Embedded, Server } from "./StorageFixture.ts"
import { callStats } from "./suites/CallStats.ts"

// Databases of their own: these tests log calls in the future, which drops the partitions of today.

layer(Embedded)("on the embedded database", callStats)
layer(Server)("on a Postgres server", callStats)
