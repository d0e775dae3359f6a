import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  authorizationRequest,
  authorize,
  browserOf,
  pathOf,
  redeem,
  refresh,
  registered,
  submit,
  tokensIn
} from "../Features/AgentAccess/Fixture.ts"
import { TestServer } from "../support/TestServer.ts"

/** The secrets of an agent that a member lets in, which then uses its code twice. */
export const letAgentIn = Effect.fnUntraced(function*(session: string) {
  const { request } = yield* TestServer
  const clientId = yield* registered({ client_name: "Canary" })
  const agent = authorizationRequest(clientId, { state: "canary-state-of-agent-0123456789" })
  const browser = browserOf({ cookie: `openaccounts_session=${session}` })
  yield* request("GET", `/oauth/authorize?${new URLSearchParams(agent.parameters)}`)
  const path = pathOf((yield* authorize(browser, agent.parameters)).headers.get("location"))
  const { text } = yield* browser.request("GET", path)
  const member = /name="member" value="([^"]*)"/.exec(text)?.[1] ?? assert.fail(text)
  yield* submit(browser, path, { button: "allow", which: "all", member })
  const resumed = yield* browser.request("GET", path.replace("consent", "authorize"))
  const callback = new URL(resumed.headers.get("location") ?? "")
  const first = tokensIn(yield* redeem(clientId, agent, callback))
  const second = tokensIn(yield* refresh(clientId, first.refresh_token))
  yield* request("GET", "/v1/connections", { key: second.access_token })
  yield* redeem(clientId, agent, callback)
  const secrets: Record<string, string> = {
    verifierOfAgent: agent.verifier,
    stateOfAgent: agent.parameters.state,
    interaction: path.split("/").at(-1) ?? "",
    codeOfAgent: callback.searchParams.get("code") ?? "",
    firstAccessToken: first.access_token,
    firstRefreshToken: first.refresh_token,
    secondAccessToken: second.access_token,
    secondRefreshToken: second.refresh_token
  }
  for (const [name, secret] of Object.entries(secrets)) assert.isAtLeast(secret.length, 16, name)
  return secrets
})
