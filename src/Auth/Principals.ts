import { Layer } from "effect"
import { ClientRepo } from "./ClientRepo.ts"
import { GrantRepo } from "./GrantRepo.ts"
import { KeyRepo } from "./KeyRepo.ts"
import { MemberRepo } from "./MemberRepo.ts"
import { SessionRepo } from "./SessionRepo.ts"

/** The rows that say who calls, and with which rights. */
export const Principals = Layer.mergeAll(
  ClientRepo.layer,
  GrantRepo.layer,
  KeyRepo.layer,
  MemberRepo.layer,
  SessionRepo.layer
)
