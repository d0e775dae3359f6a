import { Effect } from "effect"
import { ReadOnly } from "../Api/Errors.ts"
import type { Principal } from "../Domain/Access/Principal.ts"
import { ownDashboardUrl } from "../Settings.ts"

/** Says where the caller's member gives more access. */
export const makeReadOnlyRefusal = Effect.map(ownDashboardUrl, (url) => {
  const messages: Readonly<Record<Principal["via"], string>> = {
    key: `This key only reads. Its member makes one with read-write access at ${url}/dashboard/keys.`,
    grant:
      "This agent may only read: its grant is read-only, or its token was given for reading. Its member allows it to " +
      `write at ${url}/dashboard/agents, and then connects the agent anew if it is still refused.`,
    session: "A session can only read, unless the request has `X-OA-Access: read_write`."
  }
  return ({ via }: Principal) => new ReadOnly({ message: messages[via] })
})
