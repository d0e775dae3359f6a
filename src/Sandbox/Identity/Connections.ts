import { randomUUID } from "node:crypto"
import { company } from "../Data/Company.ts"
import type { SandboxConnection } from "../Server/FakeProvider.ts"
import { signRefreshToken } from "./Identity.ts"

/** A connection to the company's account, through a grant of its own: to revoke it leaves all others alone. */
export const googleConnection = (provider: string, label: string, scope: string): SandboxConnection => ({
  provider,
  auth_type: "oauth",
  credentials: { refresh_token: signRefreshToken("google", { grant: randomUUID(), account: company.account, scope }) },
  label: `${company.name}: ${label}`,
  external_account: company.account,
  scopes: [scope]
})
