import { createHash, randomBytes } from "node:crypto"

const redirectUri = "http://127.0.0.1:9/callback"

export const letAgentIn = async (url: string, session: string) => {
  const at = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { redirect: "manual", ...init })
  const cookie = `openaccounts_session=${session}`
  const verifier = randomBytes(32).toString("base64url")
  const state = "canary-state-of-agent-0123456789"
  const registered = await at("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Canary", redirect_uris: [redirectUri] })
  })
  const clientId = String(Reflect.get(Object(await registered.json()), "client_id"))
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state
  })
  await at(`/oauth/authorize?${parameters}`)
  const started = await at(`/oauth/authorize?${parameters}`, { headers: { cookie } })
  const path = started.headers.get("location") ?? ""
  const cookies = [cookie, ...started.headers.getSetCookie().map((each) => each.split(";")[0] ?? "")].join("; ")
  const member = /name="member" value="([^"]*)"/.exec(
    await (await at(path, { headers: { cookie: cookies } })).text()
  )?.[1] ?? ""
  await at(path, {
    method: "POST",
    headers: {
      cookie: cookies,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded"
    },
    body: new URLSearchParams({ button: "allow", which: "all", member }).toString()
  })
  const resumed = await at(path.replace("consent", "authorize"), { headers: { cookie: cookies } })
  const code = new URL(resumed.headers.get("location") ?? "").searchParams.get("code") ?? ""
  const token = async (fields: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
    const answer = await at("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ client_id: clientId, ...fields }).toString()
    })
    return Object(await answer.json())
  }
  const redeem = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }
  const first = await token(redeem)
  const second = await token({ grant_type: "refresh_token", refresh_token: first["refresh_token"] ?? "" })
  await at("/v1/connections", { headers: { authorization: `Bearer ${second["access_token"]}` } })
  await token(redeem)
  const secrets: Record<string, string> = {
    verifierOfAgent: verifier,
    stateOfAgent: state,
    interaction: path.split("/").at(-1) ?? "",
    codeOfAgent: code,
    firstAccessToken: first["access_token"] ?? "",
    firstRefreshToken: first["refresh_token"] ?? "",
    secondAccessToken: second["access_token"] ?? "",
    secondRefreshToken: second["refresh_token"] ?? ""
  }
  const missing = Object.entries(secrets).find(([, secret]) => secret.length < 16)
  if (missing !== undefined) throw new Error(`The agent got no ${missing[0]}`)
  return secrets
}
