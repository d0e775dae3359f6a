import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createHash, randomBytes } from "node:crypto"
import type { Answer } from "../../support/Answer.ts"
import type { SignedIn } from "../../support/SignedIn.ts"
import { type RequestOptions, TestServer } from "../../support/TestServer.ts"

export const redirectUri = "http://127.0.0.1:41041/callback"

export const baseUrlOf = ({ url }: { readonly url: string }) => `http://localhost:${new URL(url).port}`

export const register = Effect.fnUntraced(function*(metadata: object = {}) {
  const server = yield* TestServer
  return yield* server.request("POST", "/oauth/register", {
    headers: { "content-type": "application/json" },
    body: { client_name: "Test agent", redirect_uris: [redirectUri], token_endpoint_auth_method: "none", ...metadata }
  })
})

export const registered = Effect.fnUntraced(function*(metadata: object = {}) {
  const { json, status } = yield* register(metadata)
  assert.strictEqual(status, 201)
  return String(Reflect.get(Object(json), "client_id"))
})

export interface AuthorizationRequest {
  readonly verifier: string
  readonly parameters: Readonly<Record<string, string>>
}

export const authorizationRequest = (clientId: string, more: Readonly<Record<string, string>> = {}) => {
  const verifier = randomBytes(32).toString("base64url")
  return {
    verifier,
    parameters: {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      scope: "read write",
      state: "the-state",
      ...more
    }
  }
}

export const browserOf = (member: Pick<SignedIn, "cookie">) => {
  const cookies = new Map(member.cookie.split("; ").map((pair): [string, string] => [pair.split("=")[0] ?? "", pair]))
  const request = Effect.fnUntraced(function*(method: string, path: string, options: RequestOptions = {}) {
    const server = yield* TestServer
    const answer = yield* server.request(method, path, {
      ...options,
      headers: {
        cookie: [...cookies.values()].join("; "),
        ...(method === "POST" ? { "sec-fetch-site": "same-origin" } : {}),
        ...options.headers
      }
    })
    for (const each of answer.headers.getSetCookie()) {
      const [pair = ""] = each.split(";")
      const [name = ""] = pair.split("=")
      if (/max-age=0|1970/i.test(each)) cookies.delete(name)
      else cookies.set(name, pair)
    }
    return answer
  })
  return { request, cookies }
}
export type TestBrowser = ReturnType<typeof browserOf>

export const pathOf = (location: string | null): string => {
  const { pathname, search } = new URL(location ?? "", "http://localhost")
  return `${pathname}${search}`
}

export const authorize = (browser: TestBrowser, parameters: Readonly<Record<string, string>>) =>
  browser.request("GET", `/oauth/authorize?${new URLSearchParams(parameters)}`)

export type ConsentFields = Readonly<Record<string, string | ReadonlyArray<string>>>

const formOf = (fields: ConsentFields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each]))
  ).toString()

export const submit = (browser: TestBrowser, path: string, fields: ConsentFields) =>
  browser.request("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    rawBody: formOf(fields)
  })

export const consent = Effect.fnUntraced(function*(
  member: SignedIn,
  { parameters }: AuthorizationRequest,
  fields: ConsentFields = {}
) {
  const browser = browserOf(member)
  const started = yield* authorize(browser, parameters)
  assert.strictEqual(started.status, 303, started.text)
  const path = pathOf(started.headers.get("location"))
  const page = yield* browser.request("GET", path)
  assert.strictEqual(page.status, 200, page.text)
  const answered = yield* submit(browser, path, {
    button: "allow",
    member: String(member.member.id),
    which: "all",
    access: "read_only",
    ...fields
  })
  assert.strictEqual(answered.status, 303, answered.text)
  const resumed = yield* browser.request("GET", pathOf(answered.headers.get("location")))
  assert.strictEqual(resumed.status, 303, resumed.text)
  return new URL(resumed.headers.get("location") ?? "")
})

export const form = Effect.fnUntraced(function*(path: string, fields: Readonly<Record<string, string>>) {
  const server = yield* TestServer
  return yield* server.request("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    rawBody: new URLSearchParams(fields).toString()
  })
})

export const redeem = (clientId: string, { verifier }: AuthorizationRequest, callback: URL, more: object = {}) =>
  form("/oauth/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code: callback.searchParams.get("code") ?? "",
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more
  })

export const refresh = (clientId: string, refreshToken: string, more: object = {}) =>
  form("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken, ...more })

export const grantsOf = Effect.fnUntraced(function*(member: { readonly id: string }) {
  const { admin } = yield* TestServer
  const { grants } = yield* Effect.orDie(admin.grants.list({ query: { limit: 200 } }))
  return grants.filter(({ member_id, revoked_at }) => member_id === member.id && revoked_at === null)
})

const decodeTokens = Schema.decodeUnknownSync(Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  expires_in: Schema.Number,
  scope: Schema.String
}))

export const tokensIn = ({ json, status, text }: Answer) => {
  assert.strictEqual(status, 200, text)
  return decodeTokens(json)
}

export const oauthError = (answer: Answer | undefined): unknown => Reflect.get(Object(answer?.json), "error")
