import { layer } from "@effect/vitest"
import { Embedded, Memory, Server, type StorageTests } from "./StorageFixture.ts"
import { storedApprovals } from "./suites/Approvals.ts"
import { storedAudit } from "./suites/Audit.ts"
import { auth, storedKeys } from "./suites/Auth.ts"
import { cache, storedResponses } from "./suites/Cache.ts"
import { callLog, loggedCalls, storedCalls } from "./suites/CallLog.ts"
import { connectionRepo, storedConnections } from "./suites/ConnectionRepo.ts"
import { storedConnectLinks } from "./suites/ConnectLinks.ts"
import { deletedMembers } from "./suites/DeletedMembers.ts"
import { storedGrants } from "./suites/Grants.ts"
import { idempotency, storedKeyUses } from "./suites/Idempotency.ts"
import { keptResults } from "./suites/KeptResults.ts"
import { storedMembers } from "./suites/Members.ts"
import { oidc } from "./suites/Oidc.ts"
import { order } from "./suites/Order.ts"
import { passkeys } from "./suites/Passkeys.ts"
import { rateLimit } from "./suites/RateLimit.ts"
import { refusedCalls, storedRefusedCalls } from "./suites/RefusedCalls.ts"
import { signIn } from "./suites/SignIn.ts"
import { undoRecords } from "./suites/UndoRecords.ts"

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
