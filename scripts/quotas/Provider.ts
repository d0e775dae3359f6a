/**
 * The sandbox with its quotas enforced, in a process of its own, behind a server that keeps what arrived and how it was
 * answered: no instance knows this as exactly. `GET /requests` returns it.
 */
import { serveSandbox } from "../bench/SandboxServer.ts"
import type { ProviderRequest } from "./Truth.ts"

const requests: Array<ProviderRequest> = []

serveSandbox(async ({ forward, path }) => {
  if (path === "/requests") return { status: 200, text: JSON.stringify(requests) }
  const at = Date.now()
  const answer = await forward()
  requests.push({ at, path, status: answer.status })
  return answer
})
