import { Effect, Redacted } from "effect"
import type { NewMember } from "../../src/Domain/Member.ts"
import { Sessions } from "../../src/Features/SignIn/Sessions.ts"
import { type RequestOptions, TestServer } from "./TestServer.ts"

export const ownPage = { "sec-fetch-site": "same-origin" }

let members = 0

export const signedIn = Effect.fnUntraced(function*(member: Partial<NewMember> = {}) {
  const { admin } = yield* TestServer
  const payload = { email: `signed-in-${++members}@example.com`, client_ids: null, ...member }
  return yield* withSession(yield* Effect.orDie(admin.members.create({ payload })))
})

export const withSession = Effect.fnUntraced(
  function*<A extends { readonly id: Parameters<Sessions["Service"]["end"]>[0] }>(member: A) {
    const server = yield* TestServer
    const token = yield* (yield* Sessions).start({ memberId: member.id, beganWith: "password", userAgent: "a test" })
    const cookie = `openaccounts_session=${Redacted.value(token)}`
    // Over https, the cookie has the other name.
    const own = { cookie: `${cookie}; __Host-${cookie}`, ...ownPage }
    const request = (method: string, path: string, options: RequestOptions = {}) =>
      server.request(method, path, { ...options, headers: { ...own, ...options.headers } })
    return { member, cookie, request }
  }
)
export type SignedIn = Effect.Success<ReturnType<typeof signedIn>>

export const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
  headers.getSetCookie()[0]?.split(";")[0] ?? ""

/** Passkeys and cookies need a name, and browsers treat `localhost` as a secure origin. */
export const originOf = ({ url }: { readonly url: string }) => `http://localhost:${new URL(url).port}`
