/**
 * The sandbox in a process of its own. Accounts whose name begins with `late` are answered after `LATE_SECONDS`, and
 * those with `broken` by an error.
 */
import { setTimeout } from "node:timers/promises"
import { serveSandbox } from "../bench/SandboxServer.ts"

const lateSeconds = Number(process.env["LATE_SECONDS"] ?? 20)

/** The sandbox's access tokens say whose they are. */
const accountOf = (authorization: string): string => {
  const [, claims = ""] = /sandbox-([^.]*)/.exec(authorization) ?? []
  const [, account = ""] = /"account":"(\w+)/.exec(Buffer.from(claims, "base64url").toString()) ?? []
  return account
}

serveSandbox(async ({ authorization, forward }) => {
  const account = accountOf(authorization)
  if (account === "late") await setTimeout(lateSeconds * 1000)
  return account === "broken" ? { status: 500, text: "{}" } : await forward()
})
