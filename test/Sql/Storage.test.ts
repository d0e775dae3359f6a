import { layer } from "@effect/vitest"
import { Embedded, Memory, Server, type StorageTests } from "./StorageFixture.ts"
import { storedApprovals } from "./suites/Approvals.ts"
import { storedAudit } from "./suites/Audit.ts"
import { auth, storedKeys, storedMembers } from "./suites/Auth.ts"
import { cache, storedResponses } from "./suites/Cache.ts"
import { callLog, loggedCalls, storedCalls } from "./suites/CallLog.ts"
import { refusedCalls, storedRefusedCalls } from "./suites/CallsInLists.ts"
import { connectionRepo, storedConnections } from "./suites/ConnectionRepo.ts"
import { storedConnectLinks } from "./suites/ConnectLinks.ts"
import { storedGrants } from "./suites/Grants.ts"
import { idempotency, storedKeyUses } from "./suites/Idempotency.ts"
import { keptResults, undoRecords } from "./suites/KeptResults.ts"
import { order } from "./suites/Order.ts"
import { rateLimit } from "./suites/RateLimit.ts"
import { signIn } from "./suites/SignIn.ts"
import { deletedMembers, oidc, passkeys } from "./suites/SignInWays.ts"

/** What the clients of the databases do differently: values of each type, errors, transactions, background work. */
const both: StorageTests = (it) => {
  storedKeys(it)
  storedConnections(it)
  storedResponses(it)
  loggedCalls(it)
  storedKeyUses(it)
  storedAudit(it)
  storedMembers(it)
  keptResults(it)
  storedApprovals(it)
  undoRecords(it)
}

layer(Embedded)("on the embedded database", (it) => {
  both(it)
  order(it)
})

layer(Server)("on a Postgres server", (it) => {
  both(it)
  auth(it)
  storedGrants(it)
  connectionRepo(it)
  cache(it)
  callLog(it)
  storedCalls(it)
  storedRefusedCalls(it)
  rateLimit(it)
  idempotency(it)
  signIn(it)
  passkeys(it)
  oidc(it)
  storedConnectLinks(it)
  deletedMembers(it)
})

layer(Memory)("in memory", (it) => {
  auth(it)
  connectionRepo(it)
  cache(it)
  callLog(it)
  refusedCalls(it)
})
