import { layer } from "@effect/vitest"
import { Embedded, Server, type StorageTests } from "./StorageWorld.ts"
import { auth } from "./suites/Auth.ts"
import { cache } from "./suites/Cache.ts"
import { callLog } from "./suites/CallLog.ts"
import { connectionRepo } from "./suites/ConnectionRepo.ts"
import { loggedData } from "./suites/LoggedData.ts"
import { migrations } from "./suites/Migrations.ts"
import { rateLimit } from "./suites/RateLimit.ts"

const all: StorageTests = (it) => {
  migrations(it)
  auth(it)
  connectionRepo(it)
  cache(it)
  callLog(it)
  loggedData(it)
  rateLimit(it)
}

layer(Embedded)("on the embedded database", all)
layer(Server)("on a Postgres server", all)
